import { afterAll, beforeAll, expect, it } from 'vitest';
import { demo } from '../../src/ingest/demo/demo.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { warmUp } from '../../src/service/warm-up.js';
import { openStore } from '../../src/store/open.js';
import type { PointPlan } from '../../src/store/plan.js';
import type { Store } from '../../src/store/store.js';
import { openFilledStore } from '../store-templates.js';

let store: Store;
beforeAll(async () => {
  store = await openFilledStore('demo', (empty) => importDataset(empty, demo));
});
afterAll(() => store?.close());

/** A store that calls back with each plan of points that is read of it, and with how many were read before. */
function watched(whole: Store, onPlan: (plan: PointPlan, before: number) => void): Store {
  let plans = 0;
  return {
    ...whole,
    points(plan, options) {
      onPlan(plan, plans++);
      return whole.points(plan, options);
    },
  };
}

it('reads one series, ten, and as many as have 200,000 points', async () => {
  const asked: { series: number; points: number }[] = [];
  const note = ({ series }: PointPlan) =>
    asked.push({
      series: series.length,
      points: series.reduce((sum, { pointCount }) => sum + pointCount, 0),
    });
  await warmUp(watched(store, note), new AbortController().signal);
  const series = asked.map((plan) => plan.series);
  expect(series.slice(0, 30)).toEqual([...Array(20).fill(1), ...Array(10).fill(10)]);
  expect(series.slice(30)).toEqual(Array(4).fill(series[30]));
  expect(series[30]).toBeGreaterThan(10);
  expect(Math.max(...asked.map(({ points }) => points))).toBeLessThanOrEqual(200_000);
  expect(asked[0]!.points).toBeGreaterThan(0);
});

it('looks up what its series are named by, and their units', async () => {
  const types: string[] = [];
  const noting: Store = {
    ...store,
    lookup(type, ids, options) {
      types.push(type);
      return store.lookup(type, ids, options);
    },
  };
  await warmUp(noting, new AbortController().signal);
  const named = ['metrics', 'items', 'regions', 'regions', 'sources', 'frequencies', 'units'];
  expect(types.slice(-35)).toEqual(Array(5).fill(named).flat());
});

it('ends with its signal', async () => {
  const stop = new AbortController();
  const counts: number[] = [];
  await warmUp(
    watched(store, (_, before) => {
      counts.push(before);
      if (before === 4) stop.abort();
    }),
    stop.signal,
  );
  expect(counts).toEqual([0, 1, 2, 3, 4]);
});

it('asks nothing of a store without series', async () => {
  const empty = await openStore(':memory:');
  const counts: number[] = [];
  await warmUp(
    watched(empty, (_, before) => counts.push(before)),
    new AbortController().signal,
  );
  expect(counts).toEqual([]);
  await empty.close();
});

it('leaves a failure for a request to tell', async () => {
  const failing = watched(store, () => {
    throw new Error('the disk is gone');
  });
  await expect(warmUp(failing, new AbortController().signal)).resolves.toBeUndefined();
});
