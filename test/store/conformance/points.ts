import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isValid } from '../../../src/columns/bitmap.js';
import { unpackLists } from '../../../src/columns/packed-points.js';
import type { ImportCounts } from '../../../src/model/importing/outcome.js';
import { DAY_MS } from '../../../src/model/time.js';
import type { PointPlan } from '../../../src/store/plan.js';
import type { Store } from '../../../src/store/store.js';
import { countRuns } from '../../endurance.js';
import {
  allSeries,
  DAY,
  dailyPoints,
  EVERYTHING,
  importVintages,
  type OpenEmptyStore,
  putSampleEntities,
  REGIONS,
  readRows,
  T0,
  type Vintage,
} from './sample-data.js';

/** A period with several vintages: without a reporting date, reported on day 50, and on day 60 with a correction. */
const REVISED: readonly Vintage[] = [
  { day: 0, value: 1, available: 40 },
  { day: 0, value: 2, reported: 50, available: 51 },
  { day: 0, value: 3, reported: 60, available: 61 },
  { day: 0, value: 4, reported: 60, available: 70, metadata: '{"flag":"R"}' },
  { day: 0, value: 9, available: 80 },
  { day: 1, value: 5, reported: 50, available: 51 },
  { day: 1, value: null, reported: 60, available: 61 },
];

/** What is read of them by a plan, whose times are in days. */
const READ: readonly (readonly [plan: Partial<PointPlan>, values: readonly (number | null)[]])[] = [
  [{}, [4, null]],
  [{ history: 'reporting' }, [9, 2, 4, 5, null]],
  [{ history: 'complete' }, [1, 9, 2, 3, 4, 5, null]],
  [{ atMs: 39 }, []],
  [{ atMs: 40 }, [1]],
  [{ atMs: 61 }, [3, null]],
  [{ atMs: 61, history: 'reporting' }, [1, 2, 3, 5, null]],
  [{ sinceMs: 61 }, [4, null]],
  [{ sinceMs: 61, history: 'complete' }, [9, 3, 4, null]],
  [{ sinceMs: 51, atMs: 51 }, [2, 5]],
  [{ startMs: 1 }, [null]],
  [{ endMs: 0 }, [4]],
  [{ endMs: 1, startMs: 0 }, [4, null]],
];

