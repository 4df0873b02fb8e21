import { dateParts } from '../model/calendar.js';
import { DAY_MS, parseTime, utcDay } from '../model/time.js';
import type { ChartTick } from './chart-spec.js';

export const MONTH_NAMES = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
];

/** The first day of the leap year whose calendar all seasons share. */
const REFERENCE_MS = utcDay(2000, 1, 1);
const REFERENCE_DAYS = 366;

/**
 * The positions of days on a calendar that all years share, in days from the month and day of `start`. 1 June has the
 * same position in every year; the position of 29 February is skipped in other years.
 */
export function seasonPositions(start: string, days: number): Float64Array {
  const startMs = parseTime(start, 'start');
  const first = referencePosition(startMs);
  const positions = new Float64Array(days);
  let years = 0;
  for (let i = 0; i < days; i++) {
    const position = referencePosition(startMs + i * DAY_MS) - first + years * REFERENCE_DAYS;
    if (i > 0 && position < positions[i - 1]!) years++;
    positions[i] = i > 0 && position < positions[i - 1]! ? position + REFERENCE_DAYS : position;
  }
  return positions;
}

function referencePosition(ms: number): number {
  const { month, day } = dateParts(ms);
  return (utcDay(2000, month, day) - REFERENCE_MS) / DAY_MS;
}

/** A tick on the first of each month, within `days` positions from the month and day of `start`. */
export function monthTicks(start: string, days: number): ChartTick[] {
  const first = referencePosition(parseTime(start, 'start'));
  const ticks: ChartTick[] = [];
  for (let position = 0; position < days; position++) {
    const date = new Date(REFERENCE_MS + ((first + position) % REFERENCE_DAYS) * DAY_MS);
    if (date.getUTCDate() === 1) ticks.push({ at: position, text: MONTH_NAMES[date.getUTCMonth()]! });
  }
  return ticks;
}
