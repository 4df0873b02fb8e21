import { checkFinite, checkString } from '../../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import type { DatedValues } from '../degree-days/climatology.js';
import { checkSeason, daysOfYears } from '../degree-days/seasons.js';

/** The threshold of frost, and the day that divides spring from autumn. */
export interface FrostOptions {
  /** A day with a minimum below it has frost; in the unit of the series (default 0, which is for °C). */
  threshold?: number | undefined;
  /** The day, `MM-DD`, from which on a frost is one of autumn (default `07-15`; `01-15` on the southern hemisphere). */
  midsummer?: string | undefined;
}

const FROST_KEYS: OptionKeys<FrostOptions> = { threshold: checkFinite, midsummer: checkString };

/** The frosts about one summer. */
export interface FrostDates {
  /** The year of midsummer. */
  readonly year: number;
  /** The last frost in the half year before midsummer; null when there is none. */
  readonly last_frost: string | null;
  /** The first frost in the half year from midsummer on; null when there is none. */
  readonly first_frost: string | null;
  /** Days after the last and before the first frost; null unless both are known. */
  readonly frost_free_days: number | null;
  /** Days of the year about midsummer that have a value, as a share. */
  readonly coverage: number;
}

/**
 * The last frost of spring and the first of autumn of each year whose midsummer is among the days, from daily minima. A year
 * is the 183 days before midsummer and the 183 days from it on. A day that is missing, or beyond the series, is no frost and
 * lowers the coverage.
 * @throws ArgumentError for a midsummer that is not `MM-DD`
 */
export function frostDates(series: DatedValues, options: FrostOptions = {}): FrostDates[] {
  checkOptions(options, FROST_KEYS, 'frostDates');
  const { threshold = 0, midsummer = '07-15' } = options;
  checkSeason({ from: midsummer, to: midsummer });
  return Array.from(daysOfYears(series, midsummer), ({ year, at: middle, ms }) => {
    const { last, first, counted } = frostsAbout(series.values, { middle, threshold });
    const date = (day: number | null) => (day === null ? null : formatDay(ms + (day - middle) * DAY_MS));
    return {
      year,
      last_frost: date(last),
      first_frost: date(first),
      frost_free_days: last === null || first === null ? null : first - last - 1,
      coverage: counted / (2 * HALF_YEAR),
    };
  });
}

const HALF_YEAR = 183;

function frostsAbout(
  values: Float64Array,
  { middle, threshold }: { middle: number; threshold: number },
): { last: number | null; first: number | null; counted: number } {
  let last: number | null = null;
  let first: number | null = null;
  let counted = 0;
  const to = Math.min(values.length, middle + HALF_YEAR);
  for (let day = Math.max(0, middle - HALF_YEAR); day < to; day++) {
    const value = values[day]!;
    if (Number.isNaN(value)) continue;
    counted++;
    if (value >= threshold) continue;
    if (day < middle) last = day;
    else first ??= day;
  }
  return { last, first, counted };
}
