import { type BackwardBits, broken, ForwardBits } from './zstd-bits.js';

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
