import { dateParts } from '../model/calendar.js';
import type { How } from '../model/chart-choices.js';
import type { Frequency } from '../model/entity.js';
import { FREQUENCIES, periodDays } from '../model/frequency.js';
import { periodStart } from '../model/period-grid.js';
import { DAY_MS, utcDay } from '../model/time.js';

/** Periods and their values, in date order. */
export interface PeriodValues {
  /** The first day of each period as UTC milliseconds. */
  readonly start: Float64Array;
  /** The last day of each period (inclusive) as UTC milliseconds. */
  readonly end: Float64Array;
  /** The value of each period, or NaN if it is missing. */
  readonly value: Float64Array;
  /** The abbreviation of the values' unit, or an empty string if there is none. */
  readonly unit: string;
  /** The values that determine the number format (see `digitsOf`); by default, `value`. */
  readonly figures?: Float64Array | readonly number[] | undefined;
}

export const figuresOf = ({ figures, value }: Pick<PeriodValues, 'figures' | 'value'>) => figures ?? value;

/** Settings for `figures`: `WHOLE` formats values without decimal places, and `TENTHS` with one. */
export const [WHOLE, TENTHS] = [[1], [0.1]];

/** A series to draw, with the names of its metric, item and region. */
export interface Line extends PeriodValues {
  /** The label that distinguishes the line from the others. */
  readonly label: string;
  readonly metric: string;
  /** The metric's name together with how its values are derived; by default, `metric`. */
  readonly derived?: string;
  readonly item: string;
  readonly region: string;
  /** How the source's values were aggregated to longer periods; null or absent if they were not aggregated. */
  readonly how?: How | null | undefined;
  readonly periodDays: number;
  /** Whether the dates are trading days, so that weekends and holidays do not count as gaps. */
  readonly isOfTradingDays?: boolean | undefined;
  /** The series key with the frequency set to 0, so that lines that differ only in frequency share a colour. */
  readonly place?: string | undefined;
}

export function withValues<Values extends PeriodValues>(line: Values): Values {
  if (!line.value.some(Number.isNaN)) return line;
  const hasValue = (_: number, row: number) => !Number.isNaN(line.value[row]);
  const { start, end, value } = line;
  return { ...line, start: start.filter(hasValue), end: end.filter(hasValue), value: value.filter(hasValue) };
}

/**
 * Creates a line.
 * @param start the first day of each period, or null to compute it from the end date and the frequency
 * @param frequency the data frequency; by default, it is inferred from the median spacing of the dates
 */
export function lineOf(
  { start, end, value }: Record<'end' | 'value', Float64Array> & { start: Float64Array | null },
  texts: Pick<Line, 'label' | 'metric' | 'unit'> & Partial<Pick<Line, 'item' | 'region'>>,
  frequency = nearestFrequency(end),
): Line {
  return {
    item: '',
    region: '',
    ...texts,
    start: start ?? end.map((ms) => periodStart(frequency, ms)),
    end,
    value,
    periodDays: periodDays(frequency),
    isOfTradingDays: isOfTradingDays({ start: start ?? end, value }),
  };
}

function nearestFrequency(dates: Float64Array): Frequency {
  const steps = dates.slice(1).map((date, i) => (date - dates[i]!) / DAY_MS);
  const median = steps.sort()[steps.length >> 1] ?? 1;
  const distance = (frequency: Frequency) => Math.abs(Math.log(periodDays(frequency) / median));
  return [...FREQUENCIES].sort((a, b) => distance(a) - distance(b))[0]!;
}

/** The default number of points above which lines are thinned, because drawing more points is slow. */
const MAX_POINTS = 20_000;
/** Lines with more points per pixel column than this are thinned, because the points would overlap. */
const DENSE = 8;

/** The points to draw for a line. `x` is in UTC milliseconds, and a NaN in `y` breaks the line. */
export interface DrawnLine {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Whether each value is drawn as a step that spans its period, because another line has shorter periods. */
  readonly isStepped: boolean;
}

/**
 * Returns the points to draw, a note if lines are thinned, and the earliest and latest day of all lines. If there are
 * too many points in total or per pixel column, each column keeps only its first, last, lowest and highest points.
 * @param width the width of a panel in pixels
 * @param maxPoints the total number of points above which all lines are thinned
 */
export function drawnLines(
  lines: readonly Line[],
  { width, maxPoints = MAX_POINTS }: { width: number; maxPoints?: number | undefined },
): { readonly drawn: readonly DrawnLine[]; readonly note: string; readonly span: readonly [number, number] } {
  const total = lines.reduce((sum, { value }) => sum + value.length, 0);
  const dates = lines.flatMap(({ start, end }) => [start, end]);
  const [from, to] = spanOf(dates, () => 0);
  const columns = Math.max(1, Math.floor(Math.min(width, maxPoints / (4 * lines.length))));
  const finest = Math.min(...lines.map((line) => line.periodDays));
  let count = 0;
  const drawn = lines.map((line) => {
    const isDense = total > maxPoints || line.value.length > DENSE * columns;
    const rows = isDense
      ? thinRows(line, { from, to: to + DAY_MS, columns })
      : Uint32Array.from(line.value.keys());
    count += rows.length;
    return drawnLine(line, rows, line.periodDays > 1.5 * finest);
  });
  const text = (points: number) => points.toLocaleString('en-US');
  const note = count === total ? '' : `thinned: ${text(count)} of ${text(total)} points, extremes kept`;
  return { drawn, note, span: [from, to] };
}

/** The maximum number of years from which the usual range is computed. */
export const USUAL_YEARS = 10;
const MAX_YEAR_MS = 370 * DAY_MS;

