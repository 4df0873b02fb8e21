import { getAccessToken } from '../../../src/client/access-token.js';
import type { Client } from '../../../src/create-client.js';
import { toRows } from '../../../src/frame/formats/rows.js';
import { createClient } from '../../../src/index.js';
import { REGION_LEVELS } from '../../../src/model/entity.js';
import { RuntimeError } from '../../../src/model/errors.js';
import type { DataSeries } from '../../../src/model/series.js';
import { collect, idsOf } from '../../sequences.js';
import { EMAIL, PASSWORD } from './example-store.js';

/** Where an example runs: a fresh client, and the service behind it. */
export interface Place {
  readonly client: Client;
  readonly api_host: string;
  readonly access_token: string;
  /** Runs the command, and returns the file that it writes, line by line. */
  command(argv: readonly string[]): Promise<string[]>;
}

/** One operation as the documentation of the public Python client shows it, with our names and made-up figures. */
export interface Example {
  readonly run: (place: Place) => Promise<unknown>;
  readonly answer: unknown;
  /** The error that names what is missing, where every optional field is left out. */
  readonly refused?: RegExp;
}

// Ids of our vocabulary, in place of those in the documentation.
const [UNITED_STATES, CHINA, BRAZIL, ARGENTINA, UKRAINE, INDIA] = [840, 156, 76, 32, 804, 356];
const [AREA_HARVESTED, YIELD, PRODUCTION, EXPORTS] = [21, 30, 31, 44];
const [CORN, WHEAT, SOYBEANS, CEREALS] = [110, 111, 121, 101];
const [PSD, FAO, ANNUAL] = [3, 5, 9];
const [TONNE, THOUSAND_TONNES] = [30, 33];

const CORN_OF_ARGENTINA = {
  metric_id: PRODUCTION,
  item_id: CORN,
  region_id: ARGENTINA,
  frequency_id: ANNUAL,
  source_id: FAO,
};
const SOYBEANS_SINCE_2017 = {
  ...{ metric_id: YIELD, item_id: SOYBEANS, region_id: ARGENTINA, source_id: PSD, frequency_id: ANNUAL },
  start_date: '2017-01-01',
};
const SEASON = { base_temperature: 10, start_date: '2012-05-01', end_date: '2012-05-31' };
/** Above 10 °C in Seattle, May 2012, by the daily means of NOAA's figures in vega-datasets. */
const MAY_2012 = 95.75;
const STATES = ['Washington', 'New York'];

