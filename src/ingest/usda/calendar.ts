import { DAY_MS, utcDay } from '../../model/time.js';
import { findItemId } from '../vocabulary/items.js';
import calendar from './calendar.json' with { type: 'json' };

/**
 * The first month of the United States marketing year, by item id, or by name for items that are not in the vocabulary
 * (USDA: WASDE footnotes; NASS, Agricultural Prices; oilseeds and pulses: 7 CFR 1412.3). A marketing year is named
 * after the calendar year in which it begins.
 */
const US_FIRST_MONTHS: ReadonlyMap<number | string, number> = new Map(
  Object.entries(calendar.firstMonths).flatMap(([month, items]) =>
    items.map((name) => [findItemId(name) ?? name, Number(month)] as const),
  ),
);

/**
 * Returns the first month of an item's United States marketing year, or `undefined` if it is unknown.
 * @param item an id, or a name, which may be more specific than in the calendar, such as `BEANS, DRY EDIBLE, PINTO`
 */
export function usFirstMonth(item: number | string): number | undefined {
  if (typeof item === 'number') return US_FIRST_MONTHS.get(item);
  const comma = item.lastIndexOf(',');
  const month = US_FIRST_MONTHS.get(findItemId(item) ?? item);
  return comma < 0 ? month : (month ?? usFirstMonth(item.slice(0, comma)));
}

/**
 * The days on which USDA released WASDE and PSD, by year: one day per month, from January on. Sources: the WASDE report
 * data, the archive's list of releases, and the schedule for 2026. 0 means that there was no report, because of a lapse
 * in federal funding or because the month precedes the report data.
 */
const RELEASE_DAYS: Readonly<Record<number, readonly number[]>> = calendar.releaseDays;

/** The day to use for months whose release day is not listed. Their reports had all been released by this day. */
const LATEST_DAY = 12;
/**
 * The UTC time of day of a release. Reports come out at noon in Washington: at this hour or, in summer, an hour
 * earlier.
 */
const RELEASE_TIME_MS = 17 * 3_600_000;

/** Returns a UTC time in milliseconds by which a month's WASDE and PSD had certainly been released. */
export function usdaReleaseMs(year: number, month: number): number {
  return releaseTime(utcDay(year, month, RELEASE_DAYS[year]?.[month - 1] || LATEST_DAY));
}

export function releaseTime(dayMs: number): number {
  return dayMs - (dayMs % DAY_MS) + RELEASE_TIME_MS;
}
