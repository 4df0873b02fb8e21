import type { Line } from '../../charts/lines.js';
import { PeriodList } from '../../compute/period-list.js';

/** A table row: a period, and the index of that period in each series, or -1 if a series does not have it. */
interface PeriodRow {
  readonly start: number;
  readonly end: number;
  readonly rows: readonly number[];
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
