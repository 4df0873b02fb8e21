import { broken } from './zstd-bits.js';
import { buildFseTable, type FseLimits, type FseTable, readFseTable, repeatedSymbol } from './zstd-fse.js';

interface Code {
  readonly limits: FseLimits;
  /** The table of a block that describes none. */
  readonly preset: FseTable;
}

const LITERAL_LENGTHS: Code = {
  limits: { maxLog: 9, maxSymbol: 35 },
  preset: buildFseTable(
    [
      4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1,
      -1, -1,
    ],
    6,
  ),
};

const DISTANCES: Code = {
  limits: { maxLog: 8, maxSymbol: 31 },
  preset: buildFseTable(
    [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
    5,
  ),
};

const MATCH_LENGTHS: Code = {
  limits: { maxLog: 9, maxSymbol: 52 },
  preset: buildFseTable(
    [1, 4, 3, 2, 2, 2, 2, 2, 2, ...new Array<number>(37).fill(1), ...new Array<number>(7).fill(-1)],
    6,
  ),
};

const CODES = [LITERAL_LENGTHS, DISTANCES, MATCH_LENGTHS];

/** The bits that follow the code of a length. */
export const LITERAL_BITS = [
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14,
  15, 16,
];
export const MATCH_BITS = [
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1,
  2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
];

/** The length that each code begins at. */
function bases(bits: readonly number[], first: number): number[] {
  let next = first;
  return bits.map((width) => {
    const base = next;
    next += 2 ** width;
    return base;
  });
}

export const LITERAL_BASES = bases(LITERAL_BITS, 0);
export const MATCH_BASES = bases(MATCH_BITS, 3);

/** The tables of a block by their modes: preset, one symbol, described, or those of the block before. */
export function readTables(
  block: Uint8Array,
  from: number,
  before: readonly FseTable[] | null,
): [FseTable[], number] {
  if (from >= block.length) throw broken('block is cut short');
  const modes = block[from]!;
  if ((modes & 3) !== 0) throw broken('block has an unknown mode');
  let at = from + 1;
  const tables = CODES.map(({ limits, preset }, i) => {
    const mode = (modes >> (6 - 2 * i)) & 3;
    if (mode === 0) return preset;
    if (mode === 1) {
      const symbol = block[at++];
      if (symbol === undefined || symbol > limits.maxSymbol) throw broken('block has an unknown symbol');
      return repeatedSymbol(symbol);
    }
    if (mode === 2) {
      const [table, end] = readFseTable(block, at, block.length, limits);
      at = end;
      return table;
    }
    if (before === null) throw broken('block uses the tables of a block that is missing');
    return before[i]!;
  });
  return [tables, at];
}
