import { copyBytes, repeatBytes } from './copy-bytes.js';
import { BackwardBits, broken, tooLarge } from './zstd-bits.js';
import { type FseTable, nextState } from './zstd-fse.js';
import type { HuffmanTable } from './zstd-huffman.js';
import { readLiterals } from './zstd-literals.js';
import { LITERAL_BASES, LITERAL_BITS, MATCH_BASES, MATCH_BITS, readTables } from './zstd-tables.js';

/** What the blocks of a frame hand on to each other. */
export interface FrameState {
  huffman: HuffmanTable | null;
  /** Of literal lengths, distances and match lengths. */
  tables: readonly FseTable[] | null;
  /** The last three distances. */
  readonly distances: [number, number, number];
}

/** Where the bytes of a block go: into those of its frame. */
export interface Target {
  readonly into: Uint8Array;
  readonly at: number;
  /** Nothing is written from here on. */
  readonly limit: number;
}

/**
 * Decompresses a block, and returns where its bytes end (RFC 8878, 3.1.1.3). It takes no more steps than the block and
 * its target have bytes, and those of its tables.
 */
export function inflateBlock(block: Uint8Array, state: FrameState, target: Target): number {
  if (block.length < 2) throw broken('block is cut short');
  const { literals, end, huffman } = readLiterals(block, target.limit - target.at, state.huffman);
  state.huffman = huffman;
  const [count, at] = sequenceCount(block, end);
  if (count === 0) {
    if (at !== block.length) throw broken('block is followed by further bytes');
    target.into.set(literals, target.at);
    return target.at + literals.length;
  }
  const [tables, start] = readTables(block, at, state.tables);
  state.tables = tables;
  return inflateSequences(new BackwardBits(block, start, block.length), tables, {
    count,
    literals,
    state,
    target,
  });
}

function sequenceCount(block: Uint8Array, at: number): [number, number] {
  const first = block[at]!;
  const bytes = first < 128 ? 1 : first < 255 ? 2 : 3;
  if (at + bytes > block.length) throw broken('block is cut short');
  if (bytes === 1) return [first, at + 1];
  if (bytes === 2) return [((first - 128) << 8) | block[at + 1]!, at + 2];
  return [(block[at + 1]! | (block[at + 2]! << 8)) + 0x7f00, at + 3];
}

interface Sequences {
  readonly count: number;
  readonly literals: Uint8Array;
  readonly state: FrameState;
  readonly target: Target;
}

/** Copies literals and repeats earlier bytes, in turn, then copies the rest of the literals. */
function inflateSequences(bits: BackwardBits, tables: readonly FseTable[], sequences: Sequences): number {
  const { count, literals, state, target } = sequences;
  const { into, limit } = target;
  const [literalTable, distanceTable, matchTable] = tables as [FseTable, FseTable, FseTable];
  let [literalState, distanceState, matchState] = tables.map(({ log }) => bits.read(log)) as [
    number,
    number,
    number,
  ];
  let [to, taken] = [target.at, 0];
  for (let i = 1; ; i++) {
    const literalEntry = literalTable.entries[literalState]!;
    const distanceEntry = distanceTable.entries[distanceState]!;
    const matchEntry = matchTable.entries[matchState]!;
    const distanceBits = distanceEntry & 0xff;
    const distanceCode = 2 ** distanceBits + bits.read(distanceBits);
    const matchCode = matchEntry & 0xff;
    const length = MATCH_BASES[matchCode]! + bits.read(MATCH_BITS[matchCode]!);
    const literalCode = literalEntry & 0xff;
    const copied = LITERAL_BASES[literalCode]! + bits.read(LITERAL_BITS[literalCode]!);
    const distance = takeDistance(state.distances, distanceCode, copied === 0);
    if (taken + copied > literals.length) throw broken('block has too few literals');
    if (to + copied + length > limit) throw tooLarge();
    copyBytes(literals, taken, into, to, copied);
    taken += copied;
    to += copied;
    if (to < distance) throw broken('block repeats bytes from before its start');
    repeatBytes(into, to, distance, length);
    to += length;
    if (i === count) break;
    literalState = nextState(literalEntry, bits);
    matchState = nextState(matchEntry, bits);
    distanceState = nextState(distanceEntry, bits);
  }
  bits.close();
  if (to + literals.length - taken > limit) throw tooLarge();
  into.set(literals.subarray(taken), to);
  return to + literals.length - taken;
}

/** The distance of a code, which the last three are brought up to date with (RFC 8878, 3.1.1.5). */
function takeDistance(last: [number, number, number], code: number, withoutLiterals: boolean): number {
  const which = code > 3 ? 3 : code - 1 + Number(withoutLiterals);
  const distance = code > 3 ? code - 3 : which === 3 ? last[0] - 1 : last[which]!;
  if (distance === 0) throw broken('block repeats bytes at a distance of 0');
  if (which > 1) last[2] = last[1];
  if (which > 0) last[1] = last[0];
  last[0] = distance;
  return distance;
}
