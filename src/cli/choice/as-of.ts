import { type SeriesKey, seriesKeyOf } from '../../model/series.js';
import { formatDay, parseTime } from '../../model/time.js';
import type { Asking } from '../connection/with-client.js';

/** Returns the times at which a series' figures became available, in UTC milliseconds, in ascending order. */
async function availableTimes({ client, signal }: Asking, series: SeriesKey): Promise<number[]> {
  const { available_dates } = await client.vintages(seriesKeyOf(series), { limit: 10_000, signal });
  return available_dates.map(({ date }) => parseTime(date, 'date'));
}

/**
 * Explains that a date without a time means 00:00 UTC, which excludes figures that became available later that day.
 * @returns the explanation, or `undefined` if a time was given or there are no such figures
 */
export async function explainDayAlone(
  call: Asking,
  series: readonly SeriesKey[],
  at_time: string,
): Promise<string | undefined> {
  const startMs = parseTime(at_time, 'at_time');
  if (at_time.trim() !== formatDay(startMs)) return undefined;
  const listed = await Promise.all(series.map((one) => availableTimes(call, one)));
  return noteOnDay(listed.flat(), at_time);
}

function noteOnDay(times: readonly number[], at_time: string): string | undefined {
  const startMs = parseTime(at_time, 'at_time');
  const day = formatDay(startMs);
  if (at_time.trim() !== day) return undefined;
  const later = times.filter((ms) => ms > startMs && formatDay(ms) === day);
  if (later.length === 0) return undefined;
  return `figures became available on ${momentText(Math.min(...later))}; a date without a time means 00:00 UTC, so they are omitted. Use ${day}T23:59:59Z to include them`;
}

/** Explains why none of a series' figures were available at a time, and lists when its figures became available. */
export async function explainNoneKnown(call: Asking, series: SeriesKey, at_time: string): Promise<string> {
  const times = await availableTimes(call, series);
  const ofDay = noteOnDay(times, at_time);
  if (ofDay !== undefined) return ofDay;
  const [first] = times;
  if (first === undefined) return 'it has no figures';
  if (first <= parseTime(at_time, 'at_time'))
    return 'figures for other periods were available then; request a different period';
  const shown = times.slice(0, MAX_SHOWN).map(momentText).join(', ');
  return `its figures became available on ${shown}${times.length > MAX_SHOWN ? ' and later' : ''}`;
}

const MAX_SHOWN = 5;

/** Formats a time like `2026-06-11 at 17:00 UTC`. */
function momentText(ms: number): string {
  return `${formatDay(ms)} at ${new Date(ms).toISOString().slice(11, 16)} UTC`;
}
