import type { PointColumns } from '../../src/columns/point-columns.js';
import type { StoredSeries } from '../../src/store/plan.js';
import type { Store } from '../../src/store/store.js';
import { keyOf } from './big-store.js';

/** The latest points of these series of the big store, without a service. */
export async function readPoints(store: Store, wanted: readonly number[]): Promise<PointColumns[]> {
  const keys = wanted.map(keyOf);
  const selection = {
    metric_id: [2],
    item_id: [...new Set(keys.map((key) => key.item_id))],
    region_id: [...new Set(keys.map((key) => key.region_id))],
    partner_region_id: [0],
    frequency_id: [1],
  };
  const isWanted = new Set(keys.map(({ item_id, region_id }) => `${item_id}/${region_id}`));
  const series: StoredSeries[] = [];
  for await (const batch of store.series({ selection, includeHistorical: true })) {
    series.push(...batch.filter(({ item_id, region_id }) => isWanted.has(`${item_id}/${region_id}`)));
  }
  const dates = { startMs: null, endMs: null, atMs: null, sinceMs: null };
  const plan = {
    ...dates,
    series,
    history: 'latest' as const,
    withAvailableDate: false,
    withMetadata: false,
  };
  const batches: PointColumns[] = [];
  for await (const columns of store.points(plan)) batches.push(columns);
  return batches;
}
