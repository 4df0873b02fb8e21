import * as v from 'valibot';
import { ArgumentError, shownValue } from '../../model/errors.js';
import { checkOptions, checkRequiredOptions, type OptionsOf, required } from '../../model/schema/check.js';
import { DATE, SHARE } from '../../model/schema/schemas.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import { dailyColumns, NUMBER_COLUMN } from './daily-values.js';
import { sumDays, type TemperatureDays } from './kernels.js';
import {
  countDays,
  interpolateGaps,
  MISSING_DAYS,
  type MissingDays,
  requireCoverage,
} from './missing-days.js';
import {
  type AppliedRule,
  applyRule,
  type DegreeDayRule,
  planDegreeDays,
  RULE_KEYS,
  TEMPERATURE_SYMBOLS,
} from './plan.js';
import { type DayInterval, dayInterval } from './seasons.js';

const DEGREE_DAYS_KEYS = {
  /** Daily minimum temperatures in `temperature_unit`, one for each consecutive day; NaN or null if missing. */
  tmin: required(NUMBER_COLUMN),
  /** Daily maximum temperatures in `temperature_unit`, for the same days as `tmin`. */
  tmax: required(NUMBER_COLUMN),
  /** How to count a day that is missing either temperature; default `'zero'`. */
  missing: MISSING_DAYS,
  /** The first day, `YYYY-MM-DD`. If omitted, the result has no interval, and errors refer to days by number. */
  start_date: DATE,
  /** The minimum of the day after the last day, for the `double-…` methods; by default, the last day's own minimum. */
  next_tmin: v.union([v.number(), v.nan()]),
  /** The minimum share of days that must have both temperatures, from 0 to 1; default 1. */
  min_temporal_coverage: SHARE,
};
/** Daily temperatures, and the degree-day rule to apply to them. */
export interface DegreeDaysOptions extends DegreeDayRule, OptionsOf<typeof DEGREE_DAYS_KEYS> {}

/** Degree days with their rule, coverage and interval. */
export interface DegreeDays extends AppliedRule {
  /** The degree days for each day; 0 if a temperature is missing. */
  readonly daily: Float64Array;
  /** The running sum of `daily`. */
  readonly accumulated: Float64Array;
  /** The sum of `daily`. */
  readonly total: number;
  /** The number of days in the interval. */
  readonly days: number;
  /** The number of days that have both temperatures. */
  readonly days_counted: number;
  /** The number of days whose minimum or maximum was interpolated. */
  readonly days_interpolated: number;
  /** The number of days whose minimum is above their maximum. */
  readonly days_inverted: number;
  /** `days_counted` as a share of `days`. */
  readonly coverage: number;
  /** How days that are missing either temperature were counted. */
  readonly missing: MissingDays;
  /** The first and last day; null if no `start_date` was passed. */
  readonly interval: DayInterval | null;
  /** Warnings about the sum, such as that no temperature exceeds the base, or that the cap is not above the base. */
  readonly notes: readonly string[];
}

