import type { SearchableType } from '../../model/entity.js';
import type { NameIndex } from './name-index.js';
import { Postings } from './postings.js';
import { TextTable } from './text-table.js';

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
export function decodeNameIndex(type: SearchableType, given: Uint8Array, key: string): NameIndex | null {
  const bytes = given.byteOffset % ALIGNMENT === 0 ? given : given.slice();
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
