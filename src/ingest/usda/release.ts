import { utcDay } from '../../model/time.js';

/** Reports come out at noon, Washington time, nearly always between the eighth and the twelfth of the month. */
const RELEASE_DAY = 12;
const RELEASE_HOUR_MS = 17 * 3_600_000;
/** Reports that came out later, after the federal government had been closed: day of the month by year and month. */
const LATE_RELEASES: Readonly<Record<string, number>> = { '2025-11': 14 };

/**
 * When the WASDE of a month, and PSD with it, was out: a time by which it certainly was, because neither file names the
 * day. UTC milliseconds.
 */
export function usdaReleaseMs(year: number, month: number): number {
  const day = LATE_RELEASES[`${year}-${String(month).padStart(2, '0')}`] ?? RELEASE_DAY;
  return utcDay(year, month, day) + RELEASE_HOUR_MS;
}
