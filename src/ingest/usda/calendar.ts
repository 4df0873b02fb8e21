import { DAY_MS, utcDay } from '../../model/time.js';
import { findItemId } from '../vocabulary/items.js';
import calendar from './calendar.json' with { type: 'json' };

/** First months of US marketing years by item (USDA: WASDE footnotes, NASS Agricultural Prices; 7 CFR 1412.3). */
const US_FIRST_MONTHS: ReadonlyMap<number | string, number> = new Map(
  Object.entries(calendar.firstMonths).flatMap(([month, items]) =>
    items.map((name) => [findItemId(name) ?? name, Number(month)] as const),
  ),
);

/** Returns the first month of an item's US marketing year. A name may be more specific than in the calendar. */
export function usFirstMonth(item: number | string): number | undefined {
  if (typeof item === 'number') return US_FIRST_MONTHS.get(item);
  const comma = item.lastIndexOf(',');
  const month = US_FIRST_MONTHS.get(findItemId(item) ?? item);
  return comma < 0 ? month : (month ?? usFirstMonth(item.slice(0, comma)));
}

/** Days on which WASDE and PSD came out, by year and month (from reports, archive, 2026 schedule); 0 if none did. */
const RELEASE_DAYS: Readonly<Record<number, readonly number[]>> = calendar.releaseDays;

/** The day to use for months whose release day is not listed. Their reports had all been released by this day. */
const LATEST_DAY = 12;
/** Reports come out at noon in Washington, which is this time of day in UTC or, in summer, an hour earlier. */
const RELEASE_TIME_MS = 17 * 3_600_000;

/** Returns a UTC time in milliseconds by which a month's WASDE and PSD had certainly been released. */
export function usdaReleaseMs(year: number, month: number): number {
  return releaseTime(utcDay(year, month, RELEASE_DAYS[year]?.[month - 1] || LATEST_DAY));
}

export function releaseTime(dayMs: number): number {
  return dayMs - (dayMs % DAY_MS) + RELEASE_TIME_MS;
}
