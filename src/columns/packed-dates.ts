import { DAY_MS } from '../model/time.js';
import { epochAt, epochWords, setEpoch } from './epoch-words.js';

/** Ascending dates, neighbours a whole number of days apart and no more than 255. */
export interface PackedDates {
  readonly firstMs: number;
  /** Days from each date to the next. */
  readonly steps: Uint8Array;
}

/** The dates in a byte each; null where they are not such dates. */
export function packDates(dates: BigInt64Array): PackedDates | null {
  const words = epochWords(dates);
  const steps = new Uint8Array(Math.max(0, dates.length - 1));
  const firstMs = epochAt(words, 0);
  let previous = firstMs;
  for (let row = 1; row < dates.length; row++) {
    const ms = epochAt(words, row);
    const step = (ms - previous) / DAY_MS;
    if (step !== (step & 0xff) || step === 0) return null;
    steps[row - 1] = step;
    previous = ms;
  }
  return { firstMs, steps };
}

/** The dates as they were. */
export function unpackDates({ firstMs, steps }: PackedDates): BigInt64Array {
  const dates = new BigInt64Array(steps.length + 1);
  const words = epochWords(dates);
  let ms = firstMs;
  for (let row = 0; row < dates.length; row++) {
    setEpoch(words, row, ms);
    ms += DAY_MS * (steps[row] ?? 0);
  }
  return dates;
}

/** Days from the first date to the last, both included. */
export function daysOf({ steps }: PackedDates): number {
  return steps.reduce((days, step) => days + step, 1);
}
