import { beforeAll, describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/client/http/request.js';
import { ContractError, UnitError } from '../../src/model/errors.js';
import { json } from '../client/answering.js';
import { NIGHT } from '../endurance.js';
import { type CornSeries, DEMO_OPERATIONS, findCorn } from './demo-operations.js';
import { useDemoService } from './demo-service.js';
import { remembering } from './faults.js';
import { jsonOnlyService } from './json-only-service.js';

const demo = useDemoService();
let corn: CornSeries;
let expected: Map<string, unknown>;
beforeAll(async () => {
  corn = await findCorn(demo.client());
  const client = () => demo.client();
  expected = new Map();
  for (const [name, operation] of Object.entries(DEMO_OPERATIONS))
    expected.set(name, await operation(client(), corn));
});

/** A service that changes what it answers at some paths, field by field; undefined leaves a field out. */
function changing(service: Fetch, path: RegExp, change: (name: string, value: unknown) => unknown): Fetch {
  return async (request) => {
    const response = await service(request);
    if (response.status !== 200 || !path.test(new URL(request.url).pathname)) return response;
    return json(JSON.parse(await response.text(), change));
  };
}

const without = (service: Fetch, path: RegExp, ...fields: string[]) =>
  changing(service, path, (name, value) => (fields.includes(name) ? undefined : value));

/** The gate asks the one that leaves most out. */
const SERVICES: readonly [what: string, over: (service: Fetch) => Fetch][] = [
  ['ignores runs', (service) => jsonOnlyService(service)],
  ['refuses runs by a 406', (service) => jsonOnlyService(service, { refuseRuns: 'status 406' })],
  [
    'leaves out names, partner regions and the source of points',
    (service) => {
      const series = /data_series|entities\/list/;
      const names = ['metric_name', 'item_name', 'region_name', 'source_name', 'frequency_name'];
      const named = without(jsonOnlyService(service), series, ...names, 'partner_region_id');
      return without(named, /v2\/data$/, 'partnerRegionId', 'sourceId', 'belongsTo', 'metadata');
    },
  ],
];

describe.each(NIGHT ? SERVICES : SERVICES.slice(-1))('a service of the JSON base that %s', (_, over) => {
  it.each(Object.keys(DEMO_OPERATIONS))('has the figures of our own: %s', async (name) => {
    const client = demo.client({ fetch: remembering(over(demo.service)) });
    expect(await DEMO_OPERATIONS[name]!(client, corn)).toEqual(expected.get(name));
  });
});

it.each<[string, RegExp, string]>([
  ['lookup', /v2\/regions$/, 'level'],
  ['lookup', /v2\/regions$/, 'historical'],
  ['lookupBelongs', /v2\/regions$/, 'belongsTo'],
  ['listUnits', /v2\/units$/, 'baseConvFactor'],
  ['getDataSeries', /data_series\/list$/, 'start_date'],
  ['listAvailable', /entities\/list$/, 'region_id'],
  ['getAvailableTimefrequency', /time-frequencies$/, 'endDate'],
  ['getTop', /top\/regions$/, 'value'],
  ['getGeoCentre', /geocentres$/, 'regionName'],
  ['reverseGeocodePoints', /geocode$/, 'l4_id'],
  ['getAreaWeightedSeries', /area-weighting$/, 'timestamp'],
  ['getDataPoints', /v2\/data$/, 'regionId'],
])('%s refuses an answer of %s without %s', async (name, path, field) => {
  const client = demo.client({ fetch: without(jsonOnlyService(demo.service), path, field) });
  const asked = DEMO_OPERATIONS[name]!(client, corn);
  await expect(asked).rejects.toBeInstanceOf(ContractError);
  await expect(asked).rejects.toThrow(field);
});

describe('values without a unit', () => {
  /** A service whose points have no unit, of all regions or of one. */
  const unitless = (region?: number): Fetch => {
    const service = jsonOnlyService(demo.service);
    return changing(service, /v2\/data$/, (_, value) => {
      const block = value as { series?: { regionId: number }; data: unknown[][] } | null;
      if (block?.series === undefined || block.series.regionId !== (region ?? block.series.regionId))
        return value;
      return { ...block, data: block.data.map((point) => point.with(4, null)) };
    });
  };

  it('have no degree days', async () => {
    const sum = DEMO_OPERATIONS.growingDegreeDays!(demo.client({ fetch: unitless() }), corn);
    await expect(sum).rejects.toBeInstanceOf(UnitError);
    await expect(sum).rejects.toThrow(/^the temperatures for region \d+ .* to °C: they have no unit$/);
  });

  it('do not weigh beside values with one', async () => {
    const newYork = await demo.client().searchForEntity('regions', 'New York');
    const weigh = (fetch: Fetch) => DEMO_OPERATIONS.computeWeights!(demo.client({ fetch }), corn);
    await expect(weigh(unitless(newYork))).rejects.toThrow(/they have no unit$/);
    expect(await weigh(unitless())).toEqual(expected.get('computeWeights'));
  });
});
