import { BackwardBits, broken } from './zstd-bits.js';
import { nextState, readFseTable } from './zstd-fse.js';

const MAX_CODE_BITS = 11;
const MAX_SYMBOLS = 256;
const MAX_WEIGHT_LOG = 6;

/** For each word of `bits` bits, the symbol that it begins with, and above it the length of the symbol's code. */
export interface HuffmanTable {
  readonly entries: Uint16Array;
  readonly bits: number;
}

/** Reads the description of a Huffman table, and returns it with the byte after it (RFC 8878, 4.2.1). */
export function readHuffmanTable(bytes: Uint8Array, from: number, to: number): [HuffmanTable, number] {
  if (from >= to) throw broken('block is cut short');
  const first = bytes[from]!;
  const count = first - 127;
  const end = from + 1 + (first < 128 ? first : (count + 1) >> 1);
  if (end > to) throw broken('block is cut short');
  const weights =
    first < 128
      ? readWeights(bytes, from + 1, end)
      : Array.from({ length: count }, (_, i) => (bytes[from + 1 + (i >> 1)]! >> (i & 1 ? 0 : 4)) & 15);
  return [buildTable(weights), end];
}

/** Weights in two streams of states, in turn, until the bits end. */
function readWeights(bytes: Uint8Array, from: number, to: number): number[] {
  const [{ entries, log }, start] = readFseTable(bytes, from, to, {
    maxLog: MAX_WEIGHT_LOG,
    maxSymbol: MAX_CODE_BITS,
  });
  const bits = new BackwardBits(bytes, start, to);
  const weights: number[] = [];
  for (let [state, other] = [bits.read(log), bits.read(log)]; weights.length < MAX_SYMBOLS; ) {
    const entry = entries[state]!;
    weights.push(entry & 0xff);
    if (bits.left < ((entry >>> 8) & 0xff)) {
      weights.push(entries[other]! & 0xff);
      return weights;
    }
    [state, other] = [other, nextState(entry, bits)];
  }
  throw broken('Huffman table has too many symbols');
}

/** The table of symbols by weight; the last symbol has the weight that is left. */
function buildTable(given: readonly number[]): HuffmanTable {
  const total = given.reduce((sum, weight) => sum + ((1 << weight) >> 1), 0);
  const bits = 32 - Math.clz32(total);
  const left = 2 ** bits - total;
  if (total === 0 || bits > MAX_CODE_BITS || (left & (left - 1)) !== 0 || given.length >= MAX_SYMBOLS) {
    throw broken('Huffman table does not add up');
  }
  const weights = [...given, 32 - Math.clz32(left)];
  if (!weights.includes(1)) throw broken('Huffman table has no symbol of its longest code');
  const entries = new Uint16Array(2 ** bits);
  let at = 0;
  for (let weight = 1; weight <= bits; weight++) {
    const width = 2 ** (weight - 1);
    const length = (bits + 1 - weight) << 8;
    for (let symbol = 0; symbol < weights.length; symbol++) {
      if (weights[symbol] !== weight) continue;
      entries.fill(symbol | length, at, at + width);
      at += width;
    }
  }
  return { entries, bits };
}

/** Fills `into` from one stream of codes, which must end with it. */
export function inflateHuffman({ entries, bits: width }: HuffmanTable, bits: BackwardBits, into: Uint8Array) {
  for (let i = 0; i < into.length; i++) {
    const entry = entries[bits.peek(width)]!;
    into[i] = entry;
    bits.skip(entry >> 8);
  }
  bits.close();
}
