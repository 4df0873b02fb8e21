import { DAY_MS } from '../model/time.js';
import { epochAt, epochWords, setEpoch } from './epoch-words.js';

/** Ascending dates, each a whole number of days, at most 255, after the one before. */
export interface PackedDates {
  readonly firstMs: number;
  /** Days from each date to the next. */
  readonly steps: Uint8Array;
}

/** Packs dates into a byte each; null when they do not have this form. */
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

/** The dates that were packed. */
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

/** Number of days from the first date to the last, both included. */
export function spanDays({ steps }: PackedDates): number {
  return steps.reduce((days, step) => days + step, 1);
}