/**
 * Computes growing degree days from daily minima and maxima. Each method models the temperature during the day, which
 * determines A(T), the day's degree days above T, and f, the share of the day above the cap:
 *
 * - `average`: the temperature is at the mean all day. With a cap, a day has max(min(mean, cap) − base, 0) degree days.
 * - `mcmaster-wilhelm-1`: same as `average`; the name is from McMaster & Wilhelm (1997), doi
 *   10.1016/S0168-1923(97)00027-0.
 * - `mcmaster-wilhelm-2`: each extreme, clamped to the thresholds, lasts half a day, as in corn's 86/50 °F (ibid.).
 * - `single-sine`, `single-triangle`: a wave from the minimum to the maximum and back (Baskerville & Emin 1969; Zalom
 *   et al. 1983).
 * - `double-sine`, `double-triangle`: the second half of the wave falls to the next day's minimum, or to the day's own
 *   minimum if the next is missing. `next_tmin` is the minimum that follows the last day; if it is passed, the sums for
 *   the parts of a season add up to the sum for the whole.
 *
 * Cut-offs (Zalom et al. 1983): `none` is A(base); `horizontal` is A(base) − A(cap); `vertical` is A(base) − A(cap) −
 * (cap − base)·f. A mean or an extreme equal to the cap is not above it. With `vertical`, a day whose minimum is not
 * below the cap has 0 degree days, except with methods that use the mean. `intermediate` is A(base) − 2·A(cap): above
 * the cap, each degree subtracts one degree day. As published, it is not clipped at zero, so a day far above the cap
 * can be negative; clipping would matter only for a maximum above 2·cap − base. The University of California's
 * calculator gives the same values, except that its sine methods return the value for `vertical` if that is higher.
 *
 * A day counts if it has both values. Other days have 0 degree days and lower the coverage. If the minimum is above the
 * maximum, the two are swapped and the day is counted in `days_inverted`. Interpolated days do not raise the coverage.
 *
 * @throws ArgumentError if the columns differ in length or are empty, or if the rule is inconsistent
 * @throws CoverageError if the coverage is below `min_temporal_coverage`
 */
export function degreeDays(options: DegreeDaysOptions): DegreeDays {
  checkRequiredOptions(options, { ...RULE_KEYS, ...DEGREE_DAYS_KEYS }, 'degreeDays');
  return computeDegreeDays(options);
}

/** Computes degree days from options that have already been validated. */
export function computeDegreeDays(options: DegreeDaysOptions): DegreeDays {
  const { missing = 'zero', start_date, min_temporal_coverage, next_tmin = Number.NaN } = options;
  const startMs = start_date === undefined ? null : parseTime(start_date, 'start_date');
  const columns = { ...dailyColumns(options), next_tmin };
  const { length } = columns.tmin;
  const daily = new Float64Array(length);
  const sum = sumDegreeDays(columns, { rule: applyRule(options), missing }, daily);
  requireCoverage({ ...columns, startMs }, sum.days_counted, min_temporal_coverage);
  const interval = startMs === null ? null : dayInterval({ firstMs: startMs, days: length });
  const days_inverted = countInverted(columns);
  return { ...sum, daily, accumulated: accumulate(daily), days_inverted, missing, interval };
}

/** A sum of degree days, without the fields that hold daily values or need dates. */
export type DegreeDaySum = Omit<
  DegreeDays,
  'daily' | 'accumulated' | 'days_inverted' | 'missing' | 'interval'
>;

/** Sums degree days using a rule in which every option is set. Writes the daily values to `daily` unless it is null. */
export function sumDegreeDays(
  columns: TemperatureDays,
  { rule, missing }: { rule: AppliedRule; missing: MissingDays },
  daily: Float64Array | null = null,
): DegreeDaySum {
  const filled = fillGaps(columns, missing);
  const { total, present } = sumDays(filled, planDegreeDays(rule), daily);
  const days = columns.tmin.length;
  const days_counted = missing === 'zero' ? present : countDays(columns.tmin, columns.tmax);
  return {
    ...rule,
    total,
    days,
    days_counted,
    days_interpolated: present - days_counted,
    coverage: days_counted / days,
    notes: thresholdNotes(rule, filled, total),
  };
}

function accumulate(daily: Float64Array): Float64Array {
  const sums = new Float64Array(daily.length);
  let sum = 0;
  for (let day = 0; day < daily.length; day++) sums[day] = sum += daily[day]!;
  return sums;
}

function countInverted({ tmin, tmax }: TemperatureDays): number {
  let inverted = 0;
  for (let day = 0; day < tmin.length; day++) if (tmin[day]! > tmax[day]!) inverted++;
  return inverted;
}

function fillGaps(columns: TemperatureDays, missing: MissingDays): TemperatureDays {
  if (missing === 'zero') return columns;
  const [tmin, tmax] = [columns.tmin, columns.tmax].map((values) =>
    interpolateGaps(values, missing.interpolate),
  );
  return { ...columns, tmin: tmin!, tmax: tmax! };
}

