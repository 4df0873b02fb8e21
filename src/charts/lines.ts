import { shiftDate } from '../model/calendar.js';
import type { Frequency } from '../model/entity.js';
import { FREQUENCIES, periodDays } from '../model/frequency.js';
import { DAY_MS } from '../model/time.js';

/** A point of a specification: the number of its series, its time in UTC milliseconds, and its value. */
export interface LineRow {
  readonly s: number;
  readonly t: number;
  /** Null breaks the line. */
  readonly v: number | null;
  /** 1 where the point has no neighbour, so that a line does not show it. */
  readonly p?: 1 | undefined;
}

/** More points than this take seconds to draw. */
const MAX_POINTS = 20_000;

/** The points of some lines. */
interface LineRows {
  readonly rows: readonly LineRow[];
  /** Points that are drawn, and points that the lines have. */
  readonly drawn: number;
  readonly total: number;
}

/**
 * The points to draw; where they are too many, each pixel column keeps its extremes.
 * @param width pixels of a panel
 * @param isStepped whether a value holds from the start to the end of its period
 * @param maxPoints points that are too many
 */
export function lineRows(
  lines: readonly LineData[],
  {
    width,
    isStepped,
    maxPoints = MAX_POINTS,
  }: { width: number; isStepped: (line: LineData) => boolean; maxPoints?: number | undefined },
): LineRows {
  const total = lines.reduce((sum, { value }) => sum + value.length, 0);
  const span = timeSpan(lines);
  const columns = Math.max(1, Math.floor(Math.min(width, maxPoints / (4 * lines.length))));
  const rows: LineRow[] = [];
  let drawn = 0;
  lines.forEach((line, s) => {
    const kept =
      total <= maxPoints ? Uint32Array.from(line.value.keys()) : thinRows(line, { ...span, columns });
    drawn += kept.length;
    pushRows(rows, line, { s, kept, stepped: isStepped(line) });
  });
  return { rows, drawn, total };
}

/** From the first start to the last end. */
export function timeSpan(lines: readonly LineData[]): { from: number; to: number } {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { start, end } of lines) {
    if (start.length === 0) continue;
    from = Math.min(from, start[0]!);
    to = Math.max(to, end[end.length - 1]!);
  }
  return { from, to };
}

/** The first and the last moment of points, which are the ends of an axis of time. */
export function timesOf(rows: readonly LineRow[]): readonly [number, number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { t } of rows) {
    first = Math.min(first, t);
    last = Math.max(last, t);
  }
  return [first, last];
}

function pushRows(
  rows: LineRow[],
  line: LineData,
  { s, kept, stepped }: { s: number; kept: Uint32Array; stepped: boolean },
): void {
  const { start, end, value } = line;
  kept.forEach((row, at) => {
    const begins = at === 0 || isAfterGap(line, row);
    const ends = at === kept.length - 1 || isAfterGap(line, kept[at + 1]!);
    const point = { s, t: start[row]!, v: value[row]! };
    rows.push(begins && ends && !stepped ? { ...point, p: 1 } : point);
    if (!ends) return;
    if (stepped) rows.push({ s, t: end[row]!, v: value[row]! });
    if (at < kept.length - 1) rows.push({ s, t: end[row]!, v: null });
  });
}

/**
 * The rows to draw so that every pixel column shows its first, lowest, highest and last value, and every gap: a line
 * through them covers the same pixels as a line through all rows (M4; Jugel et al., VLDB 2014).
 * @param columns the number of pixel columns between `from` and `to`, UTC milliseconds
 */
export function thinRows(
  line: LineData,
  { from, to, columns }: { from: number; to: number; columns: number },
): Uint32Array {
  const { start, value } = line;
  const rows: number[] = [];
  const width = Math.max(1, to - from) / columns;
  const columnOf = (row: number) => Math.floor((start[row]! - from) / width);
  for (let first = 0, next = 0; first < value.length; first = next) {
    const column = columnOf(first);
    let [low, high] = [first, first];
    for (next = first; next < value.length && columnOf(next) === column; next++) {
      if (next > first && isAfterGap(line, next)) break;
      if (value[next]! < value[low]!) low = next;
      if (value[next]! > value[high]!) high = next;
    }
    const kept = new Set([first, ...[low, high].sort((a, b) => a - b), next - 1]);
    rows.push(...kept);
  }
  return Uint32Array.from(rows);
}

/** A series to draw over time. Rows are ascending by date and all have a value. */
export interface LineData {
  readonly label: string;
  /** The label with the words that all labels end with, by which it is found too. */
  readonly fullLabel?: string | undefined;
  /** Unit of the values, for the axis. */
  readonly unit: string;
  /** Name of what is measured, for the axis. */
  readonly measure: string;
  /** First date of each period, UTC milliseconds. */
  readonly start: Float64Array;
  /** First moment after each period, UTC milliseconds. */
  readonly end: Float64Array;
  readonly value: Float64Array;
  /** Days of a period of its frequency. */
  readonly periodDays: number;
}

/** A missing period is longer than this share of the period's mean length. */
const MAX_STEP = 1.6;

/** Whether periods are missing between a row and the one before it. */
function isAfterGap({ start, periodDays }: LineData, row: number): boolean {
  return start[row]! - start[row - 1]! > MAX_STEP * periodDays * DAY_MS;
}

/** The dates and values of a series; dates are UTC milliseconds at midnight, both included in their period. */
interface DatedValues {
  /** Null where only the ends are known: a period then begins one period length before its end. */
  readonly start_date: BigInt64Array | null;
  readonly end_date: BigInt64Array;
  /** NaN where there is no value. */
  readonly value: Float64Array;
  /** By default the frequency that the spacing of most dates comes nearest to. */
  readonly frequency?: Frequency | undefined;
}

/** The rows of a series that have a value. */
export function lineData(
  { start_date, end_date, value, frequency }: DatedValues,
  texts: Pick<LineData, 'label' | 'fullLabel' | 'unit' | 'measure'>,
): LineData {
  const rows = [...value.keys()].filter((row) => !Number.isNaN(value[row]!));
  const ends = Float64Array.from(rows, (row) => Number(end_date[row]));
  const known = frequency ?? nearestFrequency(Float64Array.from(end_date, Number));
  const startOf = (row: number, at: number) =>
    start_date === null ? shiftDate(ends[at]! + DAY_MS, known.periodLength, -1) : Number(start_date[row]);
  return {
    ...texts,
    start: Float64Array.from(rows, startOf),
    end: ends.map((end) => end + DAY_MS),
    value: Float64Array.from(rows, (row) => value[row]!),
    periodDays: periodDays(known),
  };
}

function nearestFrequency(dates: Float64Array): Frequency {
  const steps = dates.slice(1).map((date, i) => (date - dates[i]!) / DAY_MS);
  const median = steps.sort()[steps.length >> 1] ?? 1;
  const distance = (frequency: Frequency) => Math.abs(Math.log(periodDays(frequency) / median));
  return FREQUENCIES.reduce<Frequency>(
    (nearest, frequency) => (distance(frequency) < distance(nearest) ? frequency : nearest),
    FREQUENCIES[0],
  );
}

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
const TIME_LABEL =
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
