import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sum } from '../../../src/store/plan.js';
import type { Store } from '../../../src/store/store.js';
import {
  allSeries,
  DAY,
  ITEMS,
  importVintages,
  key,
  METRICS,
  type OpenEmptyStore,
  T0,
} from './sample-data.js';

export function describeSeries(open: OpenEmptyStore): void {
  describe('series', () => {
    let store: Store;
    beforeAll(async () => {
      store = await open();
      await importVintages(store, [
        { day: 0, value: 1 },
        { day: 5, days: 2, value: null, unit: 2 },
        { of: { region_id: 22 }, day: 1, value: 2 },
        { of: { region_id: 29 }, day: 1, value: 3, unit: 6 },
        { of: { item_id: 3, source_id: 2 }, day: 1, value: 4, unit: 3 },
        { of: { partner_region_id: 22, metric_id: 2 }, day: 1, value: 5, unit: 5 },
        { of: { partner_region_id: 29, metric_id: 2 }, day: 1, value: 6, unit: 0 },
      ]);
    });
    afterAll(() => store.close());

    it('have dates, unit and point count, by ascending handle', async () => {
      const series = await allSeries(store);
      expect(series).toHaveLength(6);
      const handles = series.map(({ handle }) => handle);
      expect(handles).toEqual([...new Set(handles)].sort((a, b) => a - b));
      expect(
        series.find(
          ({ region_id, item_id, metric_id }) => region_id === 21 && item_id === 2 && metric_id === 1,
        ),
      ).toMatchObject({
        ...key(),
        handle: expect.any(Number),
        unit_id: 2,
        startMs: T0,
        endMs: T0 + 7 * DAY,
        pointCount: 2,
      });
    });

    it('are restricted by every field of a selection; an empty list selects none', async () => {
      const regions = async (selection: object) =>
        (await allSeries(store, selection)).map(({ region_id }) => region_id).sort();
      expect(await regions({ region_id: [22, 29, 99] })).toEqual([22, 29]);
      expect(await regions({ metric_id: [1], source_id: [2] })).toEqual([21]);
      expect(await regions({ partner_region_id: [0], item_id: [2] })).toEqual([21, 22, 29]);
      expect(await regions({ frequency_id: [1] })).toEqual([]);
      expect(await regions({ item_id: [] })).toEqual([]);
      const many = Array.from({ length: 2_000 }, (_, id) => id);
      expect(await regions({ region_id: many, metric_id: [1], item_id: [2] })).toEqual([21, 22, 29]);
    });

    it('stop with the given reason when aborted', async () => {
      const reason = new Error('enough');
      const options = { signal: AbortSignal.abort(reason) };
      const iterator = store.series({ selection: {} }, options)[Symbol.asyncIterator]();
      await expect(iterator.next()).rejects.toBe(reason);
    });
  });

  describe('sums', () => {
    it('are of the latest values of each combination and unit', async () => {
      const store = await open();
      await importVintages(store, [
        { day: 0, value: 5 },
        { day: 10, value: 7 },
        { day: 20, value: 100 },
        { day: 20, value: null, reported: 5, available: 120 },
        { day: 30, value: 1000 },
        { of: { region_id: 22 }, day: 0, days: 9, value: 12 },
        { of: { region_id: 22 }, day: 10, value: 50, unit: 2 },
        { of: { region_id: 29 }, day: 10, value: 3 },
        { of: { region_id: 29, partner_region_id: 21 }, day: 10, value: 4 },
        { of: { region_id: 10 }, day: 10, value: null },
        { of: { region_id: 11, source_id: 2 }, day: 10, value: 999 },
      ]);
      const selection = { metric_id: [1], item_id: [2], source_id: [1], frequency_id: [9] };
      const plan = { selection, startMs: T0 + 5 * DAY, endMs: T0 + 25 * DAY };
      const fields = { metric_id: 1, item_id: 2, source_id: 1, frequency_id: 9 };
      const byRegion = (sums: readonly Sum[]) =>
        sums.toSorted((a, b) => a.region_id - b.region_id || a.unit_id - b.unit_id);
      expect(byRegion(await store.sums(plan))).toEqual([
        { ...fields, region_id: 21, unit_id: 1, value: 7 },
        { ...fields, region_id: 22, unit_id: 1, value: 12 },
        { ...fields, region_id: 22, unit_id: 2, value: 50 },
        { ...fields, region_id: 29, unit_id: 1, value: 7 },
      ]);
      const [first] = byRegion(await store.sums({ ...plan, startMs: null, endMs: null }));
      expect(first).toMatchObject({ region_id: 21, value: 1012 });
      await store.close();
    });

    const EXACT: readonly (readonly [of: string, values: readonly number[], sum: number])[] = [
      ['values that cancel out', [1e16, 1, -1e16, 0.25], 1.25],
      ['more of them than two', [1e100, 1, -1e100, 1e16, -1e16, 2], 3],
      ['values of the whole range of doubles', [1e300, -1e300, 1e-280, 7, -7], 1e-280],
      ['powers of two', [2 ** 64, 1, -(2 ** 64), -(2 ** 32), 2 ** 32], 1],
      ['many fractions', Array<number>(1000).fill(0.1), 100],
      ['the largest double', [Number.MAX_VALUE, -1], Number.MAX_VALUE],
      ['a sum beyond the largest double', [Number.MAX_VALUE, Number.MAX_VALUE], Number.POSITIVE_INFINITY],
      ['zeros', [0, 0], 0],
    ];
    const seriesOf = (number: number) => ({
      metric_id: 1 + (number % METRICS.length),
      item_id: 1 + ((number >> 1) % ITEMS.length),
      source_id: number < 6 ? 1 : 2,
    });

    it('are exact, whatever is added', async () => {
      const store = await open();
      // Of two regions each in its own order, and of two partners, which are of one sum.
      const places = [{ region_id: 21 }, { region_id: 22 }, { region_id: 22, partner_region_id: 29 }];
      const vintages = EXACT.flatMap(([, values], number) =>
        places.flatMap((place, at) =>
          (at === 0 ? values : values.toReversed())
            .filter((_, day) => at === 0 || day % 2 === at - 1)
            .map((value, day) => ({ of: { ...seriesOf(number), ...place }, day, value })),
        ),
      );
      await importVintages(store, vintages);
      for (const [number, [of, , sum]] of EXACT.entries()) {
        const { metric_id, item_id, source_id } = seriesOf(number);
        const selection = { metric_id: [metric_id], item_id: [item_id], source_id: [source_id] };
        const found = await store.sums({ selection, startMs: null, endMs: null });
        expect(
          found.map(({ value }) => value),
          of,
        ).toEqual([sum, sum]);
      }
      await store.close();
    });
  });
}
