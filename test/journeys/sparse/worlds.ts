import fc from 'fast-check';
import { NewPointsBuilder } from '../../../src/ingest/batch/new-points.js';
import { UNITS } from '../../../src/ingest/vocabulary/units.js';
import { yearsPeriod } from '../../../src/model/calendar.js';
import { FREQUENCIES } from '../../../src/model/frequency.js';
import type { SeriesKey } from '../../../src/model/series.js';
import { DAY_MS } from '../../../src/model/time.js';
import type { NewEntity, Store } from '../../../src/store/store.js';

/** One point of a random series. */
interface WorldPoint {
  /** Years since 2000, or days since 1 May 2020. */
  readonly period: number;
  readonly value: number | null;
  readonly unit: number;
  /** Days after the period; null where the source gives no reporting date. */
  readonly reportedAfter: number | null;
}

interface WorldSeries {
  readonly key: SeriesKey;
  readonly points: readonly WorldPoint[];
}

/** A small store's worth of entities and series. */
export interface World {
  readonly regions: readonly NewEntity<'regions'>[];
  readonly series: readonly WorldSeries[];
}

export const ID = {
  world: 0,
  continent: 5,
  union: 29,
  alpha: 31,
  beta: 32,
  north: 41,
  south: 42,
  production: 11,
  area: 12,
  temperature: 13,
  corn: 21,
  wheat: 22,
  tmin: 23,
  tmax: 24,
} as const;

const METRICS = {
  [ID.production]: 'Production',
  [ID.area]: 'Area harvested',
  [ID.temperature]: 'Temperature',
};
const ITEMS = {
  [ID.corn]: 'Corn',
  [ID.wheat]: 'Wheat',
  [ID.tmin]: 'Temperature min',
  [ID.tmax]: 'Temperature max',
};
export const SOURCES = [1, 2];
const ANNUAL = 9;
const DAILY = 1;
export const FIRST_DAY = '2020-05-01';
export const DAYS = 4;
const UNITS_OF: Record<number, readonly number[]> = {
  [ID.production]: [30, 31, 33, 130],
  [ID.area]: [20, 21],
  [ID.temperature]: [1, 2, 3],
};

/** Random worlds: five regions, one of them historical, and series of three dimensions from two sources. */
export const worlds: fc.Arbitrary<World> = fc.record({
  regions: fc
    .record({ alphaInUnion: fc.boolean(), southIsHistorical: fc.boolean(), northInBoth: fc.boolean() })
    .map(regionsOf),
  series: fc
    .tuple(
      fc.uniqueArray(annualSeries(), {
        minLength: 2,
        maxLength: 8,
        selector: ({ key }) => JSON.stringify(key),
      }),
      fc.uniqueArray(temperatures(), { maxLength: 3, selector: ([{ key }]) => JSON.stringify(key) }),
    )
    .map(([annual, daily]) => [...annual, ...daily.flat()]),
});

function regionsOf(how: { alphaInUnion: boolean; southIsHistorical: boolean; northInBoth: boolean }) {
  const region = (id: number, name: string, fields: Partial<NewEntity<'regions'>>): NewEntity<'regions'> => ({
    ...{ id, name, definition: `the region ${name}`, level: 4, latitude: id, longitude: -id },
    ...{ historical: false, belongsTo: [], ...fields },
  });
  return [
    region(ID.world, 'World', { level: 1, latitude: null, longitude: null }),
    region(ID.continent, 'Gondwana', { level: 2, belongsTo: [ID.world] }),
    region(ID.union, 'Alpha Union', { level: 3, belongsTo: [ID.continent], historical: true }),
    region(ID.alpha, 'Alpha', {
      level: 3,
      belongsTo: how.alphaInUnion ? [ID.continent, ID.union] : [ID.continent],
    }),
    region(ID.beta, 'Beta', { level: 3, belongsTo: [ID.continent] }),
    region(ID.north, 'North', { belongsTo: how.northInBoth ? [ID.alpha, ID.beta] : [ID.alpha] }),
    region(ID.south, 'South', { belongsTo: [ID.alpha], historical: how.southIsHistorical }),
  ];
}

