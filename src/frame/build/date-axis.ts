import type { RowRun } from '../../columns/row-runs.js';
import {
  dateAt,
  distinctDates,
  firstFrom,
  type SeriesDates,
  unpackDates,
} from '../../columns/series-dates.js';

export interface DateSpan extends RowRun {
  ends: SeriesDates;
}

/** The distinct end dates of all series in ascending order, one for each row of a wide frame. */
export interface DateAxis {
  length: number;
  dates: BigInt64Array;
  /** Returns the first date's row if the dates are in consecutive rows. Otherwise, returns the row of each date. */
  locate(span: DateSpan): number | Int32Array;
}

export function dateAxis(spans: readonly DateSpan[]): DateAxis {
  const { dates, rowOf } = gridAxis(spans) ?? sortedAxis(spans);
  const column = new BigInt64Array(dates.length);
  unpackDates(dates, dates.length, column);
  const locate = ({ ends, from, to }: DateSpan) => {
    const first = rowOf(dateAt(ends, from));
    // Ascending dates are in consecutive rows if the last date is `to - from - 1` rows after the first.
    if (!(ends instanceof Float64Array) && rowOf(dateAt(ends, to - 1)) === first + to - from - 1)
      return first;
    const rows = new Int32Array(to - from);
    let isUnbroken = true;
    for (let i = from; i < to; i++) {
      rows[i - from] = rowOf(dateAt(ends, i));
      isUnbroken &&= rows[i - from] === first + i - from;
    }
    return isUnbroken ? first : rows;
  };
  return { length: dates.length, dates: column, locate };
}

interface SortedDates {
  readonly dates: Float64Array;
  readonly rowOf: (date: number) => number;
}

// Each step takes four bytes in the array that `gridAxis` allocates.
const MAX_STEPS = 4_000_000;

/**
 * Assigns dates to rows without sorting, using an array with one element per time step. The step is the greatest common
 * divisor of all intervals between dates. Returns null if the array would be too long.
 */
function gridAxis(spans: readonly DateSpan[]): SortedDates | null {
  const origin = spans[0] === undefined ? 0 : dateAt(spans[0].ends, spans[0].from);
  let [unit, min, max] = [0, origin, origin];
  const include = (date: number) => {
    if (!Number.isInteger((date - origin) / unit)) unit = greatestDivisor(unit, Math.abs(date - origin));
    if (date < min) min = date;
    if (date > max) max = date;
  };
  for (const { ends, from, to } of spans) {
    if (ends instanceof Float64Array) for (let i = from; i < to; i++) include(ends[i]!);
    else for (const i of [from, Math.min(from + 1, to - 1), to - 1]) include(dateAt(ends, i));
  }
  unit ||= 1;
  const steps = (max - min) / unit + 1;
  if (steps > MAX_STEPS) return null;
  const rows = new Int32Array(spans.length === 0 ? 0 : steps);
  for (const { ends, from, to } of spans) {
    const first = (dateAt(ends, from) - min) / unit;
    if (!(ends instanceof Float64Array) && ends.stepMs === unit) rows.fill(1, first, first + to - from);
    else for (let i = from; i < to; i++) rows[(dateAt(ends, i) - min) / unit] = 1;
  }
  const dates = new Float64Array(rows.length);
  let length = 0;
  for (let step = 0; step < rows.length; step++) {
    if (rows[step] === 0) continue;
    dates[length] = min + step * unit;
    rows[step] = length++;
  }
  return { dates: dates.subarray(0, length), rowOf: (date) => rows[(date - min) / unit]! };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

function sortedAxis(spans: readonly DateSpan[]): SortedDates {
  const distinct = new Set<number>();
  for (const { ends, from, to } of spans) for (let i = from; i < to; i++) distinct.add(dateAt(ends, i));
  const dates = distinctDates(distinct);
  return { dates, rowOf: (date) => firstFrom(dates, date) };
}
