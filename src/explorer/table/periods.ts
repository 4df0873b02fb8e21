import type { Line } from '../../charts/lines.js';
import { PeriodList } from '../../compute/period-list.js';

/** A table row: a period, and the index of that period in each series, or -1 if a series does not have it. */
interface PeriodRow {
  readonly start: number;
  readonly end: number;
  readonly rows: readonly number[];
}

/** The table's sort order: by period, or by the values of the series with the given index. */
export interface Order {
  readonly by: 'period' | number;
  readonly isDescending: boolean;
}

/** Returns the periods of all series, sorted by start. */
export function periodsOf(lines: readonly Pick<Line, 'start' | 'end'>[]): PeriodRow[] {
  const periods = new PeriodList((start, end) => ({ start, end, rows: lines.map(() => -1) }));
  lines.forEach(({ start, end }, at) => {
    start.forEach((from, row) => {
      periods.find(from, end[row]!).rows[at] = row;
    });
  });
  return periods.sorted().sort((a, b) => a.start - b.start);
}

/** Sorts the rows. Periods without a value come last in both directions. */
export function sortPeriods(
  periods: readonly PeriodRow[],
  lines: readonly Line[],
  { by, isDescending }: Order,
): PeriodRow[] {
  const sign = isDescending ? -1 : 1;
  if (by === 'period') return isDescending ? [...periods].reverse() : [...periods];
  const valueIn = ({ rows }: PeriodRow) => lines[by]?.value[rows[by] ?? -1] ?? Number.NaN;
  return [...periods].sort((a, b) => {
    const [left, right] = [valueIn(a), valueIn(b)];
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || a.start - b.start;
    return sign * (left - right) || a.start - b.start;
  });
}