/** A base temperature this high was probably meant to be in °F, because few places ever reach 40 °C. */
const HOT_CELSIUS = 40;

function thresholdNotes(
  { base_temperature: base, upper_temperature_cap: cap, temperature_unit }: AppliedRule,
  { tmin, tmax }: TemperatureDays,
  total: number,
): string[] {
  const symbol = TEMPERATURE_SYMBOLS[temperature_unit];
  if (cap !== null && cap <= base) {
    return [
      `the cap of ${cap} ${symbol} is not above the base of ${base} ${symbol}, so no day has degree days`,
    ];
  }
  if (total !== 0) return [];
  let highest = Number.NEGATIVE_INFINITY;
  for (const column of [tmin, tmax]) for (const value of column) if (value > highest) highest = value;
  const isHot = temperature_unit === 'celsius' && base >= HOT_CELSIUS;
  if (highest === Number.NEGATIVE_INFINITY || !(highest <= base || isHot)) return [];
  const remedy = isHot ? '; if the base is in °F, set temperature_unit (--unit) to fahrenheit' : '';
  const nothing = highest <= base ? 'no temperature is' : "no day's mean is";
  return [
    `${nothing} above the base of ${base} ${symbol}: the highest temperature is ${Number(highest.toFixed(2))} ${symbol}${remedy}`,
  ];
}

const THRESHOLD_KEYS = {
  /** The day on which accumulation starts, `YYYY-MM-DD`, inclusive; by default, the first day of the interval. */
  biofix: DATE,
};
/** Options for `dateOfThreshold`: the day on which accumulation starts. */
export interface ThresholdOptions extends OptionsOf<typeof THRESHOLD_KEYS> {}

/** The day on which accumulated degree days reach a threshold. */
export interface ThresholdDate {
  /** The day, `YYYY-MM-DD`. */
  readonly date: string;
  /** The number of days from the start of accumulation to this day, inclusive. */
  readonly days: number;
  /** The degree days accumulated by the end of this day, which are at least the threshold. */
  readonly accumulated: number;
}

/**
 * Finds the first day on which the degree days accumulated since the biofix reach a threshold, such as the degree days
 * from sowing to silking. Returns null if the interval ends before the threshold is reached. Missing days count as 0,
 * so if there are gaps, the true date may be earlier.
 * @throws ArgumentError if the degree days have no interval, if the threshold is not above 0, or if the biofix is
 * outside the interval
 */
export function dateOfThreshold(
  degreeDays: Pick<DegreeDays, 'daily' | 'interval'>,
  threshold: number,
  options: ThresholdOptions = {},
): ThresholdDate | null {
  checkOptions(options, THRESHOLD_KEYS, 'dateOfThreshold');
  const { biofix } = options;
  const { daily, interval } = degreeDays;
  if (interval === null) {
    throw new ArgumentError('degreeDays', 'the degree days have no dates; pass `start_date` to degreeDays');
  }
  if (!(typeof threshold === 'number' && threshold > 0))
    throw new ArgumentError('threshold', `threshold is ${shownValue(threshold)}; pass a number above 0`);
  const startMs = parseTime(interval.start_date, 'start_date');
  const first = biofix === undefined ? 0 : Math.floor((parseTime(biofix, 'biofix') - startMs) / DAY_MS);
  if (first < 0 || first > daily.length - 1)
    throw new ArgumentError(
      'biofix',
      `biofix ${biofix} is outside the ${daily.length}-day interval that starts on ${interval.start_date}; pass a day within it`,
    );
  let accumulated = 0;
  for (let i = first; i < daily.length; i++) {
    accumulated += daily[i]!;
    if (accumulated < threshold) continue;
    return { date: formatDay(startMs + i * DAY_MS), days: i - first + 1, accumulated };
  }
  return null;
}