export function describePoints(open: OpenEmptyStore): void {
  describe('points', () => {
    let store: Store;
    beforeAll(async () => {
      store = await open();
      await importVintages(store, REVISED);
    });
    afterAll(() => store.close());
    it.each(READ)('are read by %j', async (plan, values) => {
      const times = Object.entries(plan).map(([name, days]) => [name, T0 + Number(days) * DAY] as const);
      const inMs = Object.fromEntries(times.filter(([name]) => name !== 'history'));
      expect((await readRows(store, { ...plan, ...inMs })).map(({ value }) => value)).toEqual(values);
    });

    it('have available dates and metadata only on request', async () => {
      const series = await allSeries(store);
      for (const wanted of [true, false]) {
        const plan = { ...EVERYTHING, series, withAvailableDate: wanted, withMetadata: wanted };
        for await (const list of store.points(plan)) {
          expect(list.map(({ available_date }) => available_date !== undefined)).toEqual([wanted]);
          expect(list.map(({ metadata }) => metadata !== undefined)).toEqual([wanted]);
        }
      }
    });

    it('have positions in the plan as series numbers, counting series without points', async () => {
      const regions = [22, 29, 211, 10];
      const added = regions.map((region_id, i) => ({ of: { region_id }, day: 10 * i, value: region_id }));
      await importVintages(store, added, { entities: false });
      const every = await allSeries(store);
      const series = every.filter(({ region_id }) => region_id !== 22);
      const rows = await readRows(store, { series, startMs: T0 + 20 * DAY });
      expect(rows.map((row) => [series[row.series]!.region_id, row.value])).toEqual(
        series
          .filter(({ startMs }) => startMs >= T0 + 20 * DAY)
          .map(({ region_id }) => [region_id, region_id]),
      );
      expect(await readRows(store, { series: [] })).toEqual([]);
    });
  });

  describe('many points', () => {
    /** At night, more than a ClickHouse store has connections. */
    const CONSUMERS = countRuns({ quick: 10, all: 70 });
    let store: Store;
    beforeAll(async () => {
      store = await open();
      const counts = { added: SERIES * DAYS, revised: 0, series: SERIES };
      expect(await importDaily(store)).toMatchObject(counts);
    });
    afterAll(() => store.close());

    it('are returned in batches of at most 65,536 rows, in order and complete', async () => {
      const series = await allSeries(store);
      const position = new Map(series.map(({ region_id }, i) => [i, region_id]));
      let rows = 0;
      let wrong = 0;
      for await (const columns of unpackLists(store.points({ ...EVERYTHING, series }))) {
        expect(columns.length).toBeLessThanOrEqual(65_536);
        for (let i = 0; i < columns.length; i++, rows++) {
          const day = rows % DAYS;
          const region = position.get(columns.series[i]!)!;
          const wanted = day % 100 === 0 ? Number.NaN : region + day;
          const valid = isValid(columns.value_valid, i);
          if (columns.start_date[i] !== BigInt(T0 + day * DAY_MS) || valid === Number.isNaN(wanted)) wrong++;
          else if (valid && columns.value[i] !== wanted) wrong++;
        }
      }
      expect({ rows, wrong }).toEqual({ rows: SERIES * DAYS, wrong: 0 });
    });

    it('of scattered series and of ranges are in order and complete', async () => {
      const series = await allSeries(store);
      const plans = [
        series.filter((_, i) => i % 2 === 0),
        series.filter((_, i) => i % 10 === 3),
        series.filter((_, i) => i % 10 < 7),
        [...series.slice(0, 9), ...series.slice(10)],
        series,
      ];
      for (const wanted of plans) {
        const rows = await readRows(store, {
          series: wanted,
          startMs: T0 + 100 * DAY,
          endMs: T0 + 129 * DAY,
        });
        expect(rows.map(({ series: position, day, value }) => [position, day, value])).toEqual(
          wanted.flatMap(({ region_id }, position) =>
            Array.from({ length: 30 }, (_, i) => [position, 100 + i, i === 0 ? null : region_id + 100 + i]),
          ),
        );
        const all = await readRows(store, { series: wanted });
        expect(all).toHaveLength(wanted.length * DAYS);
        const wrong = all.filter(({ series: position, day, value }, i) => {
          const expected = day % 100 === 0 ? null : wanted[position]!.region_id + day;
          return position !== Math.floor(i / DAYS) || day !== i % DAYS || value !== expected;
        });
        expect(wrong).toEqual([]);
      }
    });

    it('stop with the given reason when aborted, before and during reading', async () => {
      const series = await allSeries(store);
      const reason = new Error('no longer wanted');
      await expect(drain(store, { ...EVERYTHING, series }, AbortSignal.abort(reason))).rejects.toBe(reason);
      const controller = new AbortController();
      const consume = async () => {
        for await (const _ of store.points({ ...EVERYTHING, series }, { signal: controller.signal }))
          controller.abort(reason);
      };
      await expect(consume()).rejects.toBe(reason);
      expect(await readRows(store, { series: series.slice(0, 1) })).toHaveLength(DAYS);
    });

    it('release their connection when a consumer stops, also for more consumers than connections', async () => {
      const series = await allSeries(store);
      const plan = { ...EVERYTHING, series, withAvailableDate: false, withMetadata: false };
      for (let i = 0; i < CONSUMERS; i++) for await (const _ of store.points(plan)) break;
      const paused = Array.from({ length: 20 }, () => store.points(plan)[Symbol.asyncIterator]());
      await Promise.all(paused.map((iterator) => iterator.next()));
      expect(await store.lookup('items', [1])).toHaveLength(1);
      expect(await readRows(store, { series: series.slice(0, 1) })).toHaveLength(DAYS);
      await Promise.all(paused.map((iterator) => iterator.return?.()));
    });

    it('are refused by a closed store, also in the middle of reading', async () => {
      const series = await allSeries(store);
      const iterator = store.points({ ...EVERYTHING, series })[Symbol.asyncIterator]();
      await iterator.next();
      await store.close();
      await expect(readRows(store, { series })).rejects.toThrow(/closed/);
      const rest = async () => {
        while (!(await iterator.next()).done);
      };
      await expect(rest()).rejects.toThrow(/closed/);
      await store.close();
    });
  });
}

const SERIES = 40;
/** With those of all series, more points than a batch has. */
const DAYS = countRuns({ quick: 1_700, all: 4_000 });

async function importDaily(store: Store): Promise<ImportCounts> {
  const transaction = await store.begin();
  await putSampleEntities(transaction);
  const regions = Array.from({ length: SERIES }, (_, i) => {
    return { ...REGIONS.at(-1)!, id: 1_000 + i, name: `County ${i}`, level: 5 };
  });
  await transaction.putEntities('regions', regions);
  for (const { id: region_id } of regions) {
    const valueAt = (day: number) => (day % 100 === 0 ? Number.NaN : region_id + day);
    await transaction.putPoints(dailyPoints({ region_id }, { days: DAYS }, valueAt));
  }
  return transaction.commit();
}

async function drain(store: Store, plan: Parameters<Store['points']>[0], signal: AbortSignal): Promise<void> {
  for await (const _ of store.points(plan, { signal }));
}
