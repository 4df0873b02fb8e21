import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VintageColumns } from '../../../src/columns/point-columns.js';
import type { PointPlan } from '../../../src/store/plan.js';
import type { NewPoints, Store } from '../../../src/store/store.js';
import { countRuns } from '../../endurance.js';
import { chooseRevisions, mergeVintages } from './revision-rules.js';
import {
  allSeries,
  DAY,
  EVERYTHING,
  importVintages,
  newPoints,
  type OpenEmptyStore,
  putSampleEntities,
  type ReadRow,
  readRows,
  rowsOf,
  T0,
  type Vintage,
} from './sample-data.js';

const REGION_IDS = [21, 22, 29];
/** Number of random histories. */
const RUNS = countRuns({ quick: 1, all: 30 });

const vintage: fc.Arbitrary<Vintage> = fc.record({
  of: fc.constantFrom(...REGION_IDS).map((region_id) => ({ region_id })),
  day: fc.integer({ min: 0, max: 3 }),
  days: fc.integer({ min: 0, max: 1 }),
  value: fc.option(fc.integer({ min: 0, max: 2 })),
  unit: fc.constantFrom(1, 1, 1, 2),
  reported: fc.option(fc.integer({ min: 4, max: 6 }), { nil: null }),
  available: fc.integer({ min: 5, max: 9 }),
  metadata: fc.option(fc.constantFrom('{"f":1}'), { freq: 4, nil: null }),
});

/** Vintages that have all in common which vintages of a source may have. */
const plain = (varying: fc.Arbitrary<Partial<Vintage>> = fc.constant({})): fc.Arbitrary<Vintage[]> =>
  fc
    .array(fc.tuple(fc.constantFrom(...REGION_IDS), fc.integer({ min: 0, max: 8 }), varying), {
      maxLength: 12,
    })
    .map((rows) =>
      rows.map(([region_id, day, own]) => ({ of: { region_id }, day, value: day, available: 5, ...own })),
    );

const day = fc.option(fc.integer({ min: -1, max: 10 }).map((days) => T0 + days * DAY));

const rule: fc.Arbitrary<Omit<PointPlan, 'series'>> = fc.record({
  history: fc.constantFrom('latest', 'reporting', 'complete'),
  startMs: day,
  endMs: day,
  atMs: day,
  sinceMs: day,
  withAvailableDate: fc.constant(true),
  withMetadata: fc.constant(true),
});

const imports = fc.array(
  fc.oneof(
    fc.array(vintage, { maxLength: 12 }),
    plain(),
    plain(fc.constant({ days: 1, available: 6 })),
    plain(fc.record({ reported: fc.constant(7), available: fc.constant(7) })),
    plain(fc.record({ unit: fc.constantFrom(1, 2), metadata: fc.constantFrom(null, '{"f":2}') })),
    plain(fc.record({ day: fc.constantFrom(1, 1.25, -20_000.75), days: fc.constantFrom(0, 0.5) })),
  ),
  { minLength: 1, maxLength: 5 },
);

/** Reports as agencies release them: each is available from the day after its date. */
const reports: fc.Arbitrary<Vintage[]> = fc.array(
  fc
    .tuple(
      fc.constantFrom(...REGION_IDS),
      fc.integer({ min: 0, max: 1 }),
      fc.integer({ min: 4, max: 6 }),
      fc.integer({ min: 0, max: 3 }),
    )
    .map(([region_id, day, reported, value]) => ({
      of: { region_id },
      day,
      value,
      reported,
      available: reported + 1,
    })),
  { maxLength: 8 },
);

/** The same points with series numbered in the order of `REGION_IDS`. */
function inRegionOrder({ series, columns }: NewPoints): VintageColumns {
  const metadata = columns.metadata ?? Array<null>(columns.length).fill(null);
  const position = Uint32Array.from(columns.series, (number) =>
    REGION_IDS.indexOf(series[number]!.region_id),
  );
  return { ...columns, metadata, series: position };
}

/** Imports the batches one after the other under one metric, and compares the counts of each. */
async function importAll(
  store: Store,
  metric_id: number,
  batches: readonly (readonly Vintage[])[],
  afterEach?: (day: number) => Promise<void>,
): Promise<VintageColumns> {
  let expected = inRegionOrder(newPoints([]));
  for (const [i, batch] of batches.entries()) {
    const importedMs = T0 + (8 + i) * DAY;
    const vintages = batch.map((one) => ({ ...one, of: { ...one.of, metric_id } }));
    const transaction = await store.begin();
    await transaction.putEntities('metrics', [{ id: metric_id, name: '', definition: '', belongsTo: [] }]);
    await transaction.putPoints(newPoints(vintages.slice(0, vintages.length >> 1)));
    await transaction.putPoints(newPoints(vintages.slice(vintages.length >> 1)));
    await transaction.record({ imported: { dataset: 'test', sourceIds: [], importedMs } });
    const { duplicates: repeated, conflicts: contradictory } = await transaction.settle();
    const counts = await transaction.commit();
    const {
      vintages: merged,
      added,
      revised,
      unchanged,
      duplicates,
      conflicts,
    } = mergeVintages(expected, inRegionOrder(newPoints(vintages)), importedMs);
    expect(counts).toMatchObject({ added, revised, unchanged });
    expect([repeated, contradictory]).toEqual([duplicates, conflicts]);
    expected = merged;
    await afterEach?.(8 + i);
  }
  return expected;
}

