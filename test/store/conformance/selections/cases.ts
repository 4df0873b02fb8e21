import fc from 'fast-check';
import type { SelectionLists } from '../../../../src/model/selection.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../../../src/model/series.js';
import type { FacetPlan, PointPlan, SeriesPlan, SumPlan } from '../../../../src/store/plan.js';
import { DAY, T0, type Vintage } from '../sample-data.js';

/** Few ids of each field, so that selections often meet. */
const IDS = {
  metric_id: [1, 2],
  item_id: [1, 2, 3],
  region_id: [0, 10, 11, 21, 22, 29, 211],
  partner_region_id: [0, 0, 0, 22, 29],
  source_id: [1, 2],
  frequency_id: [1, 6, 9],
} as const;

const keys = fc.record(
  Object.fromEntries(SERIES_KEY_FIELDS.map((field) => [field, fc.constantFrom(...IDS[field])])),
) as unknown as fc.Arbitrary<SeriesKey>;

/** Sums of these values depend on the order in which doubles are added. */
const VALUES = [-3, 0, 0.1, 1, 2.3, 1e16, -1e16, null];

/** Few series and periods, so that vintages of several imports, and of one, often meet. */
const vintage: fc.Arbitrary<Vintage> = fc.record({
  of: fc.constantFrom(
    { region_id: 21 },
    { region_id: 22, source_id: 2 },
    { metric_id: 2, partner_region_id: 29 },
  ),
  day: fc.constantFrom(0, 0, 1, 1, 2, -20_000, -20_000.75, 2.25),
  days: fc.constantFrom(0, 0, 0, 1, 0.5),
  value: fc.constantFrom(...VALUES),
  unit: fc.constantFrom(1, 1, 1, 2, 5, 0),
  reported: fc.option(fc.integer({ min: 4, max: 6 }), { nil: null }),
  available: fc.integer({ min: 5, max: 9 }),
  metadata: fc.option(fc.constantFrom('{"f":1}', '"é ✓"'), { freq: 4, nil: null }),
});

/** Daily points of one series without anything special, which are read in their shortest form. */
const daily: fc.Arbitrary<Vintage[]> = fc
  .record({
    of: keys,
    from: fc.integer({ min: -3, max: 3 }),
    values: fc.array(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 12, size: 'max' }),
    available: fc.integer({ min: 5, max: 9 }),
  })
  .map(({ of, from, values, available }) =>
    values.map((value, i) => ({ of, day: from + i, value, available })),
  );

/** What is imported one after another: later imports revise and repeat what earlier ones brought. */
export const worlds: fc.Arbitrary<readonly Vintage[][]> = fc.array(
  fc
    .tuple(
      fc.array(vintage, { minLength: 20, maxLength: 60, size: 'max' }),
      fc.array(daily, { minLength: 4, maxLength: 16, size: 'max' }),
    )
    .map(([single, series]) => [...single, ...series.flat()]),
  { minLength: 2, maxLength: 4 },
);

const selections = fc.record(
  Object.fromEntries(
    SERIES_KEY_FIELDS.map((field) => [field, fc.subarray([...new Set(IDS[field]), 77], { minLength: 1 })]),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<SelectionLists>;

/** Most selections of many fields select nothing. */
const someFields = fc
  .tuple(selections, fc.subarray([...SERIES_KEY_FIELDS], { maxLength: 2 }))
  .map(([selection, fields]) =>
    Object.fromEntries(fields.flatMap((field) => (selection[field] ? [[field, selection[field]]] : []))),
  ) as fc.Arbitrary<SelectionLists>;

const seriesPlans: fc.Arbitrary<SeriesPlan> = fc.record({
  selection: fc.oneof(
    { weight: 10, arbitrary: someFields },
    { weight: 2, arbitrary: selections },
    { weight: 1, arbitrary: fc.constant({ region_id: [] }) },
  ),
});

const time = fc.option(
  fc.constantFrom(-20_000, -1, 0, 1, 2.5, 4, 6, 7, 8, 10).map((days) => T0 + days * DAY),
  { freq: 1 },
);

type PointRule = Omit<PointPlan, 'series'>;

const rules: fc.Arbitrary<PointRule> = fc.record({
  history: fc.constantFrom('latest', 'latest', 'reporting', 'complete'),
  startMs: time,
  endMs: time,
  atMs: time,
  sinceMs: time,
  withAvailableDate: fc.boolean(),
  withMetadata: fc.boolean(),
});

/** Without vintages but the latest. */
const latestRules = fc
  .record({ startMs: time, endMs: time })
  .chain((window) => rules.map((rule): PointRule => ({ ...rule, ...window, history: 'latest', atMs: null })));

/** A question that a store, and the definitions, can be asked. */
export type Case =
  | { readonly asked: 'series' | 'combinations'; readonly plan: SeriesPlan }
  | {
      readonly asked: 'points';
      readonly plan: SeriesPlan;
      readonly rule: PointRule;
      /** Whether the reader is told what the points of a series have in common. */
      readonly known: boolean;
    }
  | { readonly asked: 'facets'; readonly plan: FacetPlan }
  | { readonly asked: 'vintages'; readonly plan: SeriesPlan; readonly limit: number; readonly known: boolean }
  | { readonly asked: 'sums'; readonly plan: SumPlan }
  | {
      readonly asked: 'units';
      readonly metrics: readonly number[];
      readonly items: readonly number[] | null;
    };

const limits = fc.integer({ min: 1, max: 6 });

const points: fc.Arbitrary<Case> = fc.record({
  asked: fc.constant('points'),
  plan: seriesPlans,
  rule: fc.oneof(rules, latestRules),
  known: fc.boolean(),
});

export const cases: fc.Arbitrary<Case> = fc.oneof(
  { weight: 8, arbitrary: points },
  {
    weight: 1,
    arbitrary: fc.record({ asked: fc.constantFrom('series', 'combinations'), plan: seriesPlans }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      asked: fc.constant('facets'),
      plan: fc.record({
        selection: selections,
        fields: fc.subarray([...SERIES_KEY_FIELDS], { minLength: 1 }),
        limit: fc.option(limits),
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      asked: fc.constant('vintages'),
      plan: seriesPlans,
      limit: limits,
      known: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      asked: fc.constant('sums'),
      plan: fc.record({
        selection: seriesPlans.map(({ selection }) => selection),
        startMs: time,
        endMs: time,
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      asked: fc.constant('units'),
      metrics: fc.subarray([1, 2, 77]),
      items: fc.option(fc.subarray([1, 2, 3])),
    }),
  },
) as fc.Arbitrary<Case>;
