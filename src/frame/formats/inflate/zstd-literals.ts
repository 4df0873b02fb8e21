import { BackwardBits, broken, tooLarge } from './zstd-bits.js';
import { type HuffmanTable, inflateHuffman, readHuffmanTable } from './zstd-huffman.js';

const RAW = 0;
const REPEATED = 1;
const WITH_TABLE = 2;

/** Sizes of one stream of codes take this many bits each, by the format in the header; all but the first have four streams. */
const SIZE_BITS = [10, 10, 14, 18] as const;

/** The literals of a block, and the byte after them. */
export interface Literals {
  readonly literals: Uint8Array;
  readonly end: number;
  /** What literals of later blocks may use again. */
  readonly huffman: HuffmanTable | null;
}

/** Reads the literals of a block, at most `limit` (RFC 8878, 3.1.1.3.1). */
export function readLiterals(block: Uint8Array, limit: number, huffman: HuffmanTable | null): Literals {
  const first = block[0]!;
  const [kind, format] = [first & 3, (first >> 2) & 3];
  if (kind === RAW || kind === REPEATED) {
    const [size, at] = plainSize(block, format);
    if (size > limit) throw tooLarge();
    const end = at + (kind === RAW ? size : 1);
    if (end > block.length) throw broken('block is cut short');
    const literals = kind === RAW ? block.subarray(at, end) : new Uint8Array(size).fill(block[at]!);
    return { literals, end, huffman };
  }
  const width = SIZE_BITS[format]!;
  const at = (4 + 2 * width + 7) >> 3;
  const header = readHeader(block, at);
  const size = Math.floor(header / 16) % 2 ** width;
  const end = at + Math.floor(header / 2 ** (4 + width));
  if (size > limit) throw tooLarge();
  if (end > block.length) throw broken('block is cut short');
  const [table, start] = kind === WITH_TABLE ? readHuffmanTable(block, at, end) : [huffman, at];
  if (table === null) throw broken('block has literals without a table');
  const literals = new Uint8Array(size);
  if (format === 0) inflateHuffman(table, new BackwardBits(block, start, end), literals);
  else inflateFour(table, block, start, end, literals);
  return { literals, end, huffman: table };
}

/** The size of literals that are not compressed, and the byte after it. */
function plainSize(block: Uint8Array, format: number): [number, number] {
  const bytes = [1, 2, 1, 3][format]!;
  return [readHeader(block, bytes) >> (bytes === 1 ? 3 : 4), bytes];
}

/** The first bytes of a block as a number. */
function readHeader(block: Uint8Array, bytes: number): number {
  if (bytes > block.length) throw broken('block is cut short');
  return block.subarray(0, bytes).reduceRight((sum, byte) => sum * 256 + byte, 0);
}

/** Four streams of codes behind a table of the first three lengths. */
function inflateFour(table: HuffmanTable, block: Uint8Array, at: number, end: number, into: Uint8Array) {
  const quarter = (into.length + 3) >> 2;
  if (at + 6 > end || quarter * 3 > into.length) throw broken('block is cut short');
  let from = at + 6;
  for (let i = 0; i < 4; i++) {
    const to = i === 3 ? end : from + (block[at + 2 * i]! | (block[at + 2 * i + 1]! << 8));
    if (to > end) throw broken('block is cut short');
    const part = into.subarray(quarter * i, i === 3 ? into.length : quarter * (i + 1));
    inflateHuffman(table, new BackwardBits(block, from, to), part);
    from = to;
  }
}
