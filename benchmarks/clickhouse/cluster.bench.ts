import type { StoredSeries, TopPlan } from '../../src/store/plan.js';
import type { Store } from '../../src/store/store.js';
import { WHOLE } from '../stores/daily-store.js';
import type { Wanted } from '../stores/engine.js';
import { neighbouring, scattered, singles } from '../stores/selections.js';
import type { WorkloadMaker } from '../workload.js';
import { type AskStore, embedded } from './embedded.js';
import { served } from './served.js';

/** What was available at the end of the century: every vintage is looked at. */
const AT_MS = 4_102_444_800_000;

function readAsOf(wanted: Wanted): AskStore {
  const known = new Map<Store, StoredSeries[]>();
  return async (store) => {
    const all = known.get(store) ?? [];
    if (!known.has(store))
      for await (const batch of store.series({ selection: {}, includeHistorical: true })) all.push(...batch);
    known.set(store, all);
    const total = { rows: 0, sum: 0 };
    const points = store.points({
      series: wanted.map((series) => all[series]!),
      startMs: null,
      endMs: null,
      history: 'latest',
      atMs: AT_MS,
      sinceMs: null,
      withAvailableDate: false,
      withMetadata: false,
    });
    for await (const list of points)
      for (const { length, value } of list) {
        total.rows += length;
        for (let row = 0; row < length; row++) total.sum += value[row]!;
      }
    return total;
  };
}

/** The sums of all series, which are one for each item and region. */
const TOP: TopPlan = { by: 'region_id', selection: {}, startMs: null, endMs: null, limit: WHOLE.series };

const readTop: AskStore = async (store) => {
  const rows = await store.top(TOP);
  return { rows: rows.length, sum: rows.reduce((sum, { value }) => sum + value, 0) };
};

const EVERY = Array.from({ length: WHOLE.series }, (_, series) => series);
const HUNDRED = scattered(100, WHOLE);

/** How many times as long as the raw query the service may take for 100 series. */
const MAX_OVERHEAD = 1.5;

export const workloads: WorkloadMaker[] = [
  served({ name: 'one series, 100 requests in a row', requests: singles(100, WHOLE) }),
  served({ name: '100 scattered series', requests: [HUNDRED], maxOverhead: MAX_OVERHEAD }),
  served({ name: '1,000 neighbouring series', requests: [neighbouring(1_000, WHOLE)] }),
  embedded('100 scattered series as of a date', { ask: 'as-of', queries: [HUNDRED] }, readAsOf(HUNDRED)),
  embedded('top of all 20 million points', { ask: 'top', queries: [EVERY] }, readTop),
];
