import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { unpackLists } from '../../src/columns/packed-points.js';
import { demo } from '../../src/ingest/demo/demo.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { ImportBatch, Importer, RejectedRow } from '../../src/ingest/importer.js';
import { nass } from '../../src/ingest/nass/nass.js';
import { SOURCES } from '../../src/ingest/vocabulary/sources.js';
import { unitId } from '../../src/ingest/vocabulary/units.js';
import { yearsPeriod } from '../../src/model/calendar.js';
import type { Store } from '../../src/store/store.js';
import { cornSeries } from '../journeys/corn-states.js';
import { madeUpPoints } from './made-up-points.js';
import { allStoredSeries, newEmptyStore, newStore, storedPoints } from './stores.js';

const BULK = 'test/fixtures/nass/quick-stats.tsv';
const MANY = { maxRejectedShare: 0.2 };

/** One figure of one year, available when it is imported. */
const cornYield = (value: number): Importer =>
  madeUpPoints([SOURCES.nassCornStates], (points, availableMs) =>
    points.add(cornSeries(1)[0]!, {
      ...yearsPeriod(2020),
      ...{ value, unitId: unitId('ac'), reportingMs: null, availableMs },
    }),
  );

async function latestValues(store: Store): Promise<number[]> {
  const dates = { startMs: null, endMs: null, atMs: null, sinceMs: null };
  const plan = {
    series: await allStoredSeries(store),
    ...dates,
    withAvailableDate: false,
    withMetadata: false,
  };
  const values: number[] = [];
  for await (const { value } of unpackLists(store.points({ ...plan, history: 'latest' })))
    values.push(...value);
  return values;
}

describe('importDataset', () => {
  it('loads the demo data set, and changes nothing when it is imported again', async () => {
    const store = await newStore();
    const first = await importDataset(store, demo, { importedMs: Date.UTC(2026, 0, 2) });
    expect(first).toMatchObject({ dataset: 'demo', rows: 8908, added: 8908, series: 12, rejectedRows: 0 });
    const before = await storedPoints(store);
    const again = await importDataset(store, demo, { importedMs: Date.UTC(2026, 5, 2) });
    expect(again).toMatchObject({ rows: 8908, added: 0, revised: 0, unchanged: 8908, entities: 0 });
    expect(await storedPoints(store)).toEqual(before);
  });

  it('reports rejected rows, and passes all of them to onRejected', async () => {
    const store = await newStore();
    const received: RejectedRow[] = [];
    const options = {
      files: [BULK],
      ...MANY,
      onRejected: (rows: readonly RejectedRow[]) => void received.push(...rows),
    };
    const report = await importDataset(store, nass, options);
    expect(report).toMatchObject({ rows: 26, rejectedRows: 4, added: 22 });
    expect(report.rejected).toEqual(received);
    expect(received[0]).toMatchObject({ file: 'quick-stats.tsv', line: 24 });
  });

  it('stores nothing when too many rows are rejected', async () => {
    const store = await newEmptyStore();
    const attempt = importDataset(store, nass, { files: [BULK] });
    await expect(attempt).rejects.toThrow(
      '4 of 26 rows cannot be used, more than 5 %; the first is line 24 of quick-stats.tsv: the value "12 apples"',
    );
    expect(await storedPoints(store)).toEqual([]);
    expect(await store.lookup('regions', null, { limit: 10 })).toEqual([]);
  });

  it('stores nothing when it is aborted, and rejects with the reason of the signal', async () => {
    const store = await newStore();
    const reason = new Error('enough');
    const control = new AbortController();
    const onProgress = ({ label }: { label: string }): void => {
      if (label === 'figures') control.abort(reason);
    };
    await expect(importDataset(store, demo, { signal: control.signal, onProgress })).rejects.toBe(reason);
    expect(await storedPoints(store)).toEqual([]);
    expect((await importDataset(store, demo)).added).toBe(8908);
  });

  it('counts as newer than the last import what is imported with a clock that was set back, and says so', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 22) });
    onTestFinished(() => void vi.useRealTimers());
    const store = await newStore();
    const first = await importDataset(store, cornYield(10));
    expect(first.notes).toEqual([]);
    vi.setSystemTime(Date.UTC(2026, 10, 21));
    const second = await importDataset(store, cornYield(11));
    expect(second).toMatchObject({ added: 1, revised: 1 });
    expect(second.notes).toEqual([
      expect.stringMatching(
        /^the clock says 2026-11-21T00:00:00\.000Z, and the last import was at 2026-11-22T/,
      ),
    ]);
    const third = await importDataset(store, cornYield(12));
    expect(third.added).toBe(1);
    const latest = await latestValues(store);
    expect(latest).toEqual([12]);
  });

  it('ends early when enough rows are rejected', async () => {
    let batches = 0;
    const row = { file: 'x.csv', line: 2, reason: 'nonsense', text: '' };
    async function* read(): AsyncGenerator<ImportBatch> {
      for (; batches < 100; batches++) yield { rejected: Array.from({ length: 5000 }, () => row) };
    }
    const importer: Importer = { dataset: 'broken', summary: '', needsFiles: false, read };
    await expect(importDataset(await newStore(), importer)).rejects.toMatchObject({
      code: 'ingest',
      dataset: 'broken',
      file: 'x.csv',
      row: 2,
    });
    expect(batches).toBe(1);
  });
});
