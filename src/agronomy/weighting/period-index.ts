import { epochWords, sameEpoch } from '../../columns/series-dates.js';

/** The distinct periods of a column, ascending by end and then start, and the period of each row. */
interface PeriodIndex {
  /** The period of row `i` is number `period[i]`. */
  readonly period: Uint32Array;
  readonly start_date: BigInt64Array;
  readonly end_date: BigInt64Array;
}

/**
 * Finds the distinct periods among rows. Regions mostly have the same periods in the same order, so each row is first
 * compared to the period after that of the previous row.
 */
export function indexPeriods(start: BigInt64Array, end: BigInt64Array): PeriodIndex {
  const found = new Uint32Array(start.length);
  const firstRows: number[] = [];
  const positions = new Map<string, number>();
  const starts = bitsOf(start);
  const ends = start === end ? starts : bitsOf(end);
  let previous = -1;
  for (let row = 0; row < found.length; row++) {
    const guess = previous + 1 < firstRows.length ? firstRows[previous + 1]! : -1;
    const isNext =
      guess >= 0 && sameTime(starts, guess, row) && (ends === starts || sameTime(ends, guess, row));
    previous = isNext
      ? previous + 1
      : lookUp(positions, firstRows, { row, key: `${start[row]}/${end[row]}` });
    found[row] = previous;
  }
  return sortPeriods(
    found,
    BigInt64Array.from(firstRows, (row) => start[row]!),
    BigInt64Array.from(firstRows, (row) => end[row]!),
  );
}

function lookUp(
  known: Map<string, number>,
  firstRows: number[],
  { row, key }: { row: number; key: string },
): number {
  const seen = known.get(key);
  if (seen !== undefined) return seen;
  known.set(key, firstRows.length);
  return firstRows.push(row) - 1;
}

/** The bits of times, in forms that can be compared without allocating a BigInt. */
interface TimeBits {
  readonly doubles: Float64Array;
  readonly words: Int32Array;
}

function bitsOf(times: BigInt64Array): TimeBits {
  const { buffer, byteOffset, length } = times;
  return { doubles: new Float64Array(buffer, byteOffset, length), words: epochWords(times) };
}

/** Equal doubles are equal times. A time before 1970 reads as NaN, which equals nothing, and is compared by words. */
function sameTime({ doubles, words }: TimeBits, a: number, b: number): boolean {
  if (doubles[a] === doubles[b]) return true;
  return sameEpoch(words, a, b);
}

function sortPeriods(found: Uint32Array, start: BigInt64Array, end: BigInt64Array): PeriodIndex {
  const order = Uint32Array.from(end.keys()).sort((a, b) =>
    end[a] === end[b] ? Number(start[a]! - start[b]!) : Number(end[a]! - end[b]!),
  );
  const position = new Uint32Array(order.length);
  order.forEach((period, i) => {
    position[period] = i;
  });
  for (let row = 0; row < found.length; row++) found[row] = position[found[row]!]!;
  return {
    period: found,
    start_date: BigInt64Array.from(order, (period) => start[period]!),
    end_date: BigInt64Array.from(order, (period) => end[period]!),
  };
}
