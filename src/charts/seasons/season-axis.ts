import { dateParts } from '../../model/calendar.js';
import { DAY_MS, parseTime, utcDay } from '../../model/time.js';

/** The leap year whose calendar all seasons share. */
const REFERENCE_YEAR = 2000;
const REFERENCE_DAYS = 366;

/**
 * The days of a season on a calendar that all years share, UTC milliseconds in the year 2000 and after it: 1 June has the
 * same position in every year, and that of 29 February is skipped in other years.
 * @param start the first day
 */
export function seasonDates(start: string, days: number): Float64Array {
  const startMs = parseTime(start, 'start');
  const dates = new Float64Array(days);
  let years = 0;
  for (let i = 0; i < days; i++) {
    const { month, day } = dateParts(startMs + i * DAY_MS);
    const position = utcDay(REFERENCE_YEAR, month, day) + years * REFERENCE_DAYS * DAY_MS;
    const isNextYear = i > 0 && position < dates[i - 1]!;
    if (isNextYear) years++;
    dates[i] = isNextYear ? position + REFERENCE_DAYS * DAY_MS : position;
  }
  return dates;
}
