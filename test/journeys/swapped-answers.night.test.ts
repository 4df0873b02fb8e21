import { beforeAll, describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/client/http/request.js';
import type { Client } from '../../src/create-client.js';
import { CropframeError } from '../../src/model/errors.js';
import { collect } from '../sequences.js';
import { type CornSeries, DEMO_OPERATIONS, findCorn } from './demo-operations.js';
import { useDemoService } from './demo-service.js';
import { remembering } from './faults.js';

const demo = useDemoService();
let corn: CornSeries;
let service: Fetch;
/** Requests of every operation and of some others, by method and path. */
const requests = new Map<string, Request[]>();

/** Further requests, so that every answer has another of its path. */
const OTHERS: readonly ((client: Client) => Promise<unknown>)[] = [
  (client) => client.search('metrics', 'temperature'),
  (client) => client.search('items', 'wheat'),
  (client) => client.listAvailable({}),
  (client) => collect(client.findDataSeries({ item: 'Wheat', metric: 'Yield', region: 'New York' })),
  (client) => client.computeWeights('Wheat', 'Area harvested', ['New York']),
  (client) => client.getTop('regions', { ...corn.series, region_id: undefined, num_results: 1 }),
  (client) => client.reverseGeocodePoints([[42.7, -75.4]]),
  (client) => client.getGeoCentre(corn.state + 1),
  (client) => client.getAllowedUnits(corn.series.metric_id + 1),
];

const placeOf = ({ method, url }: Request) => `${method} ${new URL(url).pathname}`;

beforeAll(async () => {
  corn = await findCorn(demo.client());
  service = remembering(demo.service);
  const fetch: Fetch = (request) => {
    const place = placeOf(request);
    requests.set(place, [...(requests.get(place) ?? []), request.clone()]);
    return service(request);
  };
  for (const operation of Object.values(DEMO_OPERATIONS)) await operation(demo.client({ fetch }), corn);
  for (const other of OTHERS) await other(demo.client({ fetch })).catch(() => {});
});

/** How a mixed-up answer is made of a request; null where none differs from the right one. */
type Mix = (request: Request, text: string) => Promise<Response | null>;

/** The rankings may be empty: nothing tells an empty answer of a proxy from theirs. */
const EMPTY: Mix = async ({ url }) =>
  new URL(url).pathname.startsWith('/v2/available/') ? null : new Response(null, { status: 204 });
const OF_ANOTHER: Mix = async (request, text) => {
  for (const other of requests.get(placeOf(request)) ?? []) {
    const answer = await service(other.clone());
    if (answer.status === 200 && (await answer.clone().text()) !== text) return answer;
  }
  return null;
};

/** A service whose answer to one request, counted from 0, is always a mixed-up one. */
function mixingUp(at: number, mix: Mix) {
  const known = new Map<string, number>();
  const seen = { requests: known, mixed: false };
  const fetch: Fetch = async (request) => {
    const key = `${request.method} ${request.url} ${await request.clone().text()}`;
    if (!known.has(key)) known.set(key, known.size);
    const right = await service(request.clone());
    if (known.get(key) !== at) return right;
    const mixed = await mix(request, await right.clone().text());
    seen.mixed ||= mixed !== null;
    return mixed ?? right;
  };
  return { fetch, seen };
}

describe.each([
  ['the answer to another request of the same path', OF_ANOTHER, 40],
  ['an empty answer', EMPTY, 60],
] as const)('%s', (_, mix, atLeast) => {
  it('is never taken for data by any operation', { timeout: 120_000 }, async () => {
    let refused = 0;
    const wrong: string[] = [];
    for (const [name, operation] of Object.entries(DEMO_OPERATIONS)) {
      const expected = await operation(demo.client({ fetch: service }), corn);
      for (let at = 0; ; at++) {
        const { fetch, seen } = mixingUp(at, mix);
        try {
          const found = await operation(demo.client({ fetch }), corn);
          if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push(`${name}, request ${at}`);
        } catch (error) {
          expect(error, `${name}, request ${at}`).toBeInstanceOf(CropframeError);
          refused++;
        }
        if (at >= seen.requests.size) break;
      }
    }
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(atLeast);
  });
});
