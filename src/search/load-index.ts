import type { SearchableType, SearchDocument } from '../model/entity.js';
import { decodeNameIndex, encodeNameIndex } from './kept-index.js';
import { buildNameIndex, type NameIndex } from './name-index.js';
import { SearchIndex } from './search-index.js';

/** The names of a store, and where it keeps an index of them. */
export interface NameStore {
  /** Changes with the names of a type. */
  namesChecksum(type: SearchableType): Promise<string>;
  /** The number of points of each entity of a type that has any. */
  pointCounts(type: SearchableType): Promise<ReadonlyMap<number, number>>;
  searchDocuments(type: SearchableType): Promise<readonly SearchDocument[]>;
  readonly kept: {
    read(name: string): Promise<Uint8Array | null>;
    write(name: string, bytes: Uint8Array): Promise<void>;
  };
}

/** Fewer names are indexed in less time than a file of them would save. */
const MIN_KEPT_NAMES = 5_000;

/** The last index of each type by its checksum, for as long as something uses it or memory is not needed. */
const recent = new Map<SearchableType, { readonly key: string; readonly index: WeakRef<NameIndex> }>();

/**
 * The search index of a type: the last one of this process where its names are the same, as services of one store have;
 * else the one that the store keeps; else a new one, which the store keeps when it has many names.
 * @param yieldToEventLoop awaited regularly while an index is built
 */
export async function loadSearchIndex(
  type: SearchableType,
  store: NameStore,
  yieldToEventLoop?: () => Promise<void>,
): Promise<SearchIndex> {
  const key = await store.namesChecksum(type);
  const last = recent.get(type);
  let names = last?.key === key ? (last.index.deref() ?? null) : null;
  names ??= await readKept(type, store, key);
  names ??= await buildAndKeep(type, store, { key, yieldToEventLoop });
  recent.set(type, { key, index: new WeakRef(names) });
  const pointCounts = await store.pointCounts(type);
  await yieldToEventLoop?.();
  return new SearchIndex(names, pointCounts);
}

async function readKept(type: SearchableType, { kept }: NameStore, key: string): Promise<NameIndex | null> {
  const bytes = await kept.read(keptName(type));
  return bytes === null ? null : decodeNameIndex(type, bytes, key);
}

async function buildAndKeep(
  type: SearchableType,
  store: NameStore,
  { key, yieldToEventLoop }: { key: string; yieldToEventLoop: (() => Promise<void>) | undefined },
): Promise<NameIndex> {
  const documents = await store.searchDocuments(type);
  const index = await buildNameIndex(type, documents, yieldToEventLoop);
  // An import may have changed the names since.
  const isCurrent = (await store.namesChecksum(type)) === key;
  await yieldToEventLoop?.();
  if (isCurrent && documents.length >= MIN_KEPT_NAMES)
    await store.kept.write(keptName(type), encodeNameIndex(index, key));
  return index;
}

function keptName(type: SearchableType): string {
  return `search-${type}`;
}
