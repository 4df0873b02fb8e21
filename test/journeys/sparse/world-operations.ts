import { groupedBy } from '../../../src/client/discovery/grouping.js';
import type { Client } from '../../../src/create-client.js';
import { toRows } from '../../../src/frame/formats/rows.js';
import type { SeriesKey } from '../../../src/model/series.js';
import { collect, idsOf } from '../../sequences.js';
import { DAYS, FIRST_DAY, ID, type World } from './worlds.js';

/** Every operation that asks a service, of the specification and beyond it, on a random world. */
export const WORLD_OPERATIONS: Readonly<Record<string, (client: Client, world: World) => Promise<unknown>>> =
  {
    lookup: (client) => client.lookup('regions', ID.north),
    'lookup of several': (client) => client.lookup('regions', [ID.south, ID.union, ID.alpha]),
    'lookup of a unit': (client) => client.lookup('units', 2),
    'lookup of a frequency': (client) => client.lookup('frequencies', 9),
    'lookup of a source': (client) => client.lookup('sources', 1),
    search: (client) => client.search('regions', 'alpha'),
    searchAndLookup: async (client) => idsOf(await collect(client.searchAndLookup('regions', 'alpha'))),
    searchForEntity: (client) => client.searchForEntity('items', 'corn'),
    getAvailable: async (client) => [...(await client.getAvailable('regions'))],
    listUnits: async (client) => idsOf(await client.listUnits()),
    listAvailable: (client) => client.listAvailable({ item_id: ID.corn }),
    getAllowedUnits: (client) => client.getAllowedUnits(ID.production, ID.corn),
    lookupUnitAbbreviation: async (client) => ({ abbreviation: await client.lookupUnitAbbreviation(30) }),
    lookupBelongs: async (client) => idsOf(await collect(client.lookupBelongs('regions', ID.north))),
    getAncestor: async (client) => idsOf(await client.getAncestor('regions', ID.north)),
    'getAncestor without historical regions': async (client) =>
      idsOf(await client.getAncestor('regions', ID.north, { include_historical: false })),
    getDescendant: async (client) => idsOf(await client.getDescendant('regions', ID.continent)),
    'getDescendant without historical regions': (client) =>
      client.getDescendant('regions', ID.continent, { include_historical: false, include_details: false }),
    getDescendantRegions: async (client) =>
      idsOf(await client.getDescendantRegions(ID.alpha, { descendant_level: 4 })),
    getProvinces: async (client) => idsOf((await client.getProvinces('alpha')) ?? []),

    getDataSeries: (client) => client.getDataSeries({}),
    findDataSeries: async (client) =>
      sourcesByCombination(await collect(client.findDataSeries({ item: 'Corn', region: 'Alpha' }))),
    'findDataSeries in a period': async (client) =>
      sourcesByCombination(await collect(client.findDataSeries({ item: 'Corn', start_date: '2001-01-01' }))),
    rankSeriesBySource: async (client, { series }) =>
      (await collect(client.rankSeriesBySource(series.map(({ key }) => key)))).map(keyText),
    getAvailableTimefrequency: (client) => client.getAvailableTimefrequency({ item_id: ID.corn }),

    getDataPoints: (client, world) => client.getDataPoints(annual(world)),
    'getDataPoints of several': (client, world) =>
      client.getDataPoints({ ...annual(world), region_id: [ID.alpha, ID.north, ID.union] }),
    'getDataPoints with insert_null': (client, world) =>
      client.getDataPoints({ ...annual(world), insert_null: true, show_available_date: true }),
    'getDataPoints with history': (client, world) =>
      client.getDataPoints({ ...annual(world), reporting_history: true }),
    'getDataPoints with complete history': (client, world) =>
      client.getDataPoints({ ...annual(world), complete_history: true }),
    'getDataPoints at a time': (client, world) =>
      client.getDataPoints({ ...annual(world), at_time: '2022-06-01' }),
    'getDataPoints without historical regions': (client, world) =>
      client.getDataPoints({
        ...annual(world),
        region_id: [ID.south, ID.union, ID.north],
        include_historical: false,
      }),
    'getDataPoints in one unit': (client, world) =>
      client.getDataPoints({ ...annual(world), unit_id: unitOf(annual(world)) }),
    'getDataPoints in Fahrenheit': (client, world) => client.getDataPoints({ ...daily(world), unit_id: 2 }),
    'getDataPoints in a unit of another dimension': (client, world) =>
      client.getDataPoints({ ...annual(world), unit_id: 10 }),
    getDataPointsTable: async (client, world) => toRows(await client.getDataPointsTable(annual(world))),

    getGeojson: (client) => client.getGeojson(ID.alpha),
    'getGeojson without a shape': (client) => client.getGeojson(ID.beta),
    getGeoCentre: (client) => client.getGeoCentre(ID.alpha),
    reverseGeocodePoints: (client) =>
      client.reverseGeocodePoints([
        [31.5, -31.5],
        [0, 0],
      ]),
    getTop: async (client, world) => {
      const { metric_id, item_id, frequency_id, source_id } = annual(world);
      const top = await client.getTop('regions', { metric_id, item_id, frequency_id, source_id });
      return top.map(({ value, ...ids }) => ({ ...ids, sum: value }));
    },

    addDataSeries: async (client) => {
      const series = await client.addDataSeries({
        ...{ item: 'Corn', metric: 'Production', region: 'Alpha', hits_per_name: 1 },
      });
      return series === null ? null : keyText(series);
    },
    addSingleDataSeries: async (client, world) => {
      for (const { key } of world.series) client.addSingleDataSeries(key);
      return client.getDataSeriesList();
    },
    getDf: async (client, world) => toRows(await saving(client, world).getDf({ include_names: true })),
    'getDf by series': async (client, world) =>
      toRows(await saving(client, world).getDf({ index_by_series: true, async_mode: false })),
    'getDf with history': async (client, world) =>
      toRows(await saving(client, world).getDf({ reporting_history: true })),
    'getDf with complete history': async (client, world) =>
      toRows(await saving(client, world).getDf({ complete_history: true, show_available_date: true })),
    'getDf without historical regions': async (client, world) =>
      toRows(await saving(client, world).getDf({ include_historical: false })),
    'getDf in one unit': async (client, world) =>
      toRows(await saving(client, onlyOf(world, ID.area)).getDf({ unit_id: 20 })),
    'getDf in the wide form': async (client, world) =>
      wideValues(await saving(client, world).getDf({ compress_format: true })),

    computeWeights: (client) => client.computeWeights('Corn', 'Area harvested', REGIONS),
    explainWeights: async (client) => {
      const { weights, series } = await client.explainWeights('Corn', 'Production', {
        regions: ['Alpha', 'Beta'],
      });
      return { weights, series: series.map((one) => one && keyText(one)) };
    },
    computeCropWeightedSeries: async (client) =>
      toRows(await client.computeCropWeightedSeries({ ...WEIGHTED, regions: REGIONS })),
    computeCropWeightedAverage: async (client) =>
      toRows(await client.computeCropWeightedAverage({ ...WEIGHTED, regions: REGIONS })),
    getAreaWeightedSeries: (client) => {
      const of = (metric_id: number) => ({ metric_id, item_id: ID.corn, frequency_id: 9, source_id: 1 });
      return client.getAreaWeightedSeries({
        series: of(ID.production),
        weights: [of(ID.area)],
        region_ids: [ID.alpha, ID.beta],
        method: 'normalize',
      });
    },
    computeGdd: (client, world) => {
      const { item_id: _, ...pair } = daily(world);
      const tmin_series = { ...pair, item_id: ID.tmin };
      const tmax_series = { ...pair, item_id: ID.tmax };
      return client.computeGdd({ ...SEASON, tmin_series, tmax_series });
    },
    growingDegreeDays: (client) => client.growingDegreeDays({ ...SEASON, region_name: 'Alpha' }),
    'growingDegreeDays in Fahrenheit': async (client) => {
      const options = { ...SEASON, region_name: 'Beta', temperature_unit: 'fahrenheit' } as const;
      const { total, tmin_series, tmax_series } = await client.growingDegreeDays({
        ...options,
        explain: true,
      });
      return { total, tmin: keyText(tmin_series), tmax: keyText(tmax_series) };
    },
  };