/** The operations of the specification, in its order. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  'create client': {
    run: async ({ api_host, access_token, client }) => {
      const before = process.env.API_TOKEN;
      try {
        process.env.API_TOKEN = access_token;
        const fromEnvironment = createClient({ api_host });
        delete process.env.API_TOKEN;
        const error = failureOf(() => createClient({ api_host }));
        return [fromEnvironment.api_host === client.api_host, error instanceof RuntimeError];
      } finally {
        if (before === undefined) delete process.env.API_TOKEN;
        else process.env.API_TOKEN = before;
      }
    },
    answer: [true, true],
  },
  lookup: {
    run: async ({ client }) => {
      const one = await client.lookup('items', CORN);
      const several = await client.lookup('items', [SOYBEANS, CORN]);
      const { contains } = await client.lookup('items', CEREALS);
      return [one.id, Object.keys(several), contains.includes(CORN) || contains.length === 0];
    },
    answer: [CORN, [String(CORN), String(SOYBEANS)], true],
  },
  search: {
    run: async ({ client }) => [
      (await client.search('metrics', 'Exports'))[0]!.id,
      (await client.search('items', 'Wheat'))[0]!.id,
      (await client.search('regions', 'India'))[0]!.id,
      (await client.search('sources', 'USDA PSD'))[0]!.id,
    ],
    answer: [EXPORTS, WHEAT, INDIA, PSD],
  },
  search_and_lookup: {
    run: async ({ client }) => [
      (await first(client.searchAndLookup('items', 'Wheat')))!.id,
      (await first(client.searchAndLookup('regions', 'India')))!.id,
      (await first(client.searchAndLookup('sources', 'USDA PSD')))!.id,
    ],
    answer: [WHEAT, INDIA, PSD],
  },
  search_for_entity: {
    run: async ({ client }) => [
      await client.searchForEntity('regions', 'brazil'),
      await client.searchForEntity('items', 'soybeans'),
      await client.searchForEntity('items', 'qqqqzzzz'),
    ],
    answer: [BRAZIL, SOYBEANS, undefined],
  },
  get_available: {
    run: async ({ client }) => {
      const regions = await client.getAvailable('regions');
      return [regions[0]!.id, regions.length <= 5000, regions.some(({ id }) => id === INDIA)];
    },
    answer: [0, true, true],
  },
  list_available: {
    run: async ({ client }) => {
      const found = await client.listAvailable({ metric_id: PRODUCTION, item_id: CORN, source_id: FAO });
      return found.map(({ region_id }) => region_id).sort(ascending);
    },
    answer: [ARGENTINA, BRAZIL, CHINA, INDIA, UKRAINE, UNITED_STATES].sort(ascending),
  },
  get_allowed_units: {
    run: async ({ client }) => {
      const units = await client.getAllowedUnits(PRODUCTION, CORN);
      return [units.includes(TONNE), units.includes(THOUSAND_TONNES)];
    },
    answer: [true, true],
  },
  lookup_unit_abbreviation: {
    run: async ({ client }) => ['t', String(TONNE)].includes(await client.lookupUnitAbbreviation(TONNE)),
    answer: true,
  },
  lookup_belongs: {
    run: async ({ client }) => {
      const above = await collect(client.lookupBelongs('regions', UNITED_STATES));
      const direct = await client.getAncestor('regions', UNITED_STATES, {
        distance: 1,
        include_details: false,
      });
      return [above.length > 0, same(idsOf(above), idsOf(direct))];
    },
    answer: [true, true],
  },
  get_ancestor: {
    run: async ({ client }) => {
      const washington = (await client.searchForEntity('regions', 'Washington'))!;
      const options = { ancestor_level: REGION_LEVELS.country };
      return idsOf(await client.getAncestor('regions', washington, options));
    },
    answer: [UNITED_STATES],
  },
  get_descendant: {
    run: async ({ client }) => {
      const options = { descendant_level: REGION_LEVELS.province };
      const found = await client.getDescendant('regions', BRAZIL, options);
      const ids = await client.getDescendant('regions', BRAZIL, { ...options, include_details: false });
      return [found.length, same(idsOf(found), idsOf(ids))];
    },
    answer: [27, true],
  },
  get_data_series: {
    run: async ({ client }) => {
      const series = await client.getDataSeries({ item_id: WHEAT, region_id: UKRAINE });
      return series.map(({ metric_id, source_id }) => [metric_id, source_id]).sort();
    },
    answer: [
      [AREA_HARVESTED, PSD],
      [AREA_HARVESTED, FAO],
    ],
  },
  find_data_series: {
    run: async ({ client }) => {
      const found = client.findDataSeries({
        item: 'Wheat',
        metric: 'Area harvested',
        region: 'Ukraine',
        start_date: '2000-01-01',
        end_date: '2002-12-31',
        result_filter: ({ region_id }) => region_id === undefined || region_id === UKRAINE,
      });
      return (await collect(found)).map(({ source_id, region_id }) => [source_id, region_id]);
    },
    answer: [
      [PSD, UKRAINE],
      [FAO, UKRAINE],
    ],
  },
  rank_series_by_source: {
    run: async ({ client }) => {
      const [series] = await client.getDataSeries({ item_id: WHEAT, region_id: UKRAINE, source_id: FAO });
      const period = { start_date: '2000-01-01', end_date: '2002-12-31' };
      const ranked = client.rankSeriesBySource([{ ...series, ...period }]);
      return (await collect(ranked)).map(({ source_id }) => source_id);
    },
    answer: [PSD, FAO],
  },
  get_available_timefrequency: {
    run: async ({ client }) => {
      const found = await client.getAvailableTimefrequency({ metric_id: PRODUCTION, item_id: CORN });
      return found.map(({ frequency_id }) => frequency_id);
    },
    answer: [ANNUAL],
  },
  get_data_points: {
    run: async ({ client }) => {
      const year = { start_date: '2017-01-01', end_date: '2017-12-31' };
      const several = { ...CORN_OF_ARGENTINA, ...year, region_id: [ARGENTINA, BRAZIL] };
      const values = async (request: object) =>
        (await client.getDataPoints(request)).map(({ value }) => value);
      return [
        await values(several),
        await values(SOYBEANS_SINCE_2017),
        await values({ ...SOYBEANS_SINCE_2017, reporting_history: true }),
        await values({ ...SOYBEANS_SINCE_2017, end_date: '2017-12-31', at_time: '2018-03-01' }),
      ];
    },
    answer: [[49, 97], [2.32, 3.33], [2.98, 2.84, 2.32, 3.33], [2.84]],
  },
  'get_data_points in a unit': {
    run: async ({ client }) => {
      const points = await client.getDataPoints({ ...CORN_OF_ARGENTINA, unit_id: THOUSAND_TONNES });
      return points.map(({ value }) => value);
    },
    answer: [0.032, 0.033, 0.034, 0.04, 0.049],
    refused: /does not say the unit of 5 of its values/,
  },
  get_geojson: {
    run: async ({ client }) => (await client.getGeojson(UNITED_STATES, { zoom_level: 5 }))!.type,
    answer: 'GeometryCollection',
    refused: /the geojson of region 840 is missing/,
  },
  get_geo_centre: {
    run: async ({ client }) =>
      (await client.getGeoCentre(UNITED_STATES)).map(({ regionId, centre }) => [regionId, roughly(centre)]),
    answer: [[UNITED_STATES, true]],
  },
  get_descendant_regions: {
    run: async ({ client }) => {
      const options = { descendant_level: REGION_LEVELS.province, include_details: false } as const;
      return (await client.getDescendantRegions(BRAZIL, options)).length;
    },
    answer: 27,
  },
  get_provinces: {
    run: async ({ client }) => (await client.getProvinces('United States'))!.length > 50,
    answer: true,
    refused: /does not say the field "level" of region \d+/,
  },
  get_top: {
    run: async ({ client }) => {
      const corn = { metric_id: PRODUCTION, item_id: CORN, frequency_id: ANNUAL, source_id: FAO };
      const year = { start_date: '2014-01-01', end_date: '2014-12-31' };
      const exports = { metric_id: EXPORTS, region_id: UNITED_STATES, frequency_id: ANNUAL, source_id: FAO };
      return [
        (await client.getTop('regions', corn)).map(({ regionId }) => regionId),
        (await client.getTop('regions', { ...corn, ...year, num_results: 2 })).map(
          ({ regionId }) => regionId,
        ),
        (await client.getTop('items', { ...exports, num_results: 15 })).map(({ itemId }) => itemId),
      ];
    },
    answer: [
      [UNITED_STATES, CHINA, BRAZIL, ARGENTINA, UKRAINE],
      [UNITED_STATES, CHINA],
      [CORN, SOYBEANS, WHEAT],
    ],
  },
  add_single_data_series: {
    run: async ({ client }) => {
      client.addSingleDataSeries({ ...CORN_OF_ARGENTINA });
      return valuesOf(client);
    },
    answer: [32, 33, 34, 40, 49],
  },
  add_data_series: {
    run: async ({ client }) => {
      const area = await client.addDataSeries({ metric: 'area harvested', item: 'wheat', region: 'India' });
      const quantity = await client.addDataSeries({
        metric: 'production quantity',
        item: 'wheat',
        region: 'India',
      });
      return [area!.source_id, quantity!.source_id, await valuesOf(client)];
    },
    answer: [PSD, PSD, [27.5, 25.7, 26.3, 76.4, 69.7, 72.8]],
  },
  get_data_series_list: {
    run: async ({ client }) => {
      client.addSingleDataSeries({ ...CORN_OF_ARGENTINA });
      return client.getDataSeriesList().map(({ region_id }) => region_id);
    },
    answer: [ARGENTINA],
  },
  get_df: {
    run: async ({ client }) => {
      client.addSingleDataSeries({ ...CORN_OF_ARGENTINA });
      client.addSingleDataSeries({ ...CORN_OF_ARGENTINA, region_id: UKRAINE });
      const long = await client.getDf({ include_names: true });
      const bySeries = await client.getDf({ index_by_series: true, async_mode: false });
      const wide = await client.getDf({ compress_format: true });
      return [
        toRows(long).map(({ value }) => value),
        bySeries.schema.fields[0]!.name,
        toRows(wide).map((row) => Object.values(row).slice(1)),
      ];
    },
    answer: [
      [32, 33, 34, 40, 49, 31, 28, 23, 28, 25],
      'metric_id',
      [
        [32, 31],
        [33, 28],
        [34, 23],
        [40, 28],
        [49, 25],
      ],
    ],
  },
  compute_weights: {
    run: ({ client }) => client.computeWeights('Corn', 'Area harvested', STATES),
    answer: [960 / 6295, 5335 / 6295],
    refused: /the service does not say the name of its best hit, id \d+/,
  },
  compute_crop_weighted_series: {
    run: async ({ client }) => {
      const frame = await client.computeCropWeightedSeries({
        weighting_crop_name: 'Corn',
        weighting_metric_name: 'Area harvested',
        item_name: 'Corn',
        metric_name: 'Yield',
        regions: STATES,
        weighting_func: (weight, value) => (weight > 0 ? value : 0),
      });
      return toRows(frame)
        .map(({ value }) => value)
        .slice(0, 3);
    },
    answer: [190, 195, 200],
    refused: /does not say the unit of 10 of its values/,
  },
  compute_gdd: {
    run: async ({ client }) => {
      const region = { region: 'Seattle weather station', metric: 'Temperature' };
      const tmin_series = await best(client, { ...region, item: 'Temperature min' });
      const tmax_series = await best(client, { ...region, item: 'Temperature max' });
      return client.computeGdd({ ...SEASON, tmin_series, tmax_series, min_temporal_coverage: 0.9 });
    },
    answer: MAY_2012,
    refused: /does not say the unit of 31 of its values/,
  },
  growing_degree_days: {
    run: ({ client }) => client.growingDegreeDays({ ...SEASON, region_name: 'Seattle weather station' }),
    answer: MAY_2012,
    refused: /Seattle weather station/,
  },
  'obtain a token': {
    run: async ({ api_host }) =>
      typeof (await getAccessToken({ api_host, email: EMAIL, password: PASSWORD })),
    answer: 'string',
  },
  'command line tool': {
    run: async ({ command, access_token }) => {
      const names = ['--metric', 'Production quantity', '--item', 'Corn', '--region', 'United States'];
      const lines = await command([...names, '--token', access_token]);
      return lines.slice(1).map((line) => line.split(',')[2]);
    },
    answer: ['350', '360', '345', '385', '370'],
  },
};

async function best(
  client: Client,
  names: { item: string; metric: string; region: string },
): Promise<DataSeries> {
  return (await first(
    client.findDataSeries({ ...names, start_date: SEASON.start_date, end_date: SEASON.end_date }),
  ))!;
}

async function valuesOf(client: Client): Promise<unknown[]> {
  return toRows(await client.getDf()).map(({ value }) => value);
}

async function first<Element>(sequence: AsyncIterable<Element>): Promise<Element | undefined> {
  for await (const element of sequence) return element;
  return undefined;
}

function same(some: readonly number[], others: readonly number[]): boolean {
  return JSON.stringify([...some].sort(ascending)) === JSON.stringify([...others].sort(ascending));
}

function ascending(a: number | undefined, b: number | undefined): number {
  return (a ?? 0) - (b ?? 0);
}

/** A centre in the northern and western quarter, or none. */
function roughly(centre: readonly [number, number] | null): boolean {
  return centre === null || (centre[0] > 0 && centre[1] < 0);
}

function failureOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}
