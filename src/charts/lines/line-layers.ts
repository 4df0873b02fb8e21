import { DAY_MS } from '../../model/time.js';
import type { LineData } from './line-data.js';
import { type LineRow, timeSpan } from './line-rows.js';

/** What the layers of a chart of lines over time share. */
export interface TimePlan {
  readonly lines: readonly LineData[];
  readonly labels: readonly string[];
  readonly rows: readonly LineRow[];
  readonly highlight: number | null;
}

/** The points, with the labels looked up by the number of the series: names never become fields or expressions. */
export function dataOf({ rows, labels }: Pick<TimePlan, 'rows' | 'labels'>): object {
  const values = labels.map((label, s) => ({ s, label }));
  return {
    data: { values: rows },
    transform: [{ lookup: 's', from: { data: { values }, key: 's', fields: ['label'] } }],
  };
}

/** The time axis. Dates are UTC everywhere, whatever the zone of the viewer. */
export const TIME_AXIS = {
  field: 't',
  type: 'temporal',
  scale: { type: 'utc' },
  axis: { title: null, tickCount: 8 },
} as const;

const MIN_DAYS_OF_YEARS = 360;
const MAX_YEAR_TICKS = 12;

/** The time axis of these lines: annual values have no ticks within years. */
export function timeAxis(lines: readonly LineData[]): object {
  if (lines.some(({ periodDays }) => periodDays < MIN_DAYS_OF_YEARS)) return TIME_AXIS;
  const { from, to } = timeSpan(lines);
  const years = (to - from) / (365.25 * DAY_MS);
  const step = [1, 2, 5, 10, 20, 50].find((wide) => years / wide <= MAX_YEAR_TICKS) ?? 100;
  return { ...TIME_AXIS, axis: { title: null, format: '%Y', tickCount: { interval: 'year', step } } };
}