const SEASON = {
  base_temperature: -50,
  start_date: FIRST_DAY,
  end_date: `2020-05-0${DAYS}`,
  min_temporal_coverage: 0.25,
};
const REGIONS = [
  { id: ID.alpha, name: 'Alpha' },
  { id: ID.beta, name: 'Beta' },
];
const WEIGHTED = {
  weighting_crop_name: 'Corn',
  weighting_metric_name: 'Area harvested',
  item_name: 'Corn',
  metric_name: 'Production',
};

function keyText({
  metric_id,
  item_id,
  region_id,
  partner_region_id,
  frequency_id,
  source_id,
}: SeriesKey): string {
  return [metric_id, item_id, region_id, partner_region_id, frequency_id, source_id].join('-');
}

/** The sources of each combination, in order; the order of the combinations is that of known dates. */
function sourcesByCombination(found: readonly SeriesKey[]): Record<string, number[]> {
  const combinations = groupedBy(found, (one) => keyText({ ...one, source_id: 0 }));
  return Object.fromEntries(
    [...combinations].map(([combination, list]) => [combination, list.map(({ source_id }) => source_id)]),
  );
}

/** The first annual series of a world. */
function annual({ series }: World): SeriesKey {
  return series[0]!.key;
}

/** The first daily series, or else the first of all. */
function daily({ series }: World): SeriesKey {
  return (series.find(({ key }) => key.frequency_id === 1) ?? series[0]!).key;
}

function unitOf({ metric_id }: SeriesKey): number {
  return metric_id === ID.area ? 20 : 31;
}

function onlyOf(world: World, metric_id: number): World {
  return { ...world, series: world.series.filter(({ key }) => key.metric_id === metric_id) };
}

/** The client with the series of a world saved. */
function saving(client: Client, { series }: World): Client {
  for (const { key } of series) client.addSingleDataSeries(key);
  return client;
}

/** The values of a wide frame by series and date: a series whose units are not all said has several columns. */
function wideValues(frame: Awaited<ReturnType<Client['getDf']>>): string[] {
  const rows = toRows(frame).map((row) => Object.values(row));
  const ids = ['metric_id', 'item_id', 'region_id', 'partner_region_id', 'source_id'];
  const values = frame.schema.fields.flatMap(({ metadata }, at) =>
    rows.flatMap((row) =>
      at === 0 || row[at] === null ? [] : [[...ids.map((id) => metadata.get(id)), row[0], row[at]].join(' ')],
    ),
  );
  return values.sort();
}
