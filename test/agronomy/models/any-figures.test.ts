import fc from 'fast-check';
import { expect, test } from 'vitest';
import '../../../src/agronomy.js';
import { type Client, createClient } from '../../../src/create-client.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { singleTokenAuthorizer } from '../../../src/service/access/auth.js';
import { createService } from '../../../src/service/service.js';
import { openStore } from '../../../src/store/open.js';
import type { NewEntity } from '../../../src/store/store.js';
import { countRuns } from '../../endurance.js';
import { DAY, newPoints, SOURCES, T0, unit } from '../../store/conformance/sample-data.js';

/** Two units of each metric, in the order of the metrics. */
const UNITS = [
  unit(1, 't', { factor: 1 }, 'mass'),
  unit(2, 'kg', { factor: 0.001 }, 'mass'),
  unit(3, 'ha', { factor: 1 }, 'area'),
  unit(4, 'ac', { factor: 0.4 }, 'area'),
  unit(5, 't/ha', { factor: 1 }, 'yield'),
  unit(6, 'kg/ha', { factor: 0.001 }, 'yield'),
];
const factorOf = (unit_id: number) => UNITS[unit_id - 1]!.baseConvFactor.factor!;
const NAMES = ['Production', 'Area harvested', 'Yield'];
const [PRODUCTION, AREA, YIELD] = [1, 2, 3] as const;
const named = (names: readonly string[]) =>
  names.map((name, at) => ({ id: at + 1, name, definition: '', belongsTo: [] }));
/** The districts of each province. */
const PARTS = new Map([
  [10, [11, 12]],
  [20, [21]],
]);
const DISTRICTS = [...PARTS.values()].flat();
const region = (id: number, level: number, belongsTo: number[]): NewEntity<'regions'> => ({
  ...{ id, name: `Region ${id}`, definition: '', level, belongsTo },
  ...{ latitude: null, longitude: null, historical: false },
});
const REGIONS = [...PARTS].flatMap(([id, parts]) => [
  region(id, 4, []),
  ...parts.map((part) => region(part, 5, [id])),
]);

interface Figure {
  readonly metric: number;
  readonly region: number;
  readonly startMs: number;
  readonly endMs: number;
  /** In the base unit; null if the source reports none. */
  readonly value: number | null;
  readonly unit: number;
  /** Days after `T0`. Figures of one period are in order. */
  readonly available: number;
}

const value = fc.option(fc.constantFrom(0, 1, 2, 3, 10, 250), { freq: 7 });
const oneSeries = fc.record({
  unit: fc.nat(1),
  month: fc.constantFrom(0, 0, 8),
  years: fc.array(fc.array(value, { maxLength: 2 }), { minLength: 5, maxLength: 5 }),
});
/** One series for each metric and district: five years, some of which lack a value or have a revised one. */
const worlds = fc.array(oneSeries, { minLength: 9, maxLength: 9 }).map((list) =>
  list.flatMap(({ unit, month, years }, at): Figure[] => {
    const metric = 1 + Math.floor(at / 3);
    const of = { metric, region: DISTRICTS[at % 3]!, unit: 2 * metric - unit };
    return years.flatMap((values, year) => {
      const startMs = Date.UTC(2010 + year, month);
      const period = { startMs, endMs: Date.UTC(2011 + year, month) - DAY };
      return values.map((value, at) => ({ ...of, ...period, value, available: 1 + at }));
    });
  }),
);

