import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PackedPoints, unpackPoints } from '../../../src/columns/packed-points.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import {
  allSeries,
  EVERYTHING,
  importVintages,
  readRows,
  rowsOf,
  type Vintage,
} from '../conformance/sample-data.js';
import { runSql } from './run-sql.js';

describe('what the points of a series have in common', () => {
  let folder: string;
  let path: string;
  let store: Store;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'common-'));
    path = join(folder, 'store.db');
    store = await openStore(path);
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const plain: readonly Vintage[] = [0, 1, 2].map((day) => ({ day, value: day }));
  const add = (...vintages: Vintage[]) => importVintages(store, vintages, { entities: false });

  it('is not used for points that were imported since', async () => {
    await importVintages(store, plain);
    const series = await allSeries(store);
    await add({ day: 1, days: 1, value: 7, unit: 2, reported: 3, metadata: '{}' }, { day: 0.5, value: 8 });
    const rows = await readRows(store, { series });
    expect(rows).toEqual(await readRows(store));
    expect(rows.map(({ day, value, unit, reported }) => [day, value, unit, reported])).toEqual([
      [0, 0, 1, null],
      [0.5, 8, 1, null],
      [1, 1, 1, null],
      [1, 7, 2, 3],
      [2, 2, 1, null],
    ]);
  });

  it('is read by many at once, each into memory of its own', async () => {
    const regions = [21, 22, 29, 211];
    const vintages = regions.flatMap((region_id) =>
      Array.from({ length: 300 }, (_, i): Vintage => {
        const day = region_id === 22 ? i : i + (i % region_id);
        return { of: { region_id }, day, days: region_id === 211 ? i % 3 : 0, value: i };
      }),
    );
    await importVintages(store, vintages);
    const series = await allSeries(store);
    const expected = await readRows(store, { series: series.map(({ common: _, ...one }) => one) });
    const plans = Array.from({ length: 48 }, (_, i) => series.slice(i % 3));
    const read = await Promise.all(
      plans.map(async (wanted) => {
        const lists: (readonly PackedPoints[])[] = [];
        for await (const list of store.points({ ...EVERYTHING, series: wanted })) lists.push(list);
        return lists.flat();
      }),
    );
    for (const [i, parts] of read.entries()) {
      const rows = rowsOf(unpackPoints(parts)).map((row) => ({ ...row, series: row.series + (i % 3) }));
      expect(rows).toEqual(expected.filter((row) => row.series >= i % 3));
    }
  });

  it('is verified by the search for faults', async () => {
    await importVintages(store, plain);
    expect(await store.findFaults()).toEqual([]);
    const wrong = {
      unit_id: '2',
      start_date: "TIMESTAMP_MS '1999-01-01'",
      end_date: "TIMESTAMP_MS '1999-01-01'",
      has_one_unit: 'false',
      period_days: 'NULL',
      has_times: 'true',
      has_reporting_dates: 'true',
      has_metadata: 'NULL',
      available_date: 'NULL',
    };
    await store.close();
    const assigned = Object.entries(wrong).map(([column, value]) => `${column} = ${value}`);
    await runSql(path, `UPDATE series SET ${assigned.join(', ')}`);
    store = await openStore(path);
    const [fault, ...more] = await store.findFaults();
    expect(more).toEqual([]);
    const [, columns] = /^series 0 does not match its points in these columns: (.*)$/.exec(fault!)!;
    expect(columns!.split(', ').sort()).toEqual(Object.keys(wrong).sort());
  });
});
