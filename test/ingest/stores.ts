import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open.js';
import type { StoredSeries } from '../../src/store/plan.js';
import type { Store } from '../../src/store/store.js';
import { type PlainPoint, plainPoints } from './collect.js';

/** A new empty store in a folder of its own, gone when the test has finished. */
export async function newStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-ingest-'));
  const store = await openStore(join(folder, 'store'));
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return store;
}

/** Every capture that a store holds, ordered by series, period, reporting and available date. */
export async function storedPoints(store: Store): Promise<PlainPoint[]> {
  const series: StoredSeries[] = [];
  for await (const batch of store.series({ selection: {}, includeHistorical: true })) series.push(...batch);
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
  const points: PlainPoint[] = [];
  for await (const columns of store.points(plan)) {
    const { available_date } = columns;
    if (available_date === undefined) throw new Error('the store left out the available dates asked for');
    points.push(...plainPoints({ series, columns: { ...columns, available_date } }));
  }
  const text = (point: PlainPoint): string => JSON.stringify(point);
  return points.sort((a, b) => (text(a) < text(b) ? -1 : 1));
}