const cases = fc.record({
  operation: fc.constantFrom('weights', 'average', 'rate', 'amount', 'rollUp', 'top'),
  regions: fc.shuffledSubarray(DISTRICTS, { minLength: 1 }),
  weights_by: fc.constantFrom('mean', 'year'),
  how: fc.constantFrom('mean', 'sum'),
  min_weight_present: fc.constantFrom(undefined, 0, 0.5),
  isEarly: fc.boolean(),
  from: fc.option(fc.integer({ min: 2009, max: 2015 }), { nil: undefined }),
});
type Case = typeof cases extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const dateOf = (year: number) => `${year}-06-15`;
const yearOf = ({ startMs }: Figure) => new Date(startMs).getUTCFullYear();
const known = (figures: readonly Figure[]) => figures.flatMap(({ value }) => value ?? []);
const sum = (values: readonly number[]) => values.reduce((total, one) => total + (one || 0), 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
/** Returns a region's weight in a year: NaN if unknown, null if there are no weights for the year. */
type WeightOf = (region: number, year: number) => number | null;

function yearWeights(weighing: readonly Figure[][]): WeightOf {
  const usual = weighing.map((own) => mean(known(own)));
  return (region, year) => {
    const ofYear = weighing.map((own) => own.filter((one) => yearOf(one) === year));
    if (ofYear.flat().length === 0) return null;
    const means = ofYear.map((own) => mean(known(own)));
    if (sum(means) === 0) return Number.NaN;
    if (Number.isNaN(means[region])) return Number.isNaN(usual[region]) ? 0 : Number.NaN;
    return means[region]! / sum(means.map((one, at) => (Number.isNaN(one) ? usual[at]! : one)));
  };
}

/** For each period, its dates, the weighted mean or sum of the regions, and the weight of those that have a value. */
function across(
  lists: readonly Figure[][],
  weightOf: WeightOf,
  { how, min_weight_present, isPlain }: Partial<Case> & { readonly isPlain?: boolean },
): (number | null)[][] | null {
  const minWeight = (min_weight_present ?? 1) - 1e-9;
  const periods = new Map<string, [startMs: number, endMs: number, total: number, weight: number]>();
  for (const [region, figures] of lists.entries())
    for (const one of figures) {
      const text = `${one.startMs} ${one.endMs}`;
      const period = periods.get(text) ?? [one.startMs, one.endMs, 0, 0];
      periods.set(text, period);
      const weight = weightOf(region, yearOf(one));
      if (weight === null) return null;
      if (one.value === null || Number.isNaN(weight)) continue;
      period[2] += isPlain ? one.value : weight * one.value;
      period[3] += weight;
    }
  return [...periods.values()]
    .sort((a, b) => a[1] - b[1] || a[0] - b[0])
    .map(([startMs, endMs, total, weight]) => {
      const figure = how === 'sum' ? total : total / weight;
      return [startMs, endMs, weight > 0 && weight >= minWeight ? figure : null, weight];
    });
}

/** Computes the rows in base units by a loop over all figures. Returns null where the operation must refuse. */
function expectedRows(figures: readonly Figure[], one: Case): (number | null)[][] | null {
  const { operation, how, from = 0 } = one;
  const latest = (metric: number, regions: readonly number[], firstMs = Date.UTC(from, 5, 15)) =>
    regions.map((region) => {
      const found = new Map<number, Figure>();
      for (const figure of figures)
        if (figure.metric === metric && figure.region === region && figure.endMs >= firstMs)
          if (operation === 'top' || !one.isEarly || figure.available <= 1) found.set(figure.startMs, figure);
      return [...found.values()];
    });
  const anyDate = Number.NEGATIVE_INFINITY;
  const [within = []] = PARTS.values();
  switch (operation) {
    case 'top':
      return DISTRICTS.map((id) => [id, known(latest(PRODUCTION, [id]).flat())] as const)
        .filter(([, values]) => values.length > 0)
        .map(([id, values]) => [id, sum(values)])
        .sort((a, b) => b[1]! - a[1]! || a[0]! - b[0]!);
    case 'rollUp': {
      const rows = [...PARTS].flatMap(([id, parts]) => {
        const weightOf: WeightOf = () => 1 / parts.length;
        const options = { ...one, isPlain: how === 'sum' };
        return across(latest(PRODUCTION, parts), weightOf, options)!.map((row) => [id, ...row]);
      });
      return rows.length === 0 ? null : rows;
    }
    case 'amount': {
      const values = latest(PRODUCTION, within);
      const means = values.map((own) => mean(known(own)));
      if (means.every(Number.isNaN)) return null;
      const shares = sum(means) === 0 ? means.map((one) => one + 1) : means;
      const weightOf: WeightOf = (region) => shares[region]! / sum(shares);
      return across(values, weightOf, { ...one, how: 'sum', isPlain: true });
    }
    default: {
      const regions = operation === 'rate' ? within : one.regions;
      const weighing = latest(AREA, regions, operation === 'weights' ? undefined : anyDate);
      const means = weighing.map((own) => mean(known(own)));
      if (sum(means) === 0) return null;
      const ofMeans: WeightOf = (region) => (means[region] || 0) / sum(means);
      if (operation === 'weights') return regions.map((id, at) => [id, ofMeans(at, 0)]);
      if (!figures.some(({ metric, region }) => metric === YIELD && regions.includes(region))) return null;
      const byYear = operation === 'rate' || one.weights_by === 'year';
      const rule = operation === 'rate' ? { ...one, how: 'mean' as const } : one;
      return across(latest(YIELD, regions), byYear ? yearWeights(weighing) : ofMeans, rule);
    }
  }
}

/** Asks the client for the same rows. */
async function foundRows(client: Client, one: Case): Promise<(number | null)[][]> {
  const { operation, regions, how, weights_by, min_weight_present, from } = one;
  const start_date = from === undefined ? undefined : dateOf(from);
  const period = { start_date, at_time: one.isEarly ? new Date(T0 + DAY).toISOString() : undefined };
  const corn = { item_name: 'Corn', min_weight_present, ...period };
  const weighting = { weighting_crop_name: 'Corn', weighting_metric_name: 'Area harvested' };
  const ids = { metric_id: PRODUCTION, item_id: 1, frequency_id: 9, source_id: 1 };
  const ofFrame = async (frame: Awaited<ReturnType<Client['computeFromParts']>>) =>
    frame.toRows().map((row) => {
      const { value, unit_id, weight_present } = row as typeof row & { weight_present: number };
      const figure = value === null ? null : value * factorOf(unit_id!);
      return [row.start_date.getTime(), row.end_date.getTime(), figure, weight_present];
    });
  if (operation === 'weights') {
    const { weights } = await client.explainWeights('Corn', 'Area harvested', { regions, ...period });
    return regions.map((id, at) => [id, weights[at]!]);
  }
  if (operation === 'average') {
    const options = { ...corn, ...weighting, regions, weights_by, how, metric_name: 'Yield' } as const;
    return ofFrame(await client.computeCropWeightedAverage(options));
  }
  if (operation === 'rate' || operation === 'amount') {
    const rate = { metric_name: 'Yield', weighting_metric_name: 'Area harvested' };
    const options = operation === 'rate' ? rate : { metric_name: 'Production' };
    return ofFrame(await client.computeFromParts(10, { ...corn, ...options }));
  }
  if (operation === 'top') {
    const top = await client.getTop('regions', { ...ids, start_date });
    return top.map(({ regionId, value, unitId }) => [regionId, value * factorOf(unitId!)]);
  }
  client.clearDataSeriesList();
  for (const region_id of DISTRICTS) client.addSingleDataSeries({ ...ids, region_id });
  const frame = await client.getDf({ unit_id: 1, ...period });
  const rolled = await client.rollUp(frame, { to: 'province', how, min_weight_present });
  const rows = await ofFrame(rolled);
  return rolled.toRows().map(({ region_id }, at) => [Number(region_id), ...rows[at]!]);
}

function refusal(error: unknown): null {
  if (error instanceof ArgumentError) return null;
  throw error;
}

test('figures across regions are those of a loop over every figure', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.array(cases, { minLength: 20, maxLength: 20 }), async (figures, asked) => {
      const store = await openStore(':memory:');
      try {
        const transaction = await store.begin();
        await transaction.putEntities('units', UNITS);
        await transaction.putEntities('sources', SOURCES);
        await transaction.putEntities('metrics', named(NAMES));
        await transaction.putEntities('items', named(['Corn']));
        await transaction.putEntities('regions', REGIONS);
        const points = figures.map(({ metric, region, startMs, endMs, value, ...rest }) => ({
          of: { metric_id: metric, item_id: 1, region_id: region },
          day: (startMs - T0) / DAY,
          days: (endMs - startMs) / DAY,
          value: value === null ? null : value / factorOf(rest.unit),
          ...rest,
        }));
        await transaction.putPoints(newPoints(points));
        await transaction.record({ imported: { dataset: 'test', sourceIds: [1], importedMs: T0 } });
        await transaction.settle();
        await transaction.commit();
        const service = createService(store, { authorize: singleTokenAuthorizer('token') });
        const client = createClient({ api_host: 'http://in.invalid', access_token: 'token', fetch: service });
        for (const one of asked) {
          const found = await foundRows(client, one).catch(refusal);
          const near = expectedRows(figures, one)?.map((row) =>
            row.map((cell) => (cell === null ? null : expect.closeTo(cell, 6))),
          );
          expect([one, found]).toEqual([one, near ?? null]);
        }
      } finally {
        await store.close();
      }
    }),
    { numRuns: countRuns({ quick: 1, all: 100 }) },
  );
}, 600_000);
