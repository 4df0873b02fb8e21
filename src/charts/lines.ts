import { dateParts } from '../model/calendar.js';
import type { How } from '../model/chart-choices.js';
import type { Frequency } from '../model/entity.js';
import { badArgument } from '../model/errors.js';
import { FREQUENCIES, periodDays } from '../model/frequency.js';
import { periodStart } from '../model/period-grid.js';
import { DAY_MS, utcDay } from '../model/time.js';

/** The values of periods, by ascending date. */
export interface PeriodValues {
  /** First day of each period, UTC milliseconds. */
  readonly start: Float64Array;
  /** Last day of each period, included. */
  readonly end: Float64Array;
  /** The value of each period; NaN where there is none. */
  readonly value: Float64Array;
  /** Abbreviation of the unit of all values; empty without one. */
  readonly unit: string;
}

/** A series to draw, with the names of its metric, item and region. */
export interface Line extends PeriodValues {
  /** The text that tells it from the other lines. */
  readonly label: string;
  /** The label with the words that all labels end with, by which it is found too. */
  readonly fullLabel?: string | undefined;
  readonly metric: string;
  readonly item: string;
  readonly region: string;
  /** How finer values became those of its periods; null or absent for the values of the source. */
  readonly how?: How | null | undefined;
  /** Days of a period of its frequency. */
  readonly periodDays: number;
  /** Whether its days are those on which markets trade, so that weekends and holidays are no gaps. */
  readonly isOfTradingDays?: boolean | undefined;
  /** The series of which the values are, at any frequency: each has one colour. */
  readonly place?: string | undefined;
}

/** Returns the points of a line that have a value. */
export function withValues<Values extends PeriodValues>(line: Values): Values {
  if (!line.value.some(Number.isNaN)) return line;
  const hasValue = (_: number, row: number) => !Number.isNaN(line.value[row]);
  const { start, end, value } = line;
  return { ...line, start: start.filter(hasValue), end: end.filter(hasValue), value: value.filter(hasValue) };
}

/**
 * Returns a line of which no frequency is known: it has the one that the spacing of most dates comes nearest to.
 * @param start the first days, or null if a period begins one period length before its end
 */
export function lineOf(
  { start, end, value }: Record<'end' | 'value', Float64Array> & { start: Float64Array | null },
  texts: Pick<Line, 'label' | 'metric' | 'unit'>,
): Line {
  const frequency = nearestFrequency(end);
  return {
    ...texts,
    item: '',
    region: '',
    start: start ?? end.map((ms) => periodStart(frequency, ms)),
    end,
    value,
    periodDays: periodDays(frequency),
    isOfTradingDays: isOfTradingDays({ start: start ?? end, value }),
  };
}

/** Returns the frequency that the spacing of most dates comes nearest to. */
export function nearestFrequency(dates: Float64Array): Frequency {
  const steps = dates.slice(1).map((date, i) => (date - dates[i]!) / DAY_MS);
  const median = steps.sort()[steps.length >> 1] ?? 1;
  const distance = (frequency: Frequency) => Math.abs(Math.log(periodDays(frequency) / median));
  return [...FREQUENCIES].sort((a, b) => distance(a) - distance(b))[0]!;
}

/** More points than this take long to draw. */
const MAX_POINTS = 20_000;

/** Points of a line in a column of pixels, of which not all are drawn: they would be over one another. */
const DENSE = 8;

/** The points of a line to draw; NaN breaks it. Times are UTC milliseconds. */
export interface DrawnLine {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Whether a value holds from the start to the end of its period: other lines are finer. */
  readonly isStepped: boolean;
}

/**
 * Returns the points to draw, a note where some are left out, and the first and the last day of all. Where points are
 * too many, or many in a column of pixels, each column keeps its extremes.
 * @param width pixels of a panel
 * @param maxPoints points that are too many
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

/** The usual range uses at most so many years. */
export const USUAL_YEARS = 10;
const MAX_YEAR_MS = 370 * DAY_MS;

