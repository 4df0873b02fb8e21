import { dateParts, shiftDate } from '../model/calendar.js';
import type { Frequency } from '../model/entity.js';
import { FREQUENCIES, periodDays } from '../model/frequency.js';
import { DAY_MS, utcDay } from '../model/time.js';

/** More points than this take long to draw. */
const MAX_POINTS = 20_000;

/** Points of a line in a column of pixels, of which not all are drawn: they would be over one another. */
const DENSE = 8;

/** The points of a line to draw; NaN breaks it. Times are UTC milliseconds. */
export interface DrawnLine {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** The points of some lines. */
interface DrawnLines {
  readonly drawn: readonly DrawnLine[];
  /** `thinned: 1 of 2 points`, where points are left out; else empty. */
  readonly note: string;
  /** The first and the last moment of all, which are the ends of an axis of time. */
  readonly times: readonly [number, number];
}

/**
 * The points to draw; where they are too many, or many in a column of pixels, each column keeps its extremes.
 * @param width pixels of a panel
 * @param isStepped whether a value holds from the start to the end of its period
 * @param maxPoints points that are too many
 */
export function drawnLines(
  lines: readonly LineData[],
  {
    width,
    isStepped,
    maxPoints = MAX_POINTS,
  }: { width: number; isStepped: (line: LineData) => boolean; maxPoints?: number | undefined },
): DrawnLines {
  const total = lines.reduce((sum, { value }) => sum + value.length, 0);
  const span = timeSpan(lines);
  const columns = Math.max(1, Math.floor(Math.min(width, maxPoints / (4 * lines.length))));
  let count = 0;
  const drawn = lines.map((line) => {
    const isDense = total > maxPoints || line.value.length > DENSE * columns;
    const rows = isDense ? thinRows(line, { ...span, columns }) : Uint32Array.from(line.value.keys());
    count += rows.length;
    return drawnLine(line, rows, isStepped(line));
  });
  const text = (points: number) => points.toLocaleString('en-US');
  const note = count === total ? '' : `thinned: ${text(count)} of ${text(total)} points, extremes kept`;
  return { drawn, note, times: timesOf(drawn) };
}

/** The usual range uses at most so many years. */
export const USUAL_YEARS = 10;
const MAX_YEAR_MS = 370 * DAY_MS;

/** The values of the years before the latest, up to ten without a gap; none of periods that are not years. */
export function yearsBefore({ start, end, value }: Pick<LineData, 'start' | 'end' | 'value'>): Float64Array {
  const last = value.length - 1;
  if (last < 0 || end[last]! - start[last]! > MAX_YEAR_MS) return new Float64Array();
  let from = last;
  while (from > 0 && last - from < USUAL_YEARS && start[from]! - start[from - 1]! <= MAX_YEAR_MS) from--;
  return value.slice(from, last);
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

/** The first and the last moment of lines; a day around a single one. */
export function timesOf(lines: readonly DrawnLine[]): readonly [number, number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { x } of lines) {
    if (x.length === 0) continue;
    first = Math.min(first, x[0]!);
    last = Math.max(last, x[x.length - 1]!);
  }
  return first < last ? [first, last] : [first - DAY_MS, first + DAY_MS];
}

function drawnLine(line: LineData, rows: Uint32Array, isStepped: boolean): DrawnLine {
  const { start, end, value } = line;
  const [x, y]: [number[], number[]] = [[], []];
  rows.forEach((row, at) => {
    const ends = at === rows.length - 1 || isAfterGap(line, rows[at + 1]!);
    x.push(start[row]!);
    y.push(value[row]!);
    if (!ends) return;
    if (isStepped) {
      x.push(end[row]!);
      y.push(value[row]!);
    }
    if (at < rows.length - 1) {
      x.push(end[row]!);
      y.push(Number.NaN);
    }
  });
  return { x: Float64Array.from(x), y: Float64Array.from(y) };
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
  /** Name of the metric, for the axis. */
  readonly measure: string;
  /** First date of each period, UTC milliseconds. */
  readonly start: Float64Array;
  /** First moment after each period, UTC milliseconds. */
  readonly end: Float64Array;
  readonly value: Float64Array;
  /** Days of a period of its frequency. */
  readonly periodDays: number;
  /** The place of which the values are: where lines are of several places, each place has a colour. */
  readonly place?: number | undefined;
}

/** The leap year whose calendar all years share. */
export const REFERENCE_YEAR = 2000;
const REFERENCE_DAYS = 366;

/** A moment on a calendar that all years share, UTC milliseconds: 1 June is at the same place in every year. `year` is there the year 2000. */
export function sharedMoment(ms: number, year: number): number {
  const { year: own, month, day } = dateParts(ms);
  const time = ms - utcDay(own, month, day);
  return utcDay(REFERENCE_YEAR, month, day) + (own - year) * REFERENCE_DAYS * DAY_MS + time;
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
  readonly start_date: Float64Array | null;
  readonly end_date: Float64Array;
  /** NaN where there is no value. */
  readonly value: Float64Array;
  /** By default the frequency that the spacing of most dates comes nearest to. */
  readonly frequency?: Frequency | undefined;
}

/** The rows of a series that have a value. */
export function lineData(
  { start_date, end_date, value, frequency }: DatedValues,
  texts: Pick<LineData, 'label' | 'fullLabel' | 'unit' | 'measure' | 'place'>,
): LineData {
  const hasGaps = value.some(Number.isNaN);
  const withValue = (column: Float64Array) =>
    hasGaps ? column.filter((_, row) => !Number.isNaN(value[row])) : column;
  const known = frequency ?? nearestFrequency(end_date);
  const end = withValue(end_date).map((ms) => ms + DAY_MS);
  return {
    ...texts,
    start: start_date ? withValue(start_date) : end.map((ms) => shiftDate(ms, known.periodLength, -1)),
    end,
    value: withValue(value),
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

/** The least and the greatest value, and where all are equal a margin around them. */
export function valueSpan(columns: Iterable<Float64Array>): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const column of columns)
    for (const value of column) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  if (low < high) return [low, high];
  const margin = Math.abs(low) / 10 || 1;
  return [low - margin, low + margin];
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

/** Texts that say something, in one line. */
export function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join(' · ');
}
