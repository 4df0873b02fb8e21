import { MAX_SERIES_PER_REQUEST } from '../contract/requests/queries.js';
import { formatTime } from '../model/time.js';
import type { StoredSeries, VintageDates } from '../store/plan.js';
import { mapInTurns } from '../store/turns.js';
import type { Handlers } from './handler.js';
import { tooManySeries } from './points/plan-points.js';
import { readPointSelection } from './selection.js';

export const listVintages: Handlers['vintages'] = async ({ query, signal }, { store }) => {
  const plan = { selection: readPointSelection(query), includeHistorical: true };
  const series: StoredSeries[] = [];
  for await (const batch of store.series(plan, { signal })) {
    series.push(...batch);
    if (series.length > MAX_SERIES_PER_REQUEST) throw tooManySeries();
  }
  const { points, available, reporting } = await store.vintages({ series, limit: query.limit }, { signal });
  const data = {
    series: series.length,
    points,
    available_dates: await listDates(available),
    reporting_dates: await listDates(reporting),
    more: { available_dates: earlierDates(available), reporting_dates: earlierDates(reporting) },
  };
  return { data };
};

function listDates({ dates }: VintageDates): Promise<{ date: string; points: number }[]> {
  return mapInTurns(dates, ({ ms, points }) => ({ date: formatTime(ms), points }));
}

function earlierDates({ dates, total }: VintageDates): number {
  return total - dates.length;
}
