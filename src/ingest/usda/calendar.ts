import { DAY_MS, utcDay } from '../../model/time.js';
import { findItemId } from '../vocabulary/items.js';
import calendar from './calendar.json' with { type: 'json' };

/**
 * The first month of the United States marketing year by item id, or by name for items that the vocabulary lacks (USDA:
 * footnotes of WASDE; NASS, Agricultural Prices; oilseeds and pulses: 7 CFR 1412.3). A marketing year has the number of
 * the calendar year in which it begins.
 */
const US_FIRST_MONTHS: ReadonlyMap<number | string, number> = new Map(
  Object.entries(calendar.firstMonths).flatMap(([month, items]) =>
    items.map((name) => [findItemId(name) ?? name, Number(month)] as const),
  ),
);

/**
 * Returns the first month of an item's United States marketing year; undefined if it is unknown.
 * @param item an id, or a name that may be more specific than the calendar: `BEANS, DRY EDIBLE, PINTO`
 */
export function usFirstMonth(item: number | string): number | undefined {
  if (typeof item === 'number') return US_FIRST_MONTHS.get(item);
  const comma = item.lastIndexOf(',');
  const month = US_FIRST_MONTHS.get(findItemId(item) ?? item);
  return comma < 0 ? month : (month ?? usFirstMonth(item.slice(0, comma)));
}

/**
 * The days of the month on which USDA released WASDE and PSD, from January on. Sources: the WASDE report data, the
 * archive's list of releases, and the schedule for 2026. 0 means a month without a report, because of a lapse of
 * federal funding or because it precedes the report data.
 */
const RELEASE_DAYS: Readonly<Record<number, readonly number[]>> = calendar.releaseDays;

/** The day of the month by which the reports of all other months had been released. */
const LATEST_DAY = 12;
/**
 * The time of day of a release. Reports come out at noon in Washington, which is this hour in UTC or the one before.
 */
const RELEASE_TIME_MS = 17 * 3_600_000;

/** Returns the release time of a month's WASDE and PSD in UTC milliseconds: a time by which they were certainly out. */
export function usdaReleaseMs(year: number, month: number): number {
  return releaseTime(utcDay(year, month, RELEASE_DAYS[year]?.[month - 1] || LATEST_DAY));
}

export function releaseTime(dayMs: number): number {
  return dayMs - (dayMs % DAY_MS) + RELEASE_TIME_MS;
}
