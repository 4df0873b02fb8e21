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

/**
 * The points, with the labels looked up by the number of the series: names never become fields or expressions.
 * @param names the whole labels, where the labels are drawn otherwise
 */
export function dataOf({
  rows,
  labels,
  names,
}: Pick<TimePlan, 'rows' | 'labels'> & { names?: readonly string[] | undefined }): object {
  const values = labels.map((label, s) => ({ s, label, ...(names && { name: names[s] }) }));
  return {
    // Vega would make a date of each time.
    data: { values: rows, format: { parse: { t: null } } },
    transform: [{ lookup: 's', from: { data: { values }, key: 's', fields: ['label'] } }],
  };
}

/**
 * What an axis of time writes. Vega names a month without its year, and a day without its month: below the first of them is
 * what it leaves out.
 */
export const TIME_LABEL =
  "datum.index > 0 || utcFormat(datum.value, '%m-%d') === '01-01' ? datum.label : " +
  "[datum.label, utcFormat(datum.value, utcdate(datum.value) === 1 || utcday(datum.value) === 0 ? '%Y' : '%B %Y')]";

/** The time axis. Dates are UTC everywhere, whatever the zone of the viewer. */
export const TIME_AXIS = {
  field: 't',
  type: 'temporal',
  scale: { type: 'utc' },
  axis: { title: null, tickCount: 8, labelExpr: TIME_LABEL },
} as const;

/** Below this, Vega would put hours between the days. */
const MAX_DAYS_OF_HOURS = 8;

const MIN_DAYS_OF_YEARS = 360;
const MAX_YEAR_TICKS = 12;

/** The time axis of these lines: annual values have no ticks within years, and no values have any within days. */
export function timeAxis(lines: readonly LineData[]): object {
  const { from, to } = timeSpan(lines);
  if (to - from <= MAX_DAYS_OF_HOURS * DAY_MS)
    return { ...TIME_AXIS, axis: { ...TIME_AXIS.axis, tickCount: { interval: 'day', step: 1 } } };
  if (lines.some(({ periodDays }) => periodDays < MIN_DAYS_OF_YEARS)) return TIME_AXIS;
  const years = (to - from) / (365.25 * DAY_MS);
  const step = [1, 2, 5, 10, 20, 50].find((wide) => years / wide <= MAX_YEAR_TICKS) ?? 100;
  return { ...TIME_AXIS, axis: { title: null, format: '%Y', tickCount: { interval: 'year', step } } };
}

/** The scale of values: around them, and where all are equal around that one, which Vega would write as 5.000000. */
export function valueScale(values: Iterable<number | null>): object {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low !== high) return { zero: false };
  const margin = Math.abs(low) / 10 || 1;
  return { zero: false, domain: [low - margin, low + margin] };
}

/** Which rows need more than a line: Vega tries each row for what a mark or a filter says of it. */
export function rowKinds(rows: readonly LineRow[]): { hasLone: boolean; hasBreaks: boolean } {
  return { hasLone: rows.some(({ p }) => p === 1), hasBreaks: rows.some(({ v }) => v === null) };
}

/** Labels that are all different, so that equal ones are not drawn as one line. */
export function distinctLabels(labels: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return labels.map((label) => {
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}

/** What an x of the months of a year has beside its field. */
export const MONTHS = {
  type: 'temporal',
  scale: { type: 'utc', nice: false },
  axis: {
    title: null,
    format: '%b',
    tickCount: { interval: 'month', step: 1 },
    labelOverlap: true,
    labelSeparation: 6,
  },
} as const;

/**
 * A style of lines by their number `s`. A scale that is not said to be ordinal spaces its range evenly: from the first
 * width to the last.
 */
export function byLine(range: readonly unknown[]): object {
  return {
    field: 's',
    type: 'ordinal',
    scale: { type: 'ordinal', domain: [...range.keys()], range },
    legend: null,
  };
}
