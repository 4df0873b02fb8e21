import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

    it('are restricted by thousands of ids', async () => {
      const region_id = Array.from({ length: 2_000 }, (_, i) => 2 * i + 1);
      const found = await allSeries(store, { region_id, metric_id: [1], item_id: [2] });
      expect(found.map(({ region_id }) => region_id).sort()).toEqual([21, 29]);
    });

    it('stop with the given reason when aborted', async () => {
      const reason = new Error('enough');
      const options = { signal: AbortSignal.abort(reason) };
      const iterator = store.series({ selection: {} }, options)[Symbol.asyncIterator]();
      await expect(iterator.next()).rejects.toBe(reason);
    });
  });

  describe('sums', () => {
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