/** Returns the values of the years before the latest, up to ten without a gap; none of periods that are not years. */
export function yearsBefore({ start, end, value }: Omit<PeriodValues, 'unit'>): Float64Array {
  const last = value.length - 1;
  if (last < 0 || end[last]! - start[last]! > MAX_YEAR_MS) return new Float64Array();
  let from = last;
  while (from > 0 && last - from < USUAL_YEARS && start[from]! - start[from - 1]! <= MAX_YEAR_MS) from--;
  return value.slice(from, last);
}

/** Returns the moment at which the value of a period is drawn: the middle of the period. */
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
 * Returns the rows to draw so that every pixel column shows its first, lowest, highest and last value, and every gap: a
 * line through them covers the same pixels as a line through all rows (M4; Jugel et al., VLDB 2014).
 * @param columns the number of pixel columns between `from` and `to`, UTC milliseconds
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
    const kept = new Set([first, ...[low, high].sort((a, b) => a - b), next - 1]);
    rows.push(...kept);
  }
  return Uint32Array.from(rows);
}

/** A missing period is longer than this share of the period's mean length. */
const MAX_STEP = 1.6;

/** Markets close for at most this long, as from the Thursday before Easter to the Tuesday after. */
const MAX_CLOSED_DAYS = 5;

/** Fewer days may miss weekends by chance. */
const MIN_TRADING_DAYS = 10;

/** Returns a test whether periods are missing between a row and the one before it. */
function gapTest({ start, end, periodDays, isOfTradingDays }: Line): (row: number) => boolean {
  const maxDays = periodDays === 1 && isOfTradingDays === true ? MAX_CLOSED_DAYS : MAX_STEP * periodDays;
  return (row) => {
    const isNext = start[row]! <= end[row - 1]! + DAY_MS;
    return !isNext && start[row]! - start[row - 1]! > maxDays * DAY_MS;
  };
}

/** Checks whether no value is of a Saturday or a Sunday. */
export function isOfTradingDays({ start, value }: Pick<PeriodValues, 'start' | 'value'>): boolean {
  const days = start.filter((_, row) => !Number.isNaN(value[row]));
  return days.length >= MIN_TRADING_DAYS && days.every((ms) => ![0, 6].includes(new Date(ms).getUTCDay()));
}

/** The leap year whose calendar all years share. */
const REFERENCE_YEAR = 2000;
const REFERENCE_DAYS = 366;

/**
 * Returns a moment on a calendar that all years share, UTC milliseconds: 1 June is at the same place in every year.
 * `year` is there the year 2000.
 */
export function sharedMoment(ms: number, year: number): number {
  const { year: own, month, day } = dateParts(ms);
  const time = ms - utcDay(own, month, day);
  return utcDay(REFERENCE_YEAR, month, day) + (own - year) * REFERENCE_DAYS * DAY_MS + time;
}

/** Returns the least and the greatest value; where all are equal, a margin around them. */
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

/** Returns the first and the last moment of lines; some days around a single one. */
export function momentsOf(
  lines: readonly { readonly x: Float64Array }[],
  days = 1,
): readonly [number, number] {
  return spanOf(
    lines.map(({ x }) => x),
    () => days * DAY_MS,
  );
}

/** Checks whether the periods of a line are years, or longer. */
export function isAnnual({ periodDays }: Pick<Line, 'periodDays'>): boolean {
  return periodDays >= MIN_ANNUAL_DAYS;
}

const MIN_ANNUAL_DAYS = 360;

/** Labels that are all different, so that equal ones are not drawn as one line. */
export function distinctLabels(labels: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return labels.map((label) => {
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}

/**
 * Returns the number of the label that is highlighted, or of its full form, or null if none is.
 * @throws ArgumentError when nothing has the label
 */
export function highlightedOf(
  wanted: string | undefined,
  labels: readonly string[],
  fullLabels: readonly (string | undefined)[] = [],
): number | null {
  if (wanted === undefined) return null;
  const at = [...labels, ...fullLabels].indexOf(wanted);
  if (at >= 0) return at % labels.length;
  throw badArgument('highlight', `nothing is labelled "${wanted}"`, {
    remedy: `choose one of ${labels.slice(0, 10).join(', ')}`,
  });
}

/** Returns the texts that say something, in one line. */
export function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join(' · ');
}
