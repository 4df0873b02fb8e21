import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SelectionLists } from '../../../src/model/selection.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../../src/model/series.js';
import type { StoredSeries } from '../../../src/store/plan.js';
import type { Store } from '../../../src/store/store.js';
import { countRuns } from '../../endurance.js';
import { IDS, keys } from './random-keys.js';
import {
  allSeries,
  DAY,
  importVintages,
  METRICS,
  type OpenEmptyStore,
  REGIONS,
  readRows,
  T0,
  type Vintage,
} from './sample-data.js';

const RUNS = { numRuns: countRuns({ quick: 1, all: 12 }) };

const vintages: fc.Arbitrary<Vintage> = fc.record({
  of: keys,
  day: fc.integer({ min: 0, max: 4 }),
  value: fc.constantFrom(1, 2, null),
  reported: fc.constantFrom(null, null, 3, 5),
  available: fc.integer({ min: 100, max: 104 }),
});

/** Two imports, the second of which revises some points of the first. */
const worlds = fc.record({
  first: fc.uniqueArray(vintages, { selector: periodOf, maxLength: 60 }),
  second: fc.uniqueArray(vintages, { selector: periodOf, maxLength: 30 }),
});

function periodOf({ of, day, reported, available }: Vintage): string {
  return JSON.stringify([of, day, reported, available]);
}

const selections = fc.record(
  Object.fromEntries(SERIES_KEY_FIELDS.map((field) => [field, fc.subarray([...new Set(IDS[field]), 77])])),
  { requiredKeys: [] },
) as fc.Arbitrary<SelectionLists>;

const NAMES = new Map(
  [...REGIONS, ...METRICS].map(({ id, name }) => [id, name] as const).sort(([a], [b]) => a - b),
);

/** The counts of one field by definition: of the series that meet every restriction but its own. */
function expectedCounts(all: readonly StoredSeries[], selection: SelectionLists, field: keyof SeriesKey) {
  const counted = new Map<number, number>();
  for (const series of all) {
    const meets = SERIES_KEY_FIELDS.every(
      (other) => other === field || (selection[other]?.includes(series[other]) ?? true),
    );
    if (meets) counted.set(series[field], (counted.get(series[field]) ?? 0) + 1);
  }
  return counted;
}

async function inWorld(
  open: OpenEmptyStore,
  { first, second }: { first: readonly Vintage[]; second: readonly Vintage[] },
  check: (store: Store) => Promise<void>,
): Promise<void> {
  const store = await open();
  try {
    await importVintages(store, first);
    await importVintages(store, second, { entities: false });
    await check(store);
  } finally {
    await store.close();
  }
}

async function checkFacets(
  store: Store,
  all: readonly StoredSeries[],
  selection: SelectionLists,
): Promise<void> {
  const counted = await store.facets({ selection, fields: SERIES_KEY_FIELDS, limit: null });
  expect(counted.series).toBe((await allSeries(store, selection)).length);
  for (const field of SERIES_KEY_FIELDS) {
    const expected = expectedCounts(all, selection, field);
    const { ids, series, values, total } = counted.fields.get(field)!;
    expect(new Map([...ids].map((id, at) => [id, series[at]!]))).toEqual(expected);
    expect(values).toBe(expected.size);
    expect(total).toBe([...expected.values()].reduce((sum, one) => sum + one, 0));
  }
}

async function checkVintages(store: Store, selection: SelectionLists): Promise<void> {
  const series = await allSeries(store, selection);
  const rows = await readRows(store, { series, history: 'complete' });
  const counted = await store.vintages({ series, limit: 100 });
  expect(counted.points).toBe(rows.length);
  expect(counted.available.dates).toEqual(datesOf(rows.map(({ available }) => available!)));
  expect(counted.reporting.dates).toEqual(datesOf(rows.map(({ reported }) => reported)));
}

export function describeCounts(open: OpenEmptyStore): void {
  describe('facets and vintages', () => {
    it('count as a count by hand does: each field without its own restriction, and all stored rows', async () => {
      const anySelections = fc.array(selections, { minLength: 4, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(worlds, anySelections, async (world, wanted) => {
          await inWorld(open, world, async (store) => {
            const all = await allSeries(store);
            for (const selection of wanted) {
              await checkFacets(store, all, selection);
              await checkVintages(store, selection);
            }
          });
        }),
        RUNS,
      );
    });
  });

  describe('facets', () => {
    it('come with the most series first, then by name; a limit keeps what is selected', async () => {
      const store = await open();
      await importVintages(store, [
        { of: { region_id: 22 }, day: 0, value: 1 },
        { of: { region_id: 211 }, day: 0, value: 1 },
        { of: { region_id: 21 }, day: 0, value: 1 },
        { of: { region_id: 21, item_id: 3 }, day: 0, value: 1 },
        { of: { region_id: 0, item_id: 3 }, day: 0, value: 1 },
      ]);
      const regions = async (selection: SelectionLists, limit: number | null) => {
        const { fields } = await store.facets({ selection, fields: ['region_id'], limit });
        const { ids, series, values, total } = fields.get('region_id')!;
        return { counts: [...ids].map((id, at) => [NAMES.get(id), series[at]]), values, total };
      };
      expect(await regions({}, null)).toEqual({
        counts: [
          ['Region 21', 2],
          ['Region 211', 1],
          ['Region 22', 1],
          ['World', 1],
        ],
        values: 4,
        total: 5,
      });
      expect(await regions({}, 2)).toMatchObject({
        counts: [
          ['Region 21', 2],
          ['Region 211', 1],
        ],
        values: 4,
        total: 5,
      });
      expect(await regions({ region_id: [0, 999], item_id: [3] }, 1)).toMatchObject({
        counts: [
          ['Region 21', 1],
          ['World', 1],
        ],
        values: 2,
      });
      const many = Array.from({ length: 2_000 }, (_, id) => id);
      expect(await regions({ region_id: many, item_id: many }, 1)).toMatchObject({ values: 4, total: 5 });
      await store.close();
    });
  });

  describe('vintages', () => {
    it('keep the latest dates, and say how many there are', async () => {
      const store = await open();
      const days = [100, 107, 105];
      await importVintages(
        store,
        days.map((available) => ({ day: 0, value: available, available, reported: available - 100 })),
      );
      const series = await allSeries(store);
      expect(await store.vintages({ series, limit: 2 })).toEqual({
        points: 3,
        available: { dates: datesOf([105, 107]), total: 3 },
        reporting: { dates: datesOf([5, 7]), total: 3 },
      });
      expect(await store.vintages({ series: [], limit: 2 })).toMatchObject({ points: 0 });
      await store.close();
    });
  });
}

/** The number of rows of each day, ascending; rows without a day are left out. */
function datesOf(days: readonly (number | null)[]) {
  const counted = new Map<number, number>();
  for (const day of days) if (day !== null) counted.set(day, (counted.get(day) ?? 0) + 1);
  return [...counted].sort(([a], [b]) => a - b).map(([day, points]) => ({ ms: T0 + day * DAY, points }));
}
