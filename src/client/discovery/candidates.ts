import type { Candidate, WantedPeriod } from '../../compute/ranking.js';
import { ArgumentError } from '../../model/errors.js';
import { FREQUENCIES, periodDays } from '../../model/frequency.js';
import type { DataSeries } from '../../model/series.js';
import { DAY_MS, formatTime, parseTime } from '../../model/time.js';

/** Search hits kept for each name, by default. */
export const DEFAULT_HITS_PER_NAME = 3;

/** The period that series should cover, as callers write it. */
interface WantedDates {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** @throws ArgumentError when a date cannot be read, or the start is after the end */
export function wantedPeriod({ start_date, end_date }: WantedDates): WantedPeriod {
  const startMs = start_date === undefined ? null : parseTime(start_date, 'start_date');
  const endMs = end_date === undefined ? null : parseTime(end_date, 'end_date');
  if (startMs !== null && endMs !== null && startMs > endMs)
    throw new ArgumentError('start_date', `start_date: ${start_date} is after end_date ${end_date}`);
  return { startMs, endMs };
}

/** A series as a candidate of the ranking. Without a count of points, every period of its range counts as present. */
export function candidateOf(series: DataSeries): Candidate & { readonly series: DataSeries } {
  const { start_date, end_date } = series;
  if (start_date === undefined || end_date === undefined) return unknownCandidate(series);
  const startMs = parseTime(start_date, 'start_date');
  const endMs = parseTime(end_date, 'end_date');
  const frequency = FREQUENCIES.find(({ id }) => id === series.frequency_id);
  const days = frequency === undefined ? 1 : periodDays(frequency);
  const assumed = Math.max(1, Math.round((endMs - startMs) / DAY_MS / days));
  return {
    series,
    startMs,
    endMs,
    pointCount: series.data_count_estimate ?? assumed,
    periodDays: days,
    id: series.source_id,
  };
}

/** A series whose dates are unknown is ranked after all others. */
function unknownCandidate(series: DataSeries): ReturnType<typeof candidateOf> {
  const never = { startMs: Number.POSITIVE_INFINITY, endMs: Number.NEGATIVE_INFINITY, pointCount: 0 };
  return { series, ...never, periodDays: Number.POSITIVE_INFINITY, id: series.source_id };
}

/** The series with the wanted dates, where they are given, in place of its own. */
export function withWantedDates(series: DataSeries, { startMs, endMs }: WantedPeriod): DataSeries {
  return {
    ...series,
    start_date: startMs === null ? series.start_date : formatTime(startMs),
    end_date: endMs === null ? series.end_date : formatTime(endMs),
  };
}
