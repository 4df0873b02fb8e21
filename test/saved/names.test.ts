import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/create-client.js';
import { PartialDataError } from '../../src/model/report.js';
import { cornSeries, fillWithCorn } from '../journeys/corn-states.js';
import { type DemoService, openDemoService } from '../journeys/demo-service.js';

let corn: DemoService;
beforeAll(async () => {
  corn = await openDemoService(fillWithCorn(3, 4));
});
afterAll(() => corn.close());

type Fetch = (request: Request) => Promise<Response>;

function saving(fetch: Fetch): Client {
  const client = corn.client({ fetch, retry: { retries: 0 } });
  for (const series of cornSeries(3)) client.addSingleDataSeries(series);
  return client;
}

const isForPoints = ({ url }: Request): boolean => url.includes('/v2/data');
const typeOf = ({ url }: Request): string => new URL(url).pathname.split('/').at(-1)!;

describe('a frame with names', () => {
  it('asks for each name once', async () => {
    const asked: string[] = [];
    const client = saving(async (request) => {
      if (!isForPoints(request)) asked.push(typeOf(request));
      return corn.service(request);
    });
    const frame = await client.getDf({ include_names: true });
    expect(frame.getChild('region_name')?.get(0)).toEqual(expect.any(String));
    expect(asked.toSorted()).toEqual(['frequencies', 'items', 'metrics', 'regions', 'sources', 'units']);
  });

  it('names the world without asking for it, which lists all regions', async () => {
    const asked: string[] = [];
    const client = saving(async (request) => {
      asked.push(request.url);
      return corn.service(request);
    });
    const frame = await client.getDf({ include_names: true });
    expect(frame.getChild('partner_region_name')?.get(0)).toBe('World');
    expect(asked.filter((url) => /regions[?](.*&)?ids=0\b/.test(url))).toEqual([]);
  });

  it('asks for one thing at a time where it was told so', async () => {
    let [running, most] = [0, 0];
    const client = saving(async (request) => {
      if (isForPoints(request)) most = Math.max(most, ++running);
      else expect(running).toBe(0);
      const answer = await corn.service(request);
      if (isForPoints(request)) running--;
      return answer;
    });
    await client.getDf({ include_names: true, async_mode: false });
    expect(most).toBe(1);
  });

  it('fails with its points where a lookup fails, which is not tried again', async () => {
    let tries = 0;
    const client = saving(async (request) => {
      if (typeOf(request) !== 'regions') return corn.service(request);
      tries++;
      return new Response('{"message":"no such luck"}', { status: 500 });
    });
    const failure = await client.getDf({ include_names: true }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartialDataError);
    expect(String((failure as PartialDataError).message)).toContain(
      'their names and sources cannot be looked up',
    );
    expect((failure as PartialDataError).partial).toMatchObject({ series: { length: 3 } });
    expect(tries).toBe(1);
  });
});