function annualSeries(): fc.Arbitrary<WorldSeries> {
  return fc
    .record({
      metric_id: fc.constantFrom(ID.production, ID.area),
      item_id: fc.constantFrom(ID.corn, ID.wheat),
      region_id: fc.constantFrom(ID.alpha, ID.beta, ID.north, ID.south, ID.union),
      partner_region_id: fc.constantFrom(0, 0, 0, ID.beta),
      source_id: fc.constantFrom(...SOURCES),
    })
    .chain((ids) => {
      const key = { ...ids, frequency_id: ANNUAL };
      return pointsIn(UNITS_OF[ids.metric_id]!, { maxLength: 5 }).map((points) => ({ key, points }));
    });
}

/** Daily minima and maxima of a region and a source. */
function temperatures(): fc.Arbitrary<[WorldSeries, WorldSeries]> {
  return fc
    .record({
      region_id: fc.constantFrom(ID.alpha, ID.beta, ID.north),
      source_id: fc.constantFrom(...SOURCES),
    })
    .chain((ids) => {
      const of = (item_id: number) => {
        const key = { ...ids, item_id, metric_id: ID.temperature, partner_region_id: 0, frequency_id: DAILY };
        return pointsIn(UNITS_OF[ID.temperature]!, { minLength: DAYS, maxLength: DAYS }).map((points) => ({
          key,
          points: points.map((point, period) => ({
            ...point,
            period: point.reportedAfter ? point.period : period,
          })),
        }));
      };
      return fc.tuple(of(ID.tmin), of(ID.tmax));
    });
}

/** Points that are mostly in one unit; some revise others. */
function pointsIn(
  units: readonly number[],
  length: { minLength?: number; maxLength: number },
): fc.Arbitrary<WorldPoint[]> {
  const unit = fc.constantFrom(...units);
  return fc.tuple(unit, fc.boolean()).chain(([own, mixed]) =>
    fc.array(
      fc.record({
        period: fc.nat({ max: 4 }),
        value: fc.option(fc.integer({ min: -300, max: 900 }), { freq: 8 }),
        unit: mixed ? unit : fc.constant(own),
        reportedAfter: fc.option(fc.integer({ min: 1, max: 400 }), { freq: 1 }),
      }),
      { minLength: 1, ...length },
    ),
  );
}

const IMPORTED_MS = Date.UTC(2022, 0, 1);

/** Fills a store with a world. */
export async function fillWithWorld(store: Store, { regions, series }: World): Promise<void> {
  const transaction = await store.begin();
  await transaction.putEntities('units', UNITS);
  await transaction.putEntities('frequencies', FREQUENCIES);
  await transaction.putEntities('sources', SOURCES.map(sourceOf));
  await transaction.putEntities('metrics', entitiesOf(METRICS));
  await transaction.putEntities('items', entitiesOf(ITEMS));
  await transaction.putEntities('regions', regions);
  await transaction.putShapes([shapeOf(ID.alpha), shapeOf(ID.north)]);
  await transaction.putPoints(pointsOf(series));
  await transaction.commit();
}

function pointsOf(series: readonly WorldSeries[]) {
  const builder = new NewPointsBuilder();
  for (const { key, points } of series)
    for (const { period, value, unit, reportedAfter } of points) {
      const { startMs, endMs } = periodOf(key, period);
      const reportingMs = reportedAfter === null ? null : endMs + reportedAfter * DAY_MS;
      const availableMs = IMPORTED_MS + (reportedAfter ?? 0) * DAY_MS;
      builder.add(key, { startMs, endMs, value, unitId: unit, reportingMs, availableMs });
    }
  return builder.take();
}

function periodOf({ frequency_id }: SeriesKey, period: number): { startMs: number; endMs: number } {
  if (frequency_id === ANNUAL) return yearsPeriod(2000 + period);
  const dayMs = Date.parse(FIRST_DAY) + period * DAY_MS;
  return { startMs: dayMs, endMs: dayMs };
}

const sourceOf = (id: number) => {
  const text = `of source ${id}`;
  return { id, name: `Source ${id}`, longName: text, licence: text, citation: text, url: text };
};

function entitiesOf(names: Readonly<Record<number, string>>) {
  return Object.entries(names).map(([id, name]) => ({
    ...{ id: Number(id), name, definition: `what ${name} is`, belongsTo: [] },
  }));
}

function shapeOf(region_id: number) {
  const [from, to] = [region_id, region_id + 1];
  const ring = [
    [-from, from],
    [-to, from],
    [-to, to],
    [-from, to],
    [-from, from],
  ];
  const geojson = JSON.stringify({
    type: 'GeometryCollection',
    geometries: [{ type: 'MultiPolygon', coordinates: [[ring]] }],
  });
  return { region_id, geojson, detail: 'full' as const };
}
