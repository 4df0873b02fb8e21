import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/client/sending/send.js';
import type { Client } from '../../src/create-client.js';
import { toRows } from '../../src/frame/formats/rows.js';
import type { DataSeries, SeriesKey } from '../../src/model/series.js';
import { json } from '../client/answering.js';
import { idOf } from '../entity-id.js';
import { type DemoService, openDemoService } from './demo-service.js';
import { jsonOnlyService } from './json-only-service.js';
import { DEMO_OPERATIONS } from './sparse/demo-operations.js';

/** Ids that the service no longer has. */
const GONE = { metric_id: 900_001, item_id: 900_002, region_id: 900_003, unit_id: 900_004 } as const;
type Field = keyof typeof GONE;

const TYPES = { metrics: 'metric_id', items: 'item_id', regions: 'region_id', units: 'unit_id' } as const;

/** A service that answers a request with ids that are gone by a 301 to those of `now`. */
function moving(service: Fetch, now: () => Record<Field, number>): Fetch {
  return async (request) => {
    const gone = goneFields(new URL(request.url), await request.clone().text());
    if (gone.size === 0) return service(request);
    const data = [...gone].map((field) => ({
      [`old_${field}`]: GONE[field],
      [`new_${field}`]: now()[field],
    }));
    return json({ data }, { status: 301 });
  };
}

function goneFields({ pathname, searchParams }: URL, body: string): Set<Field> {
  const type = pathname.split('/')[2] as keyof typeof TYPES;
  const fields = Object.keys(GONE) as Field[];
  const isAsked = (field: Field) => {
    const key = field.replace('_id', 'Id');
    const names = [key, `${key}s`, ...(TYPES[type] === field ? ['ids'] : [])];
    const ids = names.flatMap((name) => searchParams.getAll(name));
    return ids.includes(String(GONE[field])) || body.includes(String(GONE[field]));
  };
  return new Set(fields.filter(isAsked));
}

interface Ids {
  readonly metric_id: number;
  readonly item_id: number;
  readonly region_id: number;
  readonly unit_id: number;
}

let demo: DemoService;
let now: Ids;
let corn: DataSeries;
let temperatures: { tmin: DataSeries; tmax: DataSeries };

async function first<Element>(sequence: AsyncIterable<Element>): Promise<Element> {
  for await (const element of sequence) return element;
  throw new Error('there is none');
}

beforeAll(async () => {
  demo = await openDemoService();
  const client = demo.client();
  corn = await first(client.findDataSeries({ metric: 'Area harvested', item: 'Corn', region: 'Washington' }));
  const seattle = { metric: 'Temperature', region: 'Seattle' };
  temperatures = {
    tmin: await first(client.findDataSeries({ ...seattle, item: 'Temperature min' })),
    tmax: await first(client.findDataSeries({ ...seattle, item: 'Temperature max' })),
  };
  const { metric_id, item_id, region_id } = corn;
  now = { metric_id, item_id, region_id, unit_id: (await client.getAllowedUnits(metric_id))[0]! };
});
afterAll(() => demo.close());

const keyOf = ({ unit_id: _, ...ids }: Ids): SeriesKey => {
  const { partner_region_id, source_id, frequency_id } = corn;
  return { ...ids, partner_region_id, source_id, frequency_id };
};

/** Every operation that takes an id, as far as its figures go: those of the demo that take a second parameter, and more. */
const OPERATIONS: Record<string, (client: Client, ids: Ids) => Promise<unknown>> = {
  ...Object.fromEntries(
    Object.entries(DEMO_OPERATIONS)
      .filter(([, operation]) => operation.length === 2)
      .map(([name, operation]) => [
        name,
        (client: Client, ids: Ids) => operation(client, { series: keyOf(ids), state: ids.region_id }),
      ]),
  ),
  lookupUnitAbbreviation: (client, { unit_id }) => client.lookupUnitAbbreviation(unit_id),
  'lookup of a list': async (client, { region_id }) => {
    const other = await idOf(client, 'regions', 'New York');
    const found = await client.lookup('regions', [other, region_id]);
    return [found[other], found[region_id]];
  },
  'getDataPoints of lists': async (client, ids) => {
    const other = await idOf(client, 'regions', 'New York');
    return client.getDataPoints({ ...keyOf(ids), region_id: [ids.region_id, other] });
  },
  'getDf of several': async (client, ids) => {
    client.addSingleDataSeries(keyOf(ids));
    client.addSingleDataSeries(temperatures.tmin);
    return toRows(await client.getDf({ index_by_series: true }));
  },
  computeGdd: (client, ids) => {
    const isMoved = ids.metric_id === GONE.metric_id;
    const of = (one: DataSeries) => (isMoved ? { ...one, region_id: GONE.region_id } : one);
    const [tmin_series, tmax_series] = [of(temperatures.tmin), of(temperatures.tmax)];
    const season = { base_temperature: 10, start_date: '2012-05-01', end_date: '2012-05-31' };
    return client.computeGdd({ tmin_series, tmax_series, ...season });
  },
  computeWeights: (client, { region_id }) =>
    client.computeWeights('Corn', 'Area harvested', [{ id: region_id, name: 'Washington' }, 'New York']),
};
/** It returns what was saved, ids and all. */
delete OPERATIONS.addSingleDataSeries;

describe.each([
  ['our own service', (service: Fetch) => service],
  ['a service of JSON alone', (service: Fetch) => jsonOnlyService(service)],
])('ids that %s has moved', (_, over) => {
  it.each(Object.keys(OPERATIONS))('are followed by %s', async (name) => {
    const operation = OPERATIONS[name]!;
    const service = over(demo.service);
    const expected = await operation(demo.client({ fetch: service }), now);
    const regionNow = name === 'computeGdd' ? temperatures.tmin.region_id : now.region_id;
    const fetch = moving(service, () => ({ ...now, region_id: regionNow }));
    expect(await operation(demo.client({ fetch }), GONE)).toEqual(expected);
    expect([expected].flat()).not.toEqual([]);
  });
});
