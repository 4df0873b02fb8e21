import { type Candidate, countPeriods } from '../../compute/ranking.js';
import { FREQUENCIES } from '../../model/frequency.js';
import type { DataSeries } from '../../model/series.js';
import { parseTime } from '../../model/time.js';

/** Search hits kept for each name, by default. */
export const DEFAULT_HITS_PER_NAME = 3;

/**
 * A series as a candidate of the ranking; `id` breaks ties. Without a count of points, every period of its range counts as
 * present; without dates it is ranked after all others.
 */
export function candidateOf(series: DataSeries, id: number): Candidate & { readonly series: DataSeries } {
  const { start_date, end_date } = series;
  if (start_date === undefined || end_date === undefined)
    return { series, id, startMs: NEVER, endMs: -NEVER, pointCount: 0, periodLength: null };
  const startMs = parseTime(start_date, 'start_date');
  const endMs = parseTime(end_date, 'end_date');
  const frequency = FREQUENCIES.find(({ id }) => id === series.frequency_id);
  const periodLength = frequency?.periodLength ?? { days: 1 };
  const assumed = Math.max(1, Math.round(countPeriods(periodLength, startMs, endMs)));
  const pointCount = series.data_count_estimate ?? assumed;
  return { series, id, startMs, endMs, pointCount, periodLength };
}

const NEVER = Number.POSITIVE_INFINITY;