/** Returns up to ten annual values before the latest, without gaps; none if the latest period is longer than a year. */
export function yearsBefore({ start, end, value }: Omit<PeriodValues, 'unit'>): Float64Array {
  const last = value.length - 1;
  if (last < 0 || end[last]! - start[last]! > MAX_YEAR_MS) return new Float64Array();
  let from = last;
  while (from > 0 && last - from < USUAL_YEARS && start[from]! - start[from - 1]! <= MAX_YEAR_MS) from--;
  return value.slice(from, last);
}

/** Returns the moment at which a period's value is drawn: the middle of the period. */
export function momentOf({ start, end }: Pick<PeriodValues, 'start' | 'end'>, row: number): number {
  return (start[row]! + end[row]!) / 2;
}

function drawnLine(line: Line, rows: Uint32Array, isStepped: boolean): DrawnLine {
  const { start, end, value } = line;
  const isAfterGap = gapTest(line);
  const [x, y]: [number[], number[]] = [[], []];
  const add = (ms: number, one: number) => {
    x.push(ms);
    y.push(one);
  };
  rows.forEach((row, at) => {
    const isLast = at === rows.length - 1;
    add(isStepped ? start[row]! : momentOf(line, row), value[row]!);
    if (!isLast && !isAfterGap(rows[at + 1]!)) return;
    if (isStepped) add(end[row]! + DAY_MS, value[row]!);
    if (!isLast) add(end[row]! + DAY_MS, Number.NaN);
  });
  return { x: Float64Array.from(x), y: Float64Array.from(y), isStepped };
}

/**
 * Selects rows so that every pixel column keeps its first, lowest, highest and last values and all gaps. A line through
 * the selected rows covers the same pixels as a line through all rows (M4; Jugel et al., VLDB 2014).
 * @param columns the number of pixel columns between `from` and `to`, which are in UTC milliseconds
 */
export function thinRows(
  line: Line,
  { from, to, columns }: { from: number; to: number; columns: number },
): Uint32Array {
  const { start, value } = line;
  const isAfterGap = gapTest(line);
  const rows: number[] = [];
  const width = Math.max(1, to - from) / columns;
  const columnOf = (row: number) => Math.floor((start[row]! - from) / width);
  for (let first = 0, next = 0; first < value.length; first = next) {
    const column = columnOf(first);
    let [low, high] = [first, first];
    for (next = first; next < value.length && columnOf(next) === column; next++) {
      if (next > first && isAfterGap(next)) break;
      if (value[next]! < value[low]!) low = next;
      if (value[next]! > value[high]!) high = next;
    }
    rows.push(...new Set([first, ...[low, high].sort((a, b) => a - b), next - 1]));
  }
  return Uint32Array.from(rows);
}

/** Periods are considered missing if two consecutive periods start further apart than this multiple of their length. */
const MAX_STEP = 1.6;
/** The maximum number of days between trading days, as from the Thursday before Easter to the Tuesday after. */
const MAX_CLOSED_DAYS = 5;
/** The minimum number of values needed to detect trading days. Fewer values could miss all weekends by chance. */
const MIN_TRADING_DAYS = 10;

/** Returns a function that checks whether periods are missing immediately before a row. */
function gapTest({ start, end, periodDays, isOfTradingDays }: Line): (row: number) => boolean {
  const maxDays = periodDays === 1 && isOfTradingDays === true ? MAX_CLOSED_DAYS : MAX_STEP * periodDays;
  return (row) => {
    const isNext = start[row]! <= end[row - 1]! + DAY_MS;
    return !isNext && start[row]! - start[row - 1]! > maxDays * DAY_MS;
  };
}

/** Checks whether a series has values only on trading days, that is, never on a Saturday or Sunday. */
function isOfTradingDays({ start, value }: Pick<PeriodValues, 'start' | 'value'>): boolean {
  const days = start.filter((_, row) => !Number.isNaN(value[row]));
  return days.length >= MIN_TRADING_DAYS && days.every((ms) => ![0, 6].includes(new Date(ms).getUTCDay()));
}

/** The leap year onto which dates from all years are mapped so that they can be compared. */
const REFERENCE_YEAR = 2000;
const REFERENCE_DAYS = 366;

/** Maps a UTC moment onto a calendar of leap years, in which dates in `year` become 2000 and later years follow. */
export function toSharedCalendar(ms: number, year: number): number {
  const { year: own, month, day } = dateParts(ms);
  const time = ms - utcDay(own, month, day);
  return utcDay(REFERENCE_YEAR, month, day) + (own - year) * REFERENCE_DAYS * DAY_MS + time;
}

/** Returns the lowest and highest values, with a margin on both sides if all values are equal. */
export function spanOf(
  columns: Iterable<Float64Array>,
  marginOf = (value: number) => Math.abs(value) / 10 || 1,
): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const column of columns)
    for (const value of column) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  return low < high ? [low, high] : [low - marginOf(low), low + marginOf(low)];
}

/** Checks whether a line's periods are about a year or longer. */
export function isAnnual({ periodDays }: Pick<Line, 'periodDays'>): boolean {
  return periodDays >= 360;
}

/** Numbers repeated labels, because lines with equal labels would be drawn as one. */
export function distinctLabels(labels: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return labels.map((label) => {
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}

/** Joins the non-empty strings with middle dots. */
export function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join(' · ');
}

/** Formats several years as a range, such as `2012 to 2019`. */
export function yearsText(years: readonly number[]): string {
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return first === last ? String(first) : `${first} to ${last}`;
}
