import { epochWords, setEpoch } from '../../columns/series-dates.js';
import { DAY_MS } from '../../model/time.js';
import { type DateAxis, type DateSpan, firstDate, longestSpan } from './date-span.js';

/** The longest grid; longer spans of time, and dates off the grid, are merged as a sorted list. */
const MAX_GRID_DAYS = 4_000_000;

/** A grid of days. */
interface DayGrid {
  /** The first day, UTC milliseconds. */
  origin: number;
  days: number;
  /** The spans of regular days, as days after the origin. It does not keep them alive. */
  regular: WeakMap<DateSpan, RegularDays>;
}

/** Every `step`th day from a first one on; `count` of them. They are found once: to look at each date takes the most time. */
interface RegularDays {
  first: number;
  step: number;
  count: number;
}

/** The dates of a span as days after an origin. */
type SpanDays = RegularDays | Int32Array;

/** The grid of days that contains every date of the spans, or null when there is none. */
export function dayGrid(spans: readonly DateSpan[]): DayGrid | null {
  if (spans.length === 0) return null;
  const anchor = firstDate(spans[0]!);
  const scratch = new Int32Array(longestSpan(spans));
  const regular = new Map<DateSpan, RegularDays>();
  let [min, max] = [0, 0];
  for (const span of spans) {
    const days = daysOf(span, anchor, scratch);
    if (days === null) return null;
    if (!(days instanceof Int32Array)) regular.set(span, days);
    const [low, high] = rangeOf(days);
    min = Math.min(min, low);
    max = Math.max(max, high);
  }
  const days = max - min + 1;
  if (days > MAX_GRID_DAYS) return null;
  for (const span of regular.values()) span.first -= min;
  return { origin: anchor + min * DAY_MS, days, regular: new WeakMap(regular) };
}

/** The days of a span, those of a column in `scratch`; null where one is no whole number of days, or too many. */
function daysOf(span: DateSpan, origin: number, scratch: Int32Array): SpanDays | null {
  const { ends, from, to } = span;
  const count = to - from;
  const first = (firstDate(span) - origin) / DAY_MS;
  if (!Number.isInteger(first)) return null;
  if (ends instanceof Float64Array) {
    const dates = ends.subarray(from, to);
    if (isUnbroken(dates)) return { first, step: 1, count };
    return readDays(dates, origin, scratch.subarray(0, count));
  }
  const step = ends.stepMs / DAY_MS;
  return Number.isInteger(step) ? { first, step, count } : null;
}

/** Whether dates are every day from the first to the last. */
function isUnbroken(dates: Float64Array): boolean {
  for (let i = 1; i < dates.length; i++) if (dates[i]! - dates[i - 1]! !== DAY_MS) return false;
  return true;
}

function readDays(dates: Float64Array, origin: number, days: Int32Array): Int32Array | null {
  for (let i = 0; i < days.length; i++) {
    const day = (dates[i]! - origin) / DAY_MS;
    if (day !== (day | 0)) return null;
    days[i] = day;
  }
  return days;
}

function rangeOf(days: SpanDays): [number, number] {
  if (!(days instanceof Int32Array)) {
    const last = lastOf(days);
    return [Math.min(days.first, last), Math.max(days.first, last)];
  }
  let [min, max] = [days[0]!, days[0]!];
  for (const day of days) {
    if (day < min) min = day;
    else if (day > max) max = day;
  }
  return [min, max];
}

function lastOf({ first, step, count }: RegularDays): number {
  return first + (count - 1) * step;
}

/** The axis of a grid of days. */
export function gridAxis(spans: readonly DateSpan[], { origin, days, regular }: DayGrid): DateAxis {
  const daysIn = (span: DateSpan, scratch: Int32Array) => regular.get(span) ?? daysOf(span, origin, scratch)!;
  const present = new Uint8Array(days);
  const scratch = new Int32Array(longestSpan(spans));
  for (const span of spans) markDays(present, daysIn(span, scratch));
  const rowOfDay = new Int32Array(days);
  let length = 0;
  present.forEach((isPresent, day) => {
    if (isPresent === 1) rowOfDay[day] = length++;
  });
  const dates = new BigInt64Array(length);
  const words = epochWords(dates);
  present.forEach((isPresent, day) => {
    if (isPresent === 1) setEpoch(words, rowOfDay[day]!, origin + day * DAY_MS);
  });
  const locate = (span: DateSpan, rows: Int32Array) => locateDays(daysIn(span, rows), rowOfDay, rows);
  return { length, dates, locate };
}

/** Sets the byte of each day to 1. */
function markDays(present: Uint8Array, days: SpanDays): void {
  if (days instanceof Int32Array) for (const day of days) present[day] = 1;
  else if (days.step === 1) present.fill(1, days.first, days.first + days.count);
  else for (let i = 0; i < days.count; i++) present[days.first + i * days.step] = 1;
}

/** See `DateAxis.locate`; `days` may lie in the memory of `rows`. */
function locateDays(days: SpanDays, rowOfDay: Int32Array, rows: Int32Array): number {
  if (days instanceof Int32Array) {
    for (let i = 0; i < days.length; i++) rows[i] = rowOfDay[days[i]!]!;
    return firstOfRun(days);
  }
  const first = rowOfDay[days.first]!;
  if (rowOfDay[lastOf(days)]! - first === days.count - 1) return first;
  for (let i = 0; i < days.count; i++) rows[i] = rowOfDay[days.first + i * days.step]!;
  return -1;
}

/** The first of rows that follow one another, otherwise −1. */
function firstOfRun(rows: Int32Array): number {
  for (let i = 1; i < rows.length; i++) if (rows[i] !== rows[i - 1]! + 1) return -1;
  return rows[0]!;
}
