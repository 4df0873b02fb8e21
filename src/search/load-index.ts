import type { SearchableType, SearchDocument } from '../model/entity.js';
import { buildNameIndex, type NameIndex } from './indexing/name-index.js';
import { finishInTurns, Postings } from './indexing/postings.js';
import { TextTable } from './indexing/text-table.js';
import { SearchIndex } from './search-index.js';

/** Incremented whenever names are indexed differently, or the format changes: an older index is then built again. */
export const FORMAT = 1;

const KINDS = { Int32Array, Uint8Array, Uint16Array, Uint32Array } as const;
type Kind = keyof typeof KINDS;
type Part = InstanceType<(typeof KINDS)[Kind]>;

/** The header before the arrays: JSON after its length in four bytes. Every part begins at a multiple of eight bytes. */
interface Head {
  readonly format: number;
  /** The checksum of the names. */
  readonly key: string;
  readonly parts: readonly { readonly name: string; readonly kind: Kind; readonly length: number }[];
}

/** The bytes of an index, to be kept. @param key a checksum of the names */
export function encodeNameIndex(index: NameIndex, key: string): Uint8Array {
  const parts = Object.entries(partsOf(index));
  const head: Head = {
    format: FORMAT,
    key,
    parts: parts.map(([name, part]) => ({ name, kind: part.constructor.name as Kind, length: part.length })),
  };
  const json = new TextEncoder().encode(JSON.stringify(head));
  const start = aligned(LENGTH_BYTES + json.length);
  const size = parts.reduce((sum, [, part]) => sum + aligned(part.byteLength), start);
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, LENGTH_BYTES);
  let at = start;
  for (const [, part] of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += aligned(part.byteLength);
  }
  return bytes;
}

/**
 * The index in these bytes, which share its memory; null when they are of other names or another format. Damage must have
 * been ruled out.
 */
export function decodeNameIndex(type: SearchableType, stored: Uint8Array, key: string): NameIndex | null {
  const bytes = stored.byteOffset % ALIGNMENT === 0 ? stored : stored.slice();
  const { buffer, byteOffset, byteLength } = bytes;
  const length = new DataView(buffer, byteOffset, byteLength).getUint32(0, true);
  const json = new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
  const head = JSON.parse(json) as Head;
  if (head.format !== FORMAT || head.key !== key) return null;
  const parts: Record<string, Part> = {};
  let at = aligned(LENGTH_BYTES + length);
  for (const { name, kind, length } of head.parts) {
    const part = new KINDS[kind](buffer as ArrayBuffer, byteOffset + at, length);
    parts[name] = part;
    at += aligned(part.byteLength);
  }
  return indexOf(type, parts as unknown as Parts);
}

const LENGTH_BYTES = 4;
const ALIGNMENT = 8;

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

type Parts = ReturnType<typeof partsOf>;

function partsOf(index: NameIndex) {
  const { ids, levels, historical, names, aliases, words, wholeNames, plainWords, letterSets } = index;
  return {
    ids,
    levels,
    historical,
    names: names.units,
    nameStarts: names.starts,
    aliases: aliases.units,
    aliasStarts: aliases.starts,
    words: words.texts.units,
    wordStarts: words.texts.starts,
    wordEntryStarts: words.starts,
    wordEntries: words.entries,
    wholes: wholeNames.texts.units,
    wholeStarts: wholeNames.texts.starts,
    wholeEntryStarts: wholeNames.starts,
    wholeEntries: wholeNames.entries,
    plainWords: plainWords.units,
    plainWordStarts: plainWords.starts,
    letterSets,
  };
}

function indexOf(type: SearchableType, parts: Parts): NameIndex {
  const words = new TextTable(parts.words, parts.wordStarts);
  const wholes = new TextTable(parts.wholes, parts.wholeStarts);
  return {
    type,
    ids: parts.ids,
    levels: parts.levels,
    historical: parts.historical,
    names: new TextTable(parts.names, parts.nameStarts),
    aliases: new TextTable(parts.aliases, parts.aliasStarts),
    words: new Postings(words, parts.wordEntryStarts, parts.wordEntries),
    wholeNames: new Postings(wholes, parts.wholeEntryStarts, parts.wholeEntries),
    plainWords: new TextTable(parts.plainWords, parts.plainWordStarts),
    letterSets: parts.letterSets,
  };
}

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
async function keepNameIndex(names: NameIndex, store: NameStore, key: string): Promise<void> {
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
