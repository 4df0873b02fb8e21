import { epochWords } from '../../columns/epoch-words.js';
import type { RegionColumns } from './weights.js';

/** Rows in which every region has the same periods: block `k` of `length` rows belongs to region `regions[k]`. */
interface SharedPeriods {
  readonly length: number;
  readonly regions: Uint32Array;
}

/**
 * Detects columns that hold one region after another over the same ascending periods, as fetched daily series do; null
 * otherwise.
 */
export function sharedPeriods({ region, start_date, end_date }: RegionColumns): SharedPeriods | null {
  const length = blockLength(region);
  if (length === 0 || region.length % length !== 0) return null;
  const starts = epochWords(start_date);
  const ends = epochWords(end_date);
  if (!isAscending(start_date, end_date, length)) return null;
  const regions = new Uint32Array(region.length / length);
  for (let block = 0; block < regions.length; block++) {
    const from = block * length;
    regions[block] = region[from]!;
    if (!isConstant(region, from, from + length)) return null;
    if (!repeats(starts, 2 * from, 2 * length) || !repeats(ends, 2 * from, 2 * length)) return null;
  }
  return { length, regions };
}

/** The number of rows before the region first changes. */
function blockLength(region: Uint32Array): number {
  let length = 0;
  while (length < region.length && region[length] === region[0]) length++;
  return length;
}

function isConstant(region: Uint32Array, from: number, to: number): boolean {
  const own = region[from];
  for (let row = from + 1; row < to; row++) if (region[row] !== own) return false;
  return true;
}

function isAscending(start: BigInt64Array, end: BigInt64Array, length: number): boolean {
  for (let row = 1; row < length; row++) {
    const [before, after] = [end[row - 1]!, end[row]!];
    if (before > after || (before === after && start[row - 1]! >= start[row]!)) return false;
  }
  return true;
}

/** Whether the `count` words from `from` equal the first ones. */
function repeats(all: Int32Array, from: number, count: number): boolean {
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const differs =
      (all[i]! ^ all[from + i]!) |
      (all[i + 1]! ^ all[from + i + 1]!) |
      (all[i + 2]! ^ all[from + i + 2]!) |
      (all[i + 3]! ^ all[from + i + 3]!);
    if (differs !== 0) return false;
  }
  for (; i < count; i++) if (all[i] !== all[from + i]) return false;
  return true;
}
