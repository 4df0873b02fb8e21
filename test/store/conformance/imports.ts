import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/model/errors.js';
import type { ConflictingPoint, Store } from '../../../src/store/store.js';
import {
  DAY,
  importVintages,
  newPoints,
  type OpenEmptyStore,
  putSampleEntities,
  readRows,
  T0,
  type Vintage,
} from './sample-data.js';

const FIGURES: readonly Vintage[] = [
  { day: 0, value: 1, reported: 10, available: 11 },
  { day: 1, value: null, reported: 10, available: 11, metadata: '{"note":"withheld"}' },
  { day: 2, value: 3, available: 11 },
];

/** @param isWhole false leaves out remarks */
export function describeImports(open: OpenEmptyStore, isWhole = true): void {
  describe('imports', () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const values = async (history: 'latest' | 'complete') =>
      (await readRows(store, { history })).map(({ value }) => value);

    it('settle points across parts of an import, and name contradictory ones', async () => {
      const transaction = await store.begin();
      await putSampleEntities(transaction);
      const parts: Vintage[][] = [
        [
          { day: 0, value: 1 },
          { day: 1, value: 5 },
          { day: 2, value: null },
        ],
        [
          { day: 0, value: 1 },
          { day: 1, value: 6 },
          { day: 3, value: 9, available: 5 },
        ],
        [
          { day: 1, value: 5 },
          { day: 3, value: 8, available: 6 },
        ],
      ];
      for (const part of parts) await transaction.putPoints(newPoints(part));
      const conflicts: ConflictingPoint[] = [];
      const onConflicts = (points: readonly ConflictingPoint[]) => void conflicts.push(...points);
      expect(await transaction.settle({ onConflicts })).toEqual({
        points: 3,
        nulls: 1,
        duplicates: 1,
        conflicts: 3,
      });
      expect(conflicts.map(({ file, value, other }) => [file, value, other.value]).sort()).toEqual([
        [null, 5, 6],
        [null, 5, 6],
        [null, 6, 5],
      ]);
      expect(conflicts[0]).toMatchObject({ metric: 'Production', startMs: T0 + DAY, endMs: T0 + DAY });
      await expect(transaction.putPoints(newPoints([{ day: 0, value: 2 }]))).rejects.toThrow(
        /being committed/,
      );
      expect(await transaction.commit()).toMatchObject({ added: 4, revised: 1 });
      expect(await values('latest')).toEqual([1, null, 8]);
    });

    it('change the version with each commit, and only then', async () => {
      const versions = [await store.version()];
      await importVintages(store, FIGURES);
      versions.push(await store.version());
      const transaction = await store.begin();
      await transaction.rollback();
      expect(await store.version()).toBe(versions[1]);
      await importVintages(store, FIGURES);
      versions.push(await store.version());
      expect(new Set(versions).size).toBe(3);
    });

    it('are invisible until they are committed, and leave nothing behind when rolled back', async () => {
      await importVintages(store, FIGURES);
      const begin = async () => {
        const transaction = await store.begin();
        await transaction.putEntities('items', [{ id: 8, name: 'Oats', definition: '', belongsTo: [1] }]);
        await transaction.putShapes([{ region_id: 21, detail: 'full', geojson: '{}' }]);
        await transaction.putPoints(newPoints([{ day: 0, value: 77, reported: 99 }]));
        return transaction;
      };
      const visible = async () => [
        (await store.lookup('items', [8])).length,
        (await store.shapes([21], 'full')).length,
        await values('latest'),
      ];
      const transaction = await begin();
      expect(await visible()).toEqual([0, 0, [1, null, 3]]);
      await transaction.rollback();
      await transaction.rollback();
      expect(await visible()).toEqual([0, 0, [1, null, 3]]);
      await (await begin()).commit();
      expect(await visible()).toEqual([1, 1, [77, null, 3]]);
      await expect(transaction.putPoints(newPoints([]))).rejects.toThrow(StoreError);
      await expect(transaction.commit()).rejects.toThrow(/has ended/);
    });

    it('leave nothing behind when aborted during the commit, and another can begin', async () => {
      await importVintages(store, FIGURES);
      const transaction = await store.begin();
      await transaction.putPoints(newPoints([{ day: 9, value: 9 }]));
      const reason = new Error('stopped by the user');
      const controller = new AbortController();
      const commit = transaction.commit({
        signal: controller.signal,
        onProgress: () => controller.abort(reason),
      });
      await expect(commit).rejects.toBe(reason);
      expect(await values('latest')).toEqual([1, null, 3]);
      expect(await importVintages(store, [{ day: 9, value: 9 }])).toMatchObject({ added: 1 });
    });

    it('are rolled back when the store is closed during the commit', async () => {
      const transaction = await store.begin();
      await putSampleEntities(transaction);
      await transaction.putPoints(newPoints(FIGURES));
      let closed: Promise<void> | null = null;
      const commit = transaction.commit({
        onProgress: () => {
          closed ??= store.close();
        },
      });
      await expect(commit).rejects.toThrow(StoreError);
      await closed;
      await expect(store.version()).rejects.toThrow(/closed/);
    });

    it('run one at a time', async () => {
      const transaction = await store.begin();
      await expect(store.begin()).rejects.toThrow(/another import is running/);
      await transaction.rollback();
      await (await store.begin()).rollback();
    });

    it('refuse points of what does not exist, and invalid ones', async () => {
      const importOf = (of: object) => importVintages(store, [{ of, day: 0, value: 1 }]);
      await expect(importOf({ metric_id: 99 })).rejects.toThrow(/metric_id 99, but there is no metric 99/);
      await expect(importOf({ partner_region_id: 99 })).rejects.toThrow(/there is no region 99/);
      await expect(importOf({ frequency_id: 2 })).rejects.toThrow(/there is no frequency 2/);
      expect(await store.lookup('items', null, { limit: 10 })).toEqual([]);
      await expect(importVintages(store, [{ day: 0, value: 1, unit: 99 }])).rejects.toThrow(/no unit 99/);
      await expect(importVintages(store, [{ day: 0, days: -1, value: 1 }])).rejects.toThrow(/ends earlier/);
      const transaction = await store.begin();
      const { series, columns } = newPoints([
        { day: 0, value: 1 },
        { day: 1, value: 1 },
      ]);
      await expect(transaction.putPoints({ series: [], columns })).rejects.toThrow(/but only 0 are listed/);
      const short = { ...columns, value: new Float64Array(1) };
      await expect(transaction.putPoints({ series, columns: short })).rejects.toThrow(
        /column value has fewer values/,
      );
      await transaction.rollback();
    });

    it('record the last import of each source, which nothing that is rolled back does', async () => {
      const importDay = async (day: number, { source = 1, isRecorded = true } = {}) => {
        const transaction = await store.begin();
        await putSampleEntities(transaction);
        await transaction.putPoints(newPoints([{ of: { source_id: source }, day, value: day }]));
        if (isRecorded)
          await transaction.record({ imported: { dataset: 'crops', sourceIds: [source], importedMs: day } });
        return transaction;
      };
      expect(await store.sourceImports()).toEqual([]);
      await (await importDay(1, { isRecorded: false })).commit();
      expect(await store.sourceImports()).toMatchObject([{ dataset: null, importedMs: null }]);
      for (const source of [1, 2, 1]) await (await importDay(2 + source, { source })).commit();
      await (await importDay(9)).rollback();
      expect(await store.sourceImports()).toEqual([
        { sourceId: 1, series: 1, points: 2, dataset: 'crops', importedMs: 3 },
        { sourceId: 2, series: 1, points: 1, dataset: 'crops', importedMs: 4 },
      ]);
      expect(await store.findFaults()).toEqual([]);
    });

    if (!isWhole) return;

    it('keep the remark of the last of equal points, and take an empty remark for none', async () => {
      const figure = (day: number, metadata: string): Vintage => ({ day, value: 1, available: 7, metadata });
      await importVintages(store, [
        { ...figure(0, ''), metadata: null },
        figure(0, '{"n":2}'),
        figure(9, ''),
      ]);
      const rows = await readRows(store);
      expect(rows.map(({ day, metadata }) => [day, metadata])).toEqual([
        [0, '{"n":2}'],
        [9, null],
      ]);
    });

    it('keep a remark of each of many points, in the order of their dates', async () => {
      const count = 17_500;
      const vintages = Array.from({ length: count }, (_, i) => ({
        of: { region_id: i % 2 === 0 ? 21 : 22 },
        day: count - i,
        value: i,
        metadata: `{"n":${i}}`,
      }));
      const transaction = await store.begin();
      await putSampleEntities(transaction);
      for (const [from, to] of [
        [0, 17_000],
        [17_000, count - 100],
        [count - 100, count],
      ])
        await transaction.putPoints(newPoints(vintages.slice(from, to)));
      await transaction.commit();
      const rows = await readRows(store);
      expect(rows).toHaveLength(count);
      const wrong = rows.filter(
        ({ day, value, metadata }) => day !== count - value! || metadata !== `{"n":${value}}`,
      );
      expect(wrong).toEqual([]);
    });
  });
}
