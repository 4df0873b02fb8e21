import { onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open.js';
import type { StoredSeries } from '../../src/store/plan.js';
import type { Store } from '../../src/store/store.js';
import { plainPoints } from './collect.js';

/** A new empty store, gone when the test has finished. */
export async function newStore(): Promise<Store> {
  const store = await openStore(':memory:');
  onTestFinished(() => store.close());
  return store;
}

/** Every series that a store holds, by handle. */
export async function allStoredSeries(store: Store): Promise<StoredSeries[]> {
  const series: StoredSeries[] = [];
  for await (const batch of store.series({ selection: {}, includeHistorical: true })) series.push(...batch);
  return series;
}

/** Every vintage that a store holds as JSON of a `PlainPoint`, in one order whatever the order of the imports. */
export async function storedPoints(store: Store): Promise<string[]> {
  const series = await allStoredSeries(store);
  const plan = {
    series,
    startMs: null,
    endMs: null,
    history: 'complete' as const,
    atMs: null,
    sinceMs: null,
    withAvailableDate: true,
    withMetadata: true,
  };
  // Handles count series as they came.
  const keys = series.map(({ handle: _, ...key }) => key);
  const texts: string[] = [];
  for await (const columns of store.points(plan)) {
    const { available_date } = columns;
    if (available_date === undefined) throw new Error('the store left out the available dates asked for');
    const points = plainPoints({ series: keys, columns: { ...columns, available_date } });
    texts.push(...points.map((point) => JSON.stringify(point)));
  }
  if (new Set(texts).size !== texts.length) throw new Error('the store gave a vintage twice');
  return texts.sort();
}
