import { arrayOf, checkDate, fieldsOf, needed, orNull } from '../../model/arguments/checks.js';
import { checkOptions } from '../../model/arguments/option-keys.js';
import { ArgumentError, shownValue } from '../../model/errors.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import { dayIndex } from './accumulation.js';
import type { DegreeDays } from './degree-days.js';

const checkDegreeDays = needed(
  fieldsOf({
    daily: needed(arrayOf(Float64Array)),
    interval: needed(orNull(fieldsOf({ start_date: needed(checkDate) }))),
  }),
);

/** Where accumulation starts. */
export interface ThresholdOptions {
  /** Accumulation starts on this day, `YYYY-MM-DD`, inclusive; default the first day of the interval. */
  biofix?: string | undefined;
}

/** The day on which accumulated degree days reach a threshold. */
export interface ThresholdDate {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Days from the start of accumulation to this day, both included. */
  readonly days: number;
  /** The sum at the end of the day, at or above the threshold. */
  readonly accumulated: number;
}

/**
 * The first day on which the degree days accumulated since the biofix reach a threshold, such as those from sowing to
 * silking; null when the interval ends before. Missing days count as 0, so with gaps the date is an upper bound.
 * @throws ArgumentError when the degree days have no interval, the threshold is not above 0, or the biofix is not one of
 * the days
 */
export function dateOfThreshold(
  degreeDays: Pick<DegreeDays, 'daily' | 'interval'>,
  threshold: number,
  options: ThresholdOptions = {},
): ThresholdDate | null {
  checkDegreeDays(degreeDays, 'degreeDays');
  checkOptions(options, { biofix: checkDate }, 'dateOfThreshold');
  const { biofix } = options;
  const { daily, interval } = degreeDays;
  if (interval === null) {
    throw new ArgumentError('degreeDays', 'the degree days have no dates; pass `start` to degreeDays');
  }
  if (!(typeof threshold === 'number' && threshold > 0))
    throw new ArgumentError('threshold', `threshold is ${shownValue(threshold)}; pass degree days above 0`);
  const start = interval.start_date;
  const first = biofix === undefined ? 0 : dayIndex(biofix, 'biofix', { start, days: daily.length });
  let accumulated = 0;
  for (let i = first; i < daily.length; i++) {
    accumulated += daily[i]!;
    if (accumulated < threshold) continue;
    return { date: formatDay(parseTime(start, 'start') + i * DAY_MS), days: i - first + 1, accumulated };
  }
  return null;
}
