import { onTestFinished } from 'vitest';
import { unpackLists } from '../../src/columns/packed-points.js';
import { openStore } from '../../src/store/open.js';
import type { StoredSeries } from '../../src/store/plan.js';
import type { Store } from '../../src/store/store.js';
import { openRegionStore } from '../store-templates.js';
import { plainPoints } from './collect.js';

/** A new empty store, closed when the test has finished. */
export async function newEmptyStore(): Promise<Store> {
  const store = await openStore(':memory:');
  onTestFinished(() => store.close());
  return store;
}

/** A new store that has what every importer brings, closed when the test has finished. */
export async function newStore(): Promise<Store> {
  const store = await openRegionStore();
  onTestFinished(() => store.close());
  return store;
}

/** All series of a store, by handle. */
export async function allStoredSeries(store: Store): Promise<StoredSeries[]> {
  const series: StoredSeries[] = [];
  for await (const batch of store.series({ selection: {} })) series.push(...batch);
  return series;
}

/** All vintages of a store as sorted JSON of `PlainPoint`, independent of the order of imports. */
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
  // Handles depend on the order of imports.
  const keys = series.map(({ handle: _, common: __, ...key }) => key);
  const texts: string[] = [];
  for await (const columns of unpackLists(store.points(plan))) {
    const { available_date } = columns;
    if (available_date === undefined) throw new Error('the store did not return the available dates');
    const points = plainPoints({ series: keys, columns: { ...columns, available_date } });
    texts.push(...points.map((point) => JSON.stringify(point)));
  }
  if (new Set(texts).size !== texts.length) throw new Error('the store returned a vintage twice');
  return texts.sort();
}
