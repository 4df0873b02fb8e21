import { dateParts, yearOf } from '../../model/calendar.js';
import { DAY_MS, utcDay } from '../../model/time.js';
import { readPairs } from '../vocabulary/text-table.js';

/** Reports are released at 15:30 Washington time, which is 20:30 UTC at the latest. */
const RELEASE_TIME_MS = 20.5 * 3_600_000;

/** When a report was released, in UTC milliseconds. */
interface Release {
  readonly reportingMs: number;
  readonly availableMs: number;
}

/**
 * The release of a report, which its files do not contain. Since reports are weekly, it is the third business day after
 * the day of the positions: a Friday, or a Monday when a federal holiday is in between. Of earlier reports only the latest
 * day is known (CFTC, About the Commitments of Traders).
 */
export function cotRelease(asOfMs: number): Release {
  const reportingMs = LATE_RELEASES.get(asOfMs) ?? scheduledRelease(asOfMs);
  return { reportingMs, availableMs: reportingMs + RELEASE_TIME_MS };
}

function scheduledRelease(asOfMs: number): number {
  const year = yearOf(asOfMs);
  // Monthly, on the eleventh or twelfth of the next month.
  if (year < 1990) return utcDay(year, dateParts(asOfMs).month + 1, 12);
  // In the middle and at the end of the month, on the sixth business day after.
  if (year <= 1992) return addBusinessDays(asOfMs, 6);
  const thirdDay = addBusinessDays(asOfMs, 3);
  // Every two weeks, for two Tuesdays.
  return year <= 2000 ? thirdDay + 7 * DAY_MS : thirdDay;
}

/** Reports that were late: the day of their positions, and that of their release. */
const LATE_RELEASES: ReadonlyMap<number, number> = new Map(
  [
    // Shutdown of October 2013. The CFTC announced when all were released: the last possible day.
    `2013-10-01 = 2013-11-08; 2013-10-08 = 2013-11-08; 2013-10-15 = 2013-11-08; 2013-10-22 = 2013-11-08;
     2013-10-29 = 2013-11-08`,
    // Shutdown of 2018 and 2019: from 1 February, one every Tuesday and Friday.
    `2018-12-24 = 2019-02-01; 2018-12-31 = 2019-02-05; 2019-01-08 = 2019-02-08; 2019-01-15 = 2019-02-12;
     2019-01-22 = 2019-02-15; 2019-01-29 = 2019-02-19; 2019-02-05 = 2019-02-22; 2019-02-12 = 2019-02-26;
     2019-02-19 = 2019-03-01; 2019-02-26 = 2019-03-05`,
    // Incident at ION Cleared Derivatives: after the first, all were to be released by the middle of March 2023.
    `2023-01-31 = 2023-02-24; 2023-02-07 = 2023-03-17; 2023-02-14 = 2023-03-17; 2023-02-21 = 2023-03-17;
     2023-02-28 = 2023-03-17; 2023-03-07 = 2023-03-17`,
    // Shutdown of 2025, by the schedule that the CFTC published on 18 November.
    `2025-09-30 = 2025-11-19; 2025-10-07 = 2025-11-21; 2025-10-14 = 2025-11-25; 2025-10-21 = 2025-12-02;
     2025-10-28 = 2025-12-05; 2025-11-04 = 2025-12-09; 2025-11-10 = 2025-12-12; 2025-11-18 = 2025-12-16;
     2025-11-25 = 2025-12-19; 2025-12-02 = 2025-12-23; 2025-12-09 = 2025-12-30; 2025-12-16 = 2026-01-06;
     2025-12-23 = 2026-01-09; 2025-12-30 = 2026-01-13; 2026-01-06 = 2026-01-16; 2026-01-13 = 2026-01-20`,
  ].flatMap((late) =>
    [...readPairs(late)].map(([asOf, released]) => [Date.parse(asOf), Date.parse(released)] as const),
  ),
);

const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

/** The day that is `count` business days of the federal government of the United States after another. */
function addBusinessDays(ms: number, count: number): number {
  let day = ms;
  for (let left = count; left > 0; ) {
    day += DAY_MS;
    if (isBusinessDay(day)) left--;
  }
  return day;
}

function isBusinessDay(ms: number): boolean {
  const weekday = weekdayOf(ms);
  if (weekday === SATURDAY || weekday === SUNDAY) return false;
  const year = yearOf(ms);
  // New Year's Day on a Saturday is observed in the year before.
  return ![...federalHolidays(year), observed(utcDay(year + 1, 1, 1))].includes(ms);
}

/** The days on which the federal holidays of a year are observed (5 U.S.C. 6103). */
function federalHolidays(year: number): number[] {
  const fixed = [utcDay(year, 1, 1), utcDay(year, 7, 4), utcDay(year, 11, 11), utcDay(year, 12, 25)];
  if (year >= 2021) fixed.push(utcDay(year, 6, 19));
  return [
    ...fixed.map(observed),
    // The third Mondays of January and February, and the last of May.
    weekdayFrom(MONDAY, utcDay(year, 1, 15)),
    weekdayFrom(MONDAY, utcDay(year, 2, 15)),
    weekdayFrom(MONDAY, utcDay(year, 5, 25)),
    // The first Monday of September, the second of October, and the fourth Thursday of November.
    weekdayFrom(MONDAY, utcDay(year, 9, 1)),
    weekdayFrom(MONDAY, utcDay(year, 10, 8)),
    weekdayFrom(THURSDAY, utcDay(year, 11, 22)),
  ];
}

function weekdayOf(ms: number): number {
  return new Date(ms).getUTCDay();
}

/** Holidays on a Saturday are observed on the Friday before, those on a Sunday on the Monday after. */
function observed(ms: number): number {
  if (weekdayOf(ms) === SATURDAY) return ms - DAY_MS;
  return weekdayOf(ms) === SUNDAY ? ms + DAY_MS : ms;
}

/** The first such weekday on or after a day. */
function weekdayFrom(weekday: number, ms: number): number {
  return ms + ((weekday - weekdayOf(ms) + 7) % 7) * DAY_MS;
}
