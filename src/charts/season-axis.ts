import { DAY_MS, formatDay, parseTime } from '../model/time.js';
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

/** The first day of the leap year on whose calendar all seasons are drawn. */
const REFERENCE_MS = Date.UTC(2000, 0, 1);
const REFERENCE_DAYS = 366;

/**
 * Where the days from `start` on fall on one calendar for all years: a day keeps its place by month and day, so that
 * 1 June of every year stands above 1 June. 29 February has a place of its own, which other years pass over.
 * Places are days from the month and day of `start`.
 */
export function seasonPlaces(start: string, days: number): Float64Array {
  const startMs = parseTime(start, 'start');
  const first = referencePlace(startMs);
  const places = new Float64Array(days);
  let turns = 0;
  for (let i = 0; i < days; i++) {
    const place = referencePlace(startMs + i * DAY_MS) - first + turns * REFERENCE_DAYS;
    if (i > 0 && place < places[i - 1]!) turns++;
    places[i] = i > 0 && place < places[i - 1]! ? place + REFERENCE_DAYS : place;
  }
  return places;
}

function referencePlace(ms: number): number {
  const [, month, day] = formatDay(ms).split('-').map(Number);
  return Math.round((Date.UTC(2000, month! - 1, day!) - REFERENCE_MS) / DAY_MS);
}

/** A tick on the first of each month within `days` places from the month and day of `start`. */
export function monthTicks(start: string, days: number): ChartTick[] {
  const first = referencePlace(parseTime(start, 'start'));
  const ticks: ChartTick[] = [];
  for (let place = 0; place < days; place++) {
    const date = new Date(REFERENCE_MS + ((first + place) % REFERENCE_DAYS) * DAY_MS);
    if (date.getUTCDate() === 1) ticks.push({ at: place, text: MONTH_NAMES[date.getUTCMonth()]! });
  }
  return ticks;
}
