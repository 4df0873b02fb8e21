import { damaged } from './flatbuffer.js';

/** The error that a Zstandard frame is damaged. */
export const broken = (what: string) => damaged(`its Zstandard ${what}`);

export const tooLarge = () => broken('block has more bytes than its buffer or its frame allows');

/** The 25 bits or more that follow bit `at`; bits past the end are 0. */
function word(bytes: Uint8Array, at: number): number {
  const byte = at >> 3;
  const four = bytes[byte]! | (bytes[byte + 1]! << 8) | (bytes[byte + 2]! << 16) | (bytes[byte + 3]! << 24);
  return four >>> (at & 7);
}

/** Reads a stream of bits from its last bit, which the highest 1 of its last byte marks, to its first (RFC 8878, 4.1). */
export class BackwardBits {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  #at: number;

  constructor(bytes: Uint8Array, from: number, to: number) {
    const last = to > from ? bytes[to - 1]! : 0;
    if (last === 0) throw broken('stream of bits has no end mark');
    this.#bytes = bytes;
    this.#start = from * 8;
    this.#at = to * 8 - 1 - (Math.clz32(last) - 24);
  }

  /** Bits not yet read; below 0 once more are taken than there are. */
  get left(): number {
    return this.#at - this.#start;
  }

  /** The next `count` bits, at most 24. Those beyond the first bit of the stream are anything. */
  peek(count: number): number {
    const at = this.#at - count;
    return at < 0 ? 0 : word(this.#bytes, at) & ((1 << count) - 1);
  }

  skip(count: number): void {
    this.#at -= count;
  }

  /** The next `count` bits, at most 31. */
  read(count: number): number {
    if (count > 24) return this.read(count - 16) * 2 ** 16 + this.read(16);
    this.#at -= count;
    if (this.#at < this.#start) throw broken('stream of bits is cut short');
    return word(this.#bytes, this.#at) & ((1 << count) - 1);
  }

  /** @throws ArgumentError when not every bit has been read */
  close(): void {
    if (this.#at !== this.#start) throw broken('stream of bits has another length than its symbols');
  }
}

/** Reads bits from the first of a byte on; those past the end are 0. */
class ForwardBits {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, from: number, to: number) {
    this.#bytes = bytes;
    this.#at = from * 8;
    this.#end = to * 8;
  }

  peek(count: number): number {
    return word(this.#bytes, this.#at) & ((1 << count) - 1);
  }

  read(count: number): number {
    const bits = this.peek(count);
    this.#at += count;
    return bits;
  }

  /** The first byte of which no bit has been read. */
  byteAfter(): number {
    if (this.#at > this.#end) throw broken('table of symbols is cut short');
    return (this.#at + 7) >> 3;
  }
}

/**
 * A table of finite state entropy. Each entry holds a symbol in its low byte, then how many bits lead to the next state,
 * then, from bit 16 on, what those bits are added to.
 */
export interface FseTable {
  readonly entries: Uint32Array;
  /** The bits of the first state. */
  readonly log: number;
}

/** What a table may hold. */
export interface FseLimits {
  readonly maxLog: number;
  readonly maxSymbol: number;
}

/** A table with one symbol, which takes no bits. */
export function repeatedSymbol(symbol: number): FseTable {
  return { entries: Uint32Array.of(symbol), log: 0 };
}

/** The state after `entry`. */
export function nextState(entry: number, bits: BackwardBits): number {
  return (entry >>> 16) + bits.read((entry >>> 8) & 0xff);
}

/** Reads the description of a table, and returns it with the byte after it (RFC 8878, 4.1.1). */
export function readFseTable(
  bytes: Uint8Array,
  from: number,
  to: number,
  { maxLog, maxSymbol }: FseLimits,
): [FseTable, number] {
  const bits = new ForwardBits(bytes, from, to);
  const log = bits.read(4) + 5;
  if (log > maxLog) throw broken('table of symbols is too large');
  const shares: number[] = [];
  for (let left = 1 << log; left > 0; ) {
    const share = readShare(bits, left);
    left -= Math.abs(share);
    shares.push(share);
    if (share === 0) readAbsent(bits, shares, maxSymbol);
    if (left < 0 || shares.length > maxSymbol + 1) throw broken('table of symbols does not add up');
  }
  return [buildFseTable(shares, log), bits.byteAfter()];
}

/** The share of the next symbol: of `left`, 0 for an absent one, -1 for one below 1. It takes fewer bits the less is left. */
function readShare(bits: ForwardBits, left: number): number {
  const width = 32 - Math.clz32(left + 1);
  const short = 2 ** width - 1 - (left + 1);
  const low = bits.peek(width - 1);
  if (low < short) return bits.read(width - 1) - 1;
  const value = bits.read(width);
  return (value >= 2 ** (width - 1) ? value - short : value) - 1;
}

/** Further absent symbols, in counts of up to 3. */
function readAbsent(bits: ForwardBits, shares: number[], maxSymbol: number): void {
  for (let count = 3; count === 3 && shares.length <= maxSymbol; ) {
    count = bits.read(2);
    for (let i = 0; i < count; i++) shares.push(0);
  }
}

/** The table of symbols with shares of 2 ** log. It is written for frames that describe tables for every few bytes. */
export function buildFseTable(shares: readonly number[], log: number): FseTable {
  const size = 1 << log;
  const entries = spread(shares, size);
  const next = shares.map(Math.abs);
  for (let i = 0; i < size; i++) {
    const symbol = entries[i]!;
    const state = next[symbol]!++;
    const bits = log - (31 - Math.clz32(state));
    entries[i] = symbol | (bits << 8) | (((state << bits) - size) << 16);
  }
  return { entries, log };
}

/** The symbol of each state: those with a share below 1 at the end, the others spread over the rest. */
function spread(shares: readonly number[], size: number): Uint32Array {
  const symbols = new Uint32Array(size);
  let end = size;
  for (let symbol = 0; symbol < shares.length; symbol++) if (shares[symbol] === -1) symbols[--end] = symbol;
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  for (let symbol = 0; symbol < shares.length; symbol++) {
    for (let i = 0; i < shares[symbol]!; i++) {
      symbols[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at >= end);
    }
  }
  return symbols;
}

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
export function decodeHuffman({ entries, bits: width }: HuffmanTable, bits: BackwardBits, into: Uint8Array) {
  for (let i = 0; i < into.length; i++) {
    const entry = entries[bits.peek(width)]!;
    into[i] = entry;
    bits.skip(entry >> 8);
  }
  bits.close();
}
