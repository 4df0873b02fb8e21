import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/client/http/exchange.js';
import type { Client } from '../../src/create-client.js';
import { toRows } from '../../src/frame/formats/rows.js';
import { CropframeError } from '../../src/model/errors.js';
import { json } from '../client/answering.js';
import { type DemoService, openDemoService } from './demo-service.js';
import { remembering } from './faults.js';
import { jsonOnlyService } from './json-only-service.js';

/** The fields that a client can do without, by the path of the operation. */
const OPTIONAL: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^\/v2\/(metrics|items|regions|frequencies|sources|units)(\/\d+)?$/,
    [
      ...['name', 'definition', 'contains', 'belongsTo', 'level', 'latitude', 'longitude', 'historical'],
      ...['abbrev', 'periodLength', 'days', 'longName', 'licence', 'citation', 'url'],
      ...['abbreviation', 'namePlural', 'baseConvFactor', 'factor', 'offset', 'dimension'],
    ],
  ],
  [
    /^\/v2\/data_series\/list$/,
    [
      ...['metric_name', 'item_name', 'region_name', 'partner_region_name', 'frequency_name', 'source_name'],
      ...['start_date', 'end_date', 'metadata', 'data_count_estimate'],
    ],
  ],
  [/^\/v2\/entities\/list$/, ['metric_name', 'item_name', 'region_name', 'source_name']],
  [/^\/v2\/available\/time-frequencies$/, ['startDate', 'endDate', 'name']],
  [/^\/v2\/top\/\w+$/, ['unitId', 'value']],
  [/^\/v2\/geocentres$/, ['centre', 'regionName', 'geojson']],
  [/^\/v2\/data$/, ['unitId', 'belongsTo', 'metadata']],
];
const CASES = OPTIONAL.flatMap(([path, fields]) =>
  fields.flatMap((field) => (['away', 'null', 'odd'] as const).map((how) => ({ path, field, how }))),
);

function sparse(service: Fetch, { path, field, how }: (typeof CASES)[number]): Fetch {
  return async (request) => {
    const response = await service(request);
    if (response.status !== 200 || !path.test(new URL(request.url).pathname)) return response;
    return json(changed(await response.json(), field, how));
  };
}

function changed(value: unknown, field: string, how: 'away' | 'null' | 'odd'): unknown {
  if (Array.isArray(value)) return value.map((one) => changed(one, field, how));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    if (name !== field) return [[name, changed(inner, field, how)]];
    if (how === 'away') return [];
    return [[name, how === 'null' ? null : typeof inner === 'number' ? 'odd' : 12.5]];
  });
  return Object.fromEntries(fields);
}

interface World {
  readonly ids: Record<'item' | 'region' | 'state' | 'metric', number>;
  readonly series: Record<
    'metric_id' | 'item_id' | 'region_id' | 'source_id' | 'frequency_id' | 'partner_region_id',
    number
  >;
}

