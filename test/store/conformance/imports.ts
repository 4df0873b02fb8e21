import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/model/errors.js';
import type { ConflictingPoint, Store } from '../../../src/store/store.js';
import { someOf } from '../../endurance.js';
import {
  allSeries,
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

/** @param isWhole false leaves out how vintages are merged */
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
      await expect(transaction.putPoints(newPoints([{ day: 0, value: 2 }]))).rejects.toThrow(/settled/);
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

    // Random vintages follow these rules in every store.
    if (!isWhole) return;

    it('count what they changed: nothing when the same figures are imported again, also later', async () => {
      expect(await importVintages(store, FIGURES)).toEqual({
        added: 3,
        revised: 0,
        unchanged: 0,
        series: 1,
        entities: 20,
      });
      const before = await readRows(store, { history: 'complete' });
      const later = FIGURES.map((vintage) => ({ ...vintage, available: 500 }));
      for (const again of [FIGURES, [...later].reverse()]) {
        expect(await importVintages(store, again, { imported: 500 })).toEqual({
          added: 0,
          revised: 0,
          unchanged: 3,
          series: 0,
          entities: 0,
        });
      }
      expect(await readRows(store, { history: 'complete' })).toEqual(before);
    });

    it('keep a figure that is said again with a date of its own, so that their order does not matter', async () => {
      const figure = (available: number, value: number): Vintage => ({ day: 0, value, available });
      for (const vintage of [figure(10, 5), figure(40, 5), figure(30, 6)])
        await importVintages(store, [vintage], { imported: 500 });
      expect(await values('complete')).toEqual([5, 6, 5]);
      expect(await values('latest')).toEqual([5]);
    });

    it('add a vintage when the value, unit or metadata differs', async () => {
      await importVintages(store, FIGURES);
      const changed: Vintage[] = [
        { ...FIGURES[0]!, unit: 2, available: 20 },
        { ...FIGURES[1]!, metadata: null, available: 20 },
        { ...FIGURES[2]!, value: null, available: 20 },
        { day: 3, value: 4, available: 20 },
      ];
      expect(await importVintages(store, changed)).toMatchObject({
        added: 4,
        revised: 3,
        unchanged: 0,
        series: 1,
      });
      expect(await values('latest')).toEqual([1, null, null, 4]);
      expect(await values('complete')).toEqual([1, 1, null, null, 3, null, 4]);
      expect((await allSeries(store))[0]).toMatchObject({ pointCount: 4, unit_id: 1 });
    });

    it('add older vintages without making them the latest', async () => {
      await importVintages(store, [{ day: 0, value: 5, reported: 50, available: 51 }]);
      const older: Vintage[] = [
        { day: 0, value: 3, reported: 30, available: 90 },
        { day: 0, value: 5, reported: 50, available: 40 },
      ];
      expect(await importVintages(store, older)).toMatchObject({ added: 2, revised: 2 });
      expect(await readRows(store)).toMatchObject([{ value: 5, available: 51 }]);
      expect(await readRows(store, { atMs: Date.UTC(2020, 1, 10) })).toMatchObject([
        { value: 5, available: 40 },
      ]);
    });

    it('keep one of several equal points, none of contradictory ones, and take an empty remark for none', async () => {
      const figure = (day: number, value: number | null, metadata: string | null = null): Vintage => ({
        day,
        value,
        available: 7,
        metadata,
      });
      const first = [figure(0, 1), figure(0, 1, '{"n":2}'), figure(9, 1, '')];
      expect(await importVintages(store, first)).toMatchObject({ added: 2 });
      expect(await readRows(store)).toMatchObject([
        { value: 1, metadata: '{"n":2}' },
        { day: 9, metadata: null },
      ]);
      const contradictory = [
        ...[figure(0, 3), figure(0, 4)],
        ...[figure(1, null), figure(1, 4)],
        ...[figure(2, 3), { ...figure(2, 3), unit: 2 }],
      ];
      const second = [...contradictory, figure(9, 1)];
      expect(await importVintages(store, second)).toMatchObject({ added: 0, unchanged: 1 });
      expect(await values('complete')).toEqual([1, 1]);
      expect(await importVintages(store, [figure(0, 3)])).toMatchObject({ added: 1, revised: 1 });
      expect(await values('complete')).toEqual([1, 3, 1]);
    });

    it.each(
      someOf(
        [
          { name: 'a report', of: { reported: 5, available: 6 }, expected: [1, 2, 2, 1, 3] },
          { name: 'a figure with an available date alone', of: { available: 6 }, expected: [1, 2, 2, 2, 3] },
          { name: 'a figure without dates', of: {}, expected: [1, 2, 2, 1, 3] },
        ],
        1,
      ),
    )(
      'keep $name as it was readable when it is corrected, repeated and corrected back',
      async ({ of, expected }) => {
        const answers: (number | null)[] = [];
        for (const [i, value] of [1, 2, 2, 1, 3].entries()) {
          const imported = 10 + 2 * i;
          await importVintages(store, [{ day: 0, value, available: imported, ...of }], { imported });
          answers.push((await readRows(store))[0]!.value);
        }
        expect(answers).toEqual(expected);
        const asOf = async (day: number) => (await readRows(store, { atMs: T0 + day * DAY }))[0]?.value;
        for (const [i, value] of answers.entries()) {
          expect(await asOf(10 + 2 * i)).toBe(value);
          expect(await asOf(11 + 2 * i)).toBe(value);
        }
      },
    );

    it('take the newest of several corrections of a report, and those of one moment one after another', async () => {
      const own = (available: number, value: number): Vintage => ({ day: 0, value, available });
      await importVintages(store, [own(10, 1), own(20, 2)]);
      // What was known from day 10 to day 20 is past: its correction would change answers, or hide the figure of day 20.
      expect(await importVintages(store, [own(10, 8), own(20, 2)], { imported: 30 })).toMatchObject({
        added: 0,
        unchanged: 2,
      });
      for (const value of [3, 4]) await importVintages(store, [own(20, value)], { imported: 20 });
      expect(await values('complete')).toEqual([1, 2, 3, 4]);
    });
  });
}
