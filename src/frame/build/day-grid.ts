import { epochAt, epochWords, setEpoch } from '../../columns/epoch-words.js';
import { DAY_MS } from '../../model/time.js';
import { type DateAxis, type DateSpan, firstDate, longestSpan, readDays } from './date-span.js';

/** The longest grid; longer spans of time, and dates off the grid, are merged as a sorted list. */
const MAX_GRID_DAYS = 4_000_000;

/** A grid of days; `regular` has the spans whose dates are the same number of days apart, and does not keep them alive. */
interface DayGrid {
  origin: number;
  days: number;
  regular: WeakMap<DateSpan, RegularDays>;
}

/** Every `step`th day from a first one on, as days after the origin; `count` of them. */
interface RegularDays {
  first: number;
  step: number;
  count: number;
}

/** The grid of days that contains every date of the spans, or null when there is none. */
export function dayGrid(spans: readonly DateSpan[]): DayGrid | null {
  const filled = spans.filter(({ from, to }) => from < to);
  const anchor = filled.length === 0 ? 0 : firstDate(filled[0]!);
  const scratch = new Int32Array(longestSpan(filled));
  const regular = new WeakMap<DateSpan, RegularDays>();
  const found: RegularDays[] = [];
  let [min, max] = [0, 0];
  for (const span of filled) {
    const days = regularDays(span, anchor);
    if (days !== null) {
      regular.set(span, days);
      found.push(days);
    } else if (!readDays(span, anchor, scratch)) return null;
    const [low, high] = days === null ? rangeOf(scratch, span.to - span.from) : regularRange(days);
    if (!(high - low < MAX_GRID_DAYS)) return null;
    min = Math.min(min, low);
    max = Math.max(max, high);
  }
  const days = max - min + 1;
  if (filled.length === 0) return { origin: 0, days: 0, regular };
  for (const one of found) one.first -= min;
  return days > MAX_GRID_DAYS ? null : { origin: anchor + min * DAY_MS, days, regular };
}

/** The days of a grid, and of a column whose rows are every day from the first to the last; null for any other span. */
function regularDays(span: DateSpan, origin: number): RegularDays | null {
  const { ends, from, to } = span;
  const isGrid = !(ends instanceof BigInt64Array || ends instanceof Int32Array);
  if (!isGrid && !isUnbroken(span)) return null;
  const first = (firstDate(span) - origin) / DAY_MS;
  const step = isGrid && to - from > 1 ? ends.stepMs / DAY_MS : 1;
  return Number.isInteger(first) && Number.isInteger(step) ? { first, step, count: to - from } : null;
}

function isUnbroken({ ends, from, to }: DateSpan): boolean {
  if (!(ends instanceof BigInt64Array)) return to - from === 1;
  const words = epochWords(ends);
  let expected = epochAt(words, from);
  for (let i = from; i < to; i++, expected += DAY_MS) if (epochAt(words, i) !== expected) return false;
  return true;
}

function regularRange({ first, step, count }: RegularDays): [number, number] {
  const last = first + (count - 1) * step;
  return step < 0 ? [last, first] : [first, last];
}

function rangeOf(days: Int32Array, count: number): [number, number] {
  let [min, max] = [days[0]!, days[0]!];
  for (let i = 1; i < count; i++) {
    if (days[i]! < min) min = days[i]!;
    if (days[i]! > max) max = days[i]!;
  }
  return [min, max];
}

/** The axis of a grid of days. */
export function gridAxis(spans: readonly DateSpan[], { origin, days, regular }: DayGrid): DateAxis {
  const present = markDays(spans, { origin, days, regular });
  const rowOfDay = new Int32Array(days);
  let length = 0;
  for (let day = 0; day < days; day++) if (present[day] === 1) rowOfDay[day] = length++;
  const dates = new BigInt64Array(length);
  const words = epochWords(dates);
  for (let day = 0; day < days; day++) {
    if (present[day] === 1) setEpoch(words, rowOfDay[day]!, origin + day * DAY_MS);
  }
  const locate = (span: DateSpan, rows: Int32Array) => {
    const count = span.to - span.from;
    const ofSpan = regular.get(span);
    if (ofSpan?.step === 1) return rowOfDay[ofSpan.first]!;
    readDays(span, origin, rows);
    let steps = 0;
    for (let i = 0; i < count; i++) {
      rows[i] = rowOfDay[rows[i]!]!;
      if (i > 0 && rows[i] === rows[i - 1]! + 1) steps++;
    }
    return count > 0 && steps === count - 1 ? rows[0]! : -1;
  };
  return { length, dates, locate };
}

/** One byte for each day of the grid, 1 where a span has a date. */
function markDays(spans: readonly DateSpan[], { origin, days, regular }: DayGrid): Uint8Array {
  const present = new Uint8Array(days);
  const scratch = new Int32Array(longestSpan(spans));
  for (const span of spans) {
    const ofSpan = regular.get(span);
    if (ofSpan?.step === 1) {
      present.fill(1, ofSpan.first, ofSpan.first + ofSpan.count);
      continue;
    }
    readDays(span, origin, scratch);
    for (let i = 0; i < span.to - span.from; i++) present[scratch[i]!] = 1;
  }
  return present;
}