/** Each operation, reduced to the figures and ids that no missing field may change. */
const OPERATIONS: Record<string, (client: Client, world: World) => Promise<unknown>> = {
  search: (client) => client.search('items', 'corn'),
  lookup: async (client, { ids }) => (await client.lookup('regions', ids.region)).id,
  searchAndLookup: async (client) =>
    (await all(client.searchAndLookup('regions', 'Washington'))).map(({ id }) => id),
  getAvailable: async (client) => (await client.getAvailable('metrics')).map(({ id }) => id),
  listAvailable: async (client, { ids }) =>
    (await client.listAvailable({ item_id: ids.item })).map(({ metric_id }) => metric_id),
  getAllowedUnits: (client, { ids }) => client.getAllowedUnits(ids.metric, ids.item),
  getDataSeries: async (client, { ids }) =>
    (await client.getDataSeries({ item_id: ids.item })).map(({ source_id }) => source_id),
  getAvailableTimefrequency: async (client, { ids }) =>
    (await client.getAvailableTimefrequency({ item_id: ids.item })).map(({ frequency_id }) => frequency_id),
  findDataSeries: async (client) =>
    (await all(client.findDataSeries({ item: 'Corn', metric: 'Yield', region: 'Washington' }))).map(
      ({ region_id, metric_id }) => [region_id, metric_id],
    ),
  rankSeriesBySource: async (client, { series }) =>
    (await all(client.rankSeriesBySource([series]))).map(({ source_id }) => source_id),
  getDataPoints: async (client, { series }) =>
    (await client.getDataPoints(series)).map(({ value, unit_id }) => [value, unit_id]),
  converted: async (client, { series, ids }) => {
    const units = await client.getAllowedUnits(ids.metric, ids.item);
    return (await client.getDataPoints({ ...series, unit_id: units.at(-1) })).map(({ value }) => value);
  },
  getTop: async (client, { series: { region_id: _, ...series } }) =>
    (await client.getTop('regions', series)).map(({ regionId }) => regionId),
  getGeoCentre: async (client, { ids }) =>
    (await client.getGeoCentre(ids.state)).map(({ regionId }) => regionId),
  getGeojson: async (client, { ids }) => (await client.getGeojson(ids.state)) !== undefined,
  getAncestor: async (client, { ids }) =>
    (await client.getAncestor('regions', ids.region)).map(({ id }) => id),
  getDescendant: async (client, { ids }) =>
    (await client.getDescendant('regions', ids.state, { include_details: false })).map(({ id }) => id),
  getDf: async (client, { series }) => {
    client.addSingleDataSeries(series);
    return toRows(await client.getDf({ include_names: true })).map(({ value, unit_id }) => [value, unit_id]);
  },
  wideDf: async (client, { series }) => {
    client.addSingleDataSeries(series);
    return toRows(await client.getDf({ compress_format: true })).map((row) => Object.values(row));
  },
  growingDegreeDays: (client) =>
    client.growingDegreeDays({
      region_name: 'Seattle weather station',
      base_temperature: 10,
      start_date: '2012-05-01',
      end_date: '2012-05-31',
    }),
};

async function all<Element>(sequence: AsyncIterable<Element>): Promise<Element[]> {
  const list: Element[] = [];
  for await (const element of sequence) list.push(element);
  return list;
}

describe.each([{ refuseArrow: 'ignore' }, { refuseArrow: 'status 406' }] as const)(
  'a service that leaves out what a client can do without, Arrow: $refuseArrow',
  (how) => {
    let demo: DemoService;
    let service: Fetch;
    let world: World;
    const full = new Map<string, unknown>();

    beforeAll(async () => {
      demo = await openDemoService();
      service = remembering(jsonOnlyService(demo.service, how));
      const client = demo.client();
      const found = await all(client.findDataSeries({ item: 'Corn', metric: 'Yield', region: 'Washington' }));
      const { metric_id, item_id, region_id, source_id, frequency_id, partner_region_id } = found[0]!;
      world = {
        ids: { item: item_id, metric: metric_id, region: region_id, state: region_id },
        series: { metric_id, item_id, region_id, source_id, frequency_id, partner_region_id },
      };
      for (const [name, operation] of Object.entries(OPERATIONS))
        full.set(name, await operation(demo.client({ fetch: service }), world));
    });
    afterAll(() => demo.close());

    it.each(CASES)('$field $how: the same figures, or an error that names what is missing', async (one) => {
      const fetch = sparse(service, one);
      const failed: string[] = [];
      for (const [name, operation] of Object.entries(OPERATIONS)) {
        try {
          expect(await operation(demo.client({ fetch }), world), name).toEqual(full.get(name));
        } catch (error) {
          if (!(error instanceof CropframeError)) throw error;
          failed.push(name);
        }
      }
      expect(failed.filter((name) => !MAY_FAIL.has(name))).toEqual([]);
    });
  },
);

/** Operations that need units, without whose abbreviations and factors they cannot convert, and the shape of a region. */
const MAY_FAIL: ReadonlySet<string> = new Set(['converted', 'growingDegreeDays', 'getGeojson']);
