import { ArgumentError } from '../../model/errors.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import { dayIndex } from './accumulation.js';
import type { DegreeDays } from './degree-days.js';

/** Where accumulation starts. */
export interface ThresholdOptions {
  /** Accumulation begins on this day, `YYYY-MM-DD`, itself included; the interval's first day by default. */
  biofix?: string | undefined;
}

/** The first day by whose end a sum was reached. */
export interface ThresholdDate {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Days from the one on which accumulation began to this one, both included. */
  readonly days: number;
  /** The sum at the end of the day, at or above the target. */
  readonly accumulated: number;
}

/**
 * The day on which the degree days since the biofix first reach a target, such as those from sowing to silking; null
 * when they do not within the interval. Missing days add nothing, so with gaps the date is an upper bound.
 * @throws ArgumentError when the result has no interval, the target is not above 0, or the biofix is outside the days
 */
export function dateOfThreshold(
  degreeDays: Pick<DegreeDays, 'daily' | 'interval'>,
  target: number,
  { biofix }: ThresholdOptions = {},
): ThresholdDate | null {
  const { daily, interval } = degreeDays;
  if (interval === null) {
    throw new ArgumentError('degreeDays', 'the degree days have no dates; give `start` to degreeDays');
  }
  if (!(target > 0)) throw new ArgumentError('target', `target is ${target}; give degree days above 0`);
  const start = interval.start_date;
  const first = biofix === undefined ? 0 : dayIndex(biofix, 'biofix', { start, days: daily.length });
  let accumulated = 0;
  for (let i = first; i < daily.length; i++) {
    accumulated += daily[i]!;
    if (accumulated < target) continue;
    return { date: formatDay(parseTime(start, 'start') + i * DAY_MS), days: i - first + 1, accumulated };
  }
  return null;
}
