import type { SearchableType, SearchDocument } from '../model/entity.js';
import { buildNameIndex, type NameIndex, nearWords } from './indexing/name-index.js';
import { Postings } from './indexing/postings.js';
import { SearchIndex } from './search-index.js';

/** The version of the index format. Increment it whenever the format, or the way names are indexed, changes. */
export const FORMAT = 2;

const encodeHead = (key: string) => JSON.stringify({ format: FORMAT, key });

export function encodeNameIndex(
  { ids, current, entities, words, wholeNames }: NameIndex,
  key: string,
): Uint8Array {
  const parts = [encodeHead(key), ids.join(), current, entities.join('\n'), words.table, wholeNames.table];
  return new TextEncoder().encode(parts.join('\0'));
}

/** Decodes a stored index. Returns null if the index was built from different names or has a different format. */
export function decodeNameIndex(type: SearchableType, stored: Uint8Array, key: string): NameIndex | null {
  const [head, ...parts] = new TextDecoder().decode(stored).split('\0');
  if (head !== encodeHead(key)) return null;
  const [ids, current, entities, ...tables] = parts as [string, string, string, string, string];
  const [words, wholeNames] = tables.map((table) => new Postings(table)) as [Postings, Postings];
  return {
    type,
    ids: JSON.parse(`[${ids}]`) as number[],
    current: Number(current),
    entities: entities.split('\n'),
    words,
    wholeNames,
    findNear: nearWords(words),
  };
}

export interface NameStore {
  /** Returns a checksum of the names of all entities of a type. It changes whenever a name does. */
  namesChecksum(type: SearchableType): Promise<string>;
  /** Returns the point count of each entity of a type, omitting entities without points. */
  pointCounts(type: SearchableType): Promise<ReadonlyMap<number, number>>;
  searchDocuments(type: SearchableType): Promise<readonly SearchDocument[]>;
  readonly kept: {
    read(name: string): Promise<Uint8Array | null>;
    write(name: string, bytes: Uint8Array): Promise<void>;
  };
}

/** The minimum number of names for which storing the index saves time. */
const MIN_KEPT_NAMES = 5_000;

/** The most recent index for each type, with its checksum. Weak references allow unused indexes to be freed. */
const recent = new Map<SearchableType, { readonly key: string; readonly index: WeakRef<NameIndex> }>();

/**
 * Loads the search index for a type. If the names are unchanged, reuses the index that this process loaded last or the
 * one in the store. Otherwise, builds a new index, and stores it if there are many names.
 * @param yieldToEventLoop awaited regularly while an index is being built
 */
export async function loadSearchIndex(
  type: SearchableType,
  store: NameStore,
  yieldToEventLoop: () => Promise<void> = async () => {},
): Promise<SearchIndex> {
  const key = await store.namesChecksum(type);
  const last = recent.get(type);
  let names = last?.key === key ? last.index.deref() : undefined;
  if (names === undefined) {
    const bytes = await store.kept.read(indexName(type));
    const kept = bytes === null ? null : decodeNameIndex(type, bytes, key);
    names = kept ?? (await newIndex(type, store, { key, yieldToEventLoop }));
    recent.set(type, { key, index: new WeakRef(names) });
  }
  const pointCounts = await store.pointCounts(type);
  await yieldToEventLoop();
  return new SearchIndex(names, pointCounts);
}

async function newIndex(
  type: SearchableType,
  store: NameStore,
  { key, yieldToEventLoop }: { key: string; yieldToEventLoop: () => Promise<void> },
): Promise<NameIndex> {
  const documents = await store.searchDocuments(type);
  const names = await buildNameIndex(type, documents, yieldToEventLoop);
  // An import may have changed the names while the index was being built.
  const isCurrent = (await store.namesChecksum(type)) === key;
  if (isCurrent && documents.length >= MIN_KEPT_NAMES)
    await store.kept.write(indexName(type), encodeNameIndex(names, key));
  return names;
}

function indexName(type: SearchableType): string {
  return `search-${type}`;
}