async function readInRegionOrder(store: Store, plan: PointPlan): Promise<ReadRow[]> {
  const positions = plan.series.map(({ region_id }) => REGION_IDS.indexOf(region_id));
  const rows = (await readRows(store, plan)).map((row) => ({ ...row, series: positions[row.series]! }));
  return rows.sort((a, b) => a.series - b.series);
}

export function describeRevisions(open: OpenEmptyStore): void {
  describe('random vintages and plans', () => {
    it('have the same results as the pure functions', async () => {
      const store = await open();
      await importVintages(store, []);
      let metric_id = 100;
      await fc.assert(
        fc.asyncProperty(imports, fc.array(rule, { minLength: 3, maxLength: 6 }), async (batches, rules) => {
          metric_id++;
          const expected = await importAll(store, metric_id, batches);
          const series = await allSeries(store, { metric_id: [metric_id] });
          for (const asked of rules) {
            expect(await readInRegionOrder(store, { ...asked, series })).toEqual(
              rowsOf(chooseRevisions(expected, asked)),
            );
            const unknown = series.map(({ common: _, ...one }) => one);
            const plan = { ...asked, withAvailableDate: false, withMetadata: false };
            expect(await readInRegionOrder(store, { ...plan, series })).toEqual(
              await readInRegionOrder(store, { ...plan, series: unknown }),
            );
          }
          expect(await store.findFaults()).toEqual([]);
        }),
        { numRuns: RUNS },
      );
      await store.close();
    });

    it('never change the figure that a report had at a time, whatever is imported later', async () => {
      const store = await open();
      await importVintages(store, []);
      let metric_id = 500;
      await fc.assert(
        fc.asyncProperty(fc.array(reports, { minLength: 2, maxLength: 5 }), async (batches) => {
          metric_id++;
          const answers = new Map<string, unknown>();
          await importAll(store, metric_id, batches, async (today) => {
            const series = await allSeries(store, { metric_id: [metric_id] });
            for (const day of [5, 6, 7, ...batches.map((_, i) => 8 + i)].filter((day) => day <= today)) {
              const plan = { series, history: 'reporting', atMs: T0 + day * DAY } as const;
              for (const row of await readInRegionOrder(store, { ...EVERYTHING, ...plan })) {
                const report = JSON.stringify([day, row.series, row.day, row.reported]);
                expect(row).toEqual(answers.get(report) ?? row);
                answers.set(report, row);
              }
            }
          });
        }),
        { numRuns: RUNS },
      );
      await store.close();
    });
  });
}

/** What importing again and again leaves, of more points than stay as they arrive. */
export function describeSorting(open: OpenEmptyStore): void {
  describe('many vintages', () => {
    it('are unchanged by sorting the point tables', async () => {
      const store = await open();
      const transaction = await store.begin();
      await putSampleEntities(transaction);
      const series = REGION_IDS.map((region_id) => ({ region_id, frequency_id: 1 }));
      const vintages = (from: number, value: number) =>
        Array.from(
          { length: 27_000 },
          (_, i): Vintage => ({
            of: series[i % 3]!,
            day: from + Math.floor(i / 3),
            value,
          }),
        );
      await transaction.putPoints(newPoints(vintages(0, 1)));
      await transaction.commit();
      for (const [from, value] of [
        [-20_000, 2],
        [20_000, 3],
        [0, 4],
      ] as const) {
        const later = vintages(from, value).map((vintage) => ({ ...vintage, available: 100 + value }));
        await importVintages(store, later, { entities: false });
      }
      const rows = await readRows(store);
      expect(rows).toHaveLength(81_000);
      expect(
        rows.every((row, i) => i === 0 || row.series > rows[i - 1]!.series || row.day > rows[i - 1]!.day),
      ).toBe(true);
      expect(new Set(rows.map(({ value }) => value))).toEqual(new Set([2, 3, 4]));
      expect(await readRows(store, { history: 'complete' })).toHaveLength(108_000);
      await store.close();
    });
  });
}
