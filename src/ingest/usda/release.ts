import { utcDay } from '../../model/time.js';

/** Reports are released at noon, Washington time, nearly always between the eighth and the twelfth of the month. */
const RELEASE_DAY = 12;
const RELEASE_HOUR_MS = 17 * 3_600_000;
/** Later releases, after shutdowns of the federal government: day of the month by year and month. */
const LATE_RELEASES: Readonly<Record<string, number>> = { '2025-11': 14 };

/**
 * The release of a month's WASDE and PSD, in UTC milliseconds: a time by which they were certainly released, because
 * their files do not contain the day.
 */
export function usdaReleaseMs(year: number, month: number): number {
  const day = LATE_RELEASES[`${year}-${String(month).padStart(2, '0')}`] ?? RELEASE_DAY;
  return utcDay(year, month, day) + RELEASE_HOUR_MS;
}
