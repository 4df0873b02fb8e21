import type { Client } from '../../src/create-client.js';
import type { SeriesKey } from '../../src/model/series.js';
import { collect, idsOf } from '../sequences.js';

/** A series of the demo's corn, and the region that it is of. */
export interface CornSeries {
  readonly series: SeriesKey;
  readonly state: number;
}

/** The demo's yield of corn in Washington. */
export async function findCorn(client: Client): Promise<CornSeries> {
  for await (const found of client.findDataSeries(NAMES)) {
    const { metric_id, item_id, region_id, source_id, frequency_id, partner_region_id } = found;
    const series = { metric_id, item_id, region_id, source_id, frequency_id, partner_region_id };
    return { series, state: region_id };
  }
  throw new Error('the demo data have no corn');
}

const NAMES = { item: 'Corn', metric: 'Yield', region: 'Washington' };
const SEASON = { base_temperature: 10, start_date: '2012-05-01', end_date: '2012-05-31' };
const STATION = 'Seattle weather station';
const WEIGHTED = {
  weighting_crop_name: 'Corn',
  weighting_metric_name: 'Area harvested',
  item_name: 'Corn',
  metric_name: 'Yield',
};

/** Each operation on the demo's data, reduced to the figures and ids that no missing field may change. */
export const DEMO_OPERATIONS: Readonly<
  Record<string, (client: Client, corn: CornSeries) => Promise<unknown>>
> = {
  search: (client) => client.search('items', 'corn'),
  searchForEntity: (client) => client.searchForEntity('regions', 'washington'),
  lookup: async (client, { state }) => (await client.lookup('regions', state)).id,
  searchAndLookup: async (client) => idsOf(await collect(client.searchAndLookup('regions', 'Washington'))),
  getAvailable: async (client) => idsOf(await client.getAvailable('metrics')),
  listUnits: async (client) => idsOf(await client.listUnits()),
  listAvailable: async (client, { series }) =>
    (await client.listAvailable({ item_id: series.item_id })).map(({ metric_id }) => metric_id),
  getAllowedUnits: (client, { series }) => client.getAllowedUnits(series.metric_id, series.item_id),
  lookupUnitAbbreviation: async (client) =>
    ['t/ha', 'tonne per hectare'].includes(
      await client.lookupUnitAbbreviation(await tonnesPerHectare(client)),
    ),
  lookupBelongs: async (client, { state }) => idsOf(await collect(client.lookupBelongs('regions', state))),
  getAncestor: async (client, { state }) => idsOf(await client.getAncestor('regions', state)),
  getDescendant: async (client, { state }) =>
    idsOf(await client.getDescendant('regions', state, { include_details: false })),
  getDescendantRegions: async (client, { state }) =>
    idsOf(await client.getDescendantRegions(state, { distance: 1, include_historical: false })).length,
  getProvinces: async (client) => idsOf((await client.getProvinces('Rwanda')) ?? []),

  getDataSeries: async (client, { series }) =>
    (await client.getDataSeries({ item_id: series.item_id })).map(({ source_id }) => source_id),
  findDataSeries: async (client) => (await collect(client.findDataSeries(NAMES))).map(keyOf),
  resolve: async (client) => {
    const { names, series, more } = await client.resolve({ ...NAMES, ids: true, within: true, limit: 1 });
    return [names.map(({ hits }) => hits[0]?.id), series.map(keyOf), more];
  },
  rankSeriesBySource: async (client, { series }) =>
    (await collect(client.rankSeriesBySource([series]))).map(({ source_id }) => source_id),
  getAvailableTimefrequency: async (client, { series }) =>
    (await client.getAvailableTimefrequency({ item_id: series.item_id })).map(
      ({ frequency_id }) => frequency_id,
    ),
  getDataPoints: async (client, { series }) => (await client.getDataPoints(series)).map(({ value }) => value),
  'getDataPoints in a unit': async (client, { series }) => {
    const units = await client.getAllowedUnits(series.metric_id, series.item_id);
    return (await client.getDataPoints({ ...series, unit_id: units.at(-1) })).map(({ value }) => value);
  },
  getDataPointsTable: async (client, { series }) =>
    (await client.getDataPointsTable(series)).toRows().map(({ value }) => value),
  getTop: async (client, { series: { region_id: _, ...series } }) =>
    (await client.getTop('regions', series)).map(({ regionId }) => regionId),

  getGeoCentre: async (client, { state }) =>
    (await client.getGeoCentre(state)).map(({ regionId }) => regionId),
  getGeojson: async (client, { state }) => (await client.getGeojson(state))!.geometries.length,
  reverseGeocodePoints: async (client) =>
    (await client.reverseGeocodePoints([[47.4, -120.4]])).map(({ l3_id, l4_id }) => [l3_id, l4_id]),

  addSingleDataSeries: async (client, { series }) => {
    client.addSingleDataSeries(series);
    return client.getDataSeriesList();
  },
  addDataSeries: async (client) => {
    const found = await client.addDataSeries(NAMES);
    return [found && keyOf(found), client.getDataSeriesList().length];
  },
  getDf: async (client, { series }) => {
    client.addSingleDataSeries(series);
    return (await client.getDf({ include_names: true })).toRows().map(({ value }) => value);
  },
  'getDf in the wide form': async (client, { series }) => {
    client.addSingleDataSeries(series);
    return (await client.getDf({ compress_format: true })).toRows().map((row) => Object.values(row));
  },

  computeWeights: (client) => client.computeWeights('Corn', 'Area harvested', ['Washington', 'New York']),
  computeCropWeightedSeries: async (client) => {
    const frame = await client.computeCropWeightedSeries({
      ...WEIGHTED,
      regions: ['Washington', 'New York'],
    });
    return frame.toRows().map(({ value }) => value);
  },
  getAreaWeightedSeries: async (client, { series, state }) => {
    const { partner_region_id: _, region_id: __, ...weighted } = series;
    const asked = { series: weighted, weights: [weighted], region_ids: [state] };
    return (await client.getAreaWeightedSeries(asked)).data_points.map(({ value }) => value);
  },
  computeGdd: async (client) => {
    const find = async (item: string) => {
      const [found] = await collect(client.findDataSeries({ item, metric: 'Temperature', region: STATION }));
      return found!;
    };
    const [tmin_series, tmax_series] = [await find('Temperature min'), await find('Temperature max')];
    return client.computeGdd({ ...SEASON, tmin_series, tmax_series });
  },
  growingDegreeDays: (client) => client.growingDegreeDays({ ...SEASON, region_name: STATION }),
};

async function tonnesPerHectare(client: Client): Promise<number> {
  const units = await client.listUnits();
  return (
    units.find(({ name, abbreviation }) => name === 'tonne per hectare' || abbreviation === 't/ha') ??
    units[0]!
  ).id;
}

function keyOf({ metric_id, item_id, region_id, frequency_id, source_id }: SeriesKey): number[] {
  return [metric_id, item_id, region_id, frequency_id, source_id];
}
