import type { SearchableType, SearchDocument } from '../model/entity.js';
import { decodeNameIndex, encodeNameIndex } from './indexing/kept-index.js';
import { buildNameIndex, type NameIndex } from './indexing/name-index.js';
import { finishInTurns } from './indexing/work.js';
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
  yieldToEventLoop: () => Promise<void> = async () => {},
): Promise<SearchIndex> {
  const key = await store.namesChecksum(type);
  let names = await findNameIndex(type, store, key);
  if (names === null) {
    const documents = await store.searchDocuments(type);
    names = await finishInTurns(buildNameIndex(type, documents), yieldToEventLoop);
    await keepNameIndex(names, store, key);
  }
  const pointCounts = await store.pointCounts(type);
  await yieldToEventLoop();
  return new SearchIndex(names, pointCounts);
}

/**
 * The search index of a type as `loadSearchIndex` has it; null where that builds one.
 * @param key the checksum of its names
 */
export async function findSearchIndex(
  type: SearchableType,
  store: NameStore,
  key: string,
): Promise<SearchIndex | null> {
  const names = await findNameIndex(type, store, key);
  return names === null ? null : new SearchIndex(names, await store.pointCounts(type));
}

async function findNameIndex(
  type: SearchableType,
  { kept }: NameStore,
  key: string,
): Promise<NameIndex | null> {
  const last = recent.get(type);
  const shared = last?.key === key ? last.index.deref() : undefined;
  if (shared !== undefined) return shared;
  const bytes = await kept.read(keptName(type));
  const names = bytes === null ? null : decodeNameIndex(type, bytes, key);
  if (names !== null) remember(names, key);
  return names;
}

/**
 * Keeps a new index for later searches: in this process, and in the store where it has many names.
 * @param key the checksum of its names
 */
export async function keepNameIndex(names: NameIndex, store: NameStore, key: string): Promise<void> {
  const { type } = names;
  remember(names, key);
  // An import may have changed the names since.
  const isCurrent = (await store.namesChecksum(type)) === key;
  if (isCurrent && names.ids.length >= MIN_KEPT_NAMES)
    await store.kept.write(keptName(type), encodeNameIndex(names, key));
}

function remember(names: NameIndex, key: string): void {
  recent.set(names.type, { key, index: new WeakRef(names) });
}

function keptName(type: SearchableType): string {
  return `search-${type}`;
}
