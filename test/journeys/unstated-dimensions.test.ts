import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/create-client.js';
import { UnitError } from '../../src/model/errors.js';
import type { SeriesKey } from '../../src/model/series.js';
import { type DemoService, openDemoService } from './demo-service.js';

let demo: DemoService;
beforeAll(async () => {
  demo = await openDemoService();
});
afterAll(() => demo?.close());

/** A client of the service, whose answers leave the dimensions out, and the allowed units where `allows` is false. */
function unstated({ allows }: { allows: boolean }): Client {
  return demo.client({
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/v2/units/allowed' && !allows) return Response.json({ data: [] });
      const answer = await demo.service(request);
      if (pathname !== '/v2/units') return answer;
      const { data } = (await answer.json()) as { data: Record<string, { dimension?: unknown }> };
      for (const unit of Object.values(data)) delete unit.dimension;
      return Response.json({ data });
    },
  });
}

async function seattle(client: Client, item: string): Promise<SeriesKey> {
  for await (const { start_date: _, end_date: __, ...key } of client.findDataSeries({
    item,
    region: 'Seattle',
  }))
    return key;
  throw new Error(`the demo has no ${item} of Seattle`);
}

describe.each([{ allows: true }, { allows: false }])('a service without dimensions, %o', (service) => {
  it('converts within a dimension and refuses across, in points and frames', async () => {
    const client = unstated(service);
    const temperature = await seattle(client, 'Temperature max');
    const day = { start_date: '2012-01-02', end_date: '2012-01-02' };
    const [warm] = await client.getDataPoints({ ...temperature, ...day, unit_id: 2 });
    expect(warm).toMatchObject({ unit_id: 2 });
    expect(warm!.value).toBeCloseTo(10.6 * 1.8 + 32, 9);
    const rain = await seattle(client, 'Precipitation');
    const [wet] = await client.getDataPoints({ ...rain, ...day, unit_id: 11 });
    expect(wet!.value).toBeCloseTo(10.9 / 25.4, 12);

    const refused = /^unit_id 1 is not convertible to unit_id 10: .*"temperature", .*"length"$/;
    await expect(client.getDataPoints({ ...temperature, ...day, unit_id: 10 })).rejects.toThrow(refused);
    client.addSingleDataSeries(temperature);
    const frame = client.getDf({ unit_id: 10 });
    await expect(frame).rejects.toThrow(refused);
    await expect(frame).rejects.toBeInstanceOf(UnitError);
  });
});
