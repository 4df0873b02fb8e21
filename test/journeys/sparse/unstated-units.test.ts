import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Fetch } from '../../../src/client/sending/send.js';
import { UnitError } from '../../../src/model/errors.js';
import { json } from '../../client/answering.js';
import { type DemoService, openDemoService } from '../demo-service.js';
import { jsonOnlyService } from '../json-only-service.js';

let demo: DemoService;
beforeAll(async () => {
  demo = await openDemoService();
});
afterAll(() => demo?.close());

/** The service, with another unit in some of its points. */
function withUnit(unit: unknown, regions?: readonly number[]): Fetch {
  const service = jsonOnlyService(demo.service);
  return async (request) => {
    const response = await service(request);
    if (new URL(request.url).pathname !== '/v2/data') return response;
    const blocks = (await response.json()) as { series: { regionId: number }; data: unknown[][] }[];
    return json(
      blocks.map((block) => {
        if (regions !== undefined && !regions.includes(block.series.regionId)) return block;
        return { ...block, data: block.data.map((point) => point.with(4, unit)) };
      }),
    );
  };
}

const SEASON = { base_temperature: 10, start_date: '2012-05-01', end_date: '2012-05-31' };

it.each([
  [null, /^the temperatures of region \d+ are not convertible to °C: they have no unit$/],
  ['1', /^the series of .* is not convertible: the service does not say the unit of 31 of its values$/],
])('degree days of temperatures whose unit is %j are refused', async (unit, message) => {
  const client = demo.client({ fetch: withUnit(unit) });
  const sum = client.growingDegreeDays({ ...SEASON, region_name: 'Seattle weather station' });
  await expect(sum).rejects.toThrow(message);
  await expect(sum).rejects.toBeInstanceOf(UnitError);
});

it.each([
  [null, /^the values of region \d+ are not convertible to unit_id \d+: they have no unit$/],
  ['ac', /does not say the unit of 10 of its values$/],
])('weights are never of regions some of whose units are %j', async (unit, message) => {
  const weigh = (fetch: Fetch) =>
    demo.client({ fetch }).computeWeights('Corn', 'Area harvested', ['Washington', 'New York']);
  const newYork = await demo.client().searchForEntity('regions', 'New York');
  await expect(weigh(withUnit(unit, [newYork!]))).rejects.toThrow(message);
  const [washington] = await weigh(jsonOnlyService(demo.service));
  expect((await weigh(withUnit(null)))[0]).toBe(washington);
});
