import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/addresses.js';
import { endpoints } from '../../src/contract/endpoints.js';
import { RIGHTS } from '../../src/model/access.js';
import type { Service } from '../../src/service/handler.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { openServedStore, TOKEN } from './serving-store.js';

let store: Store;
let service: Service;
/** A service whose every caller has all rights. */
let open: Service;
beforeAll(async () => {
  ({ store } = await openServedStore());
  service = createService(store);
  open = createService(store, { authorize: async () => ({ name: 'tester', rights: RIGHTS }) });
});
afterAll(() => store?.close());

interface Problem {
  status: number;
  error: string;
  message: string;
}

async function problem(path: string, init: RequestInit = {}, of = service): Promise<Problem> {
  const headers = { authorization: `Bearer ${TOKEN}`, ...(init.headers as Record<string, string>) };
  const response = await of(new Request(`http://service.invalid${path}`, { ...init, headers }));
  const text = await response.text();
  expect(text).not.toMatch(/\bat .*\.(ts|js):\d+/);
  return { ...(JSON.parse(text) as { error: string; message: string }), status: response.status };
}

const POINTS = '/v2/data?metricId=1&itemId=1&regionId=1&sourceId=1&frequencyId=1';

it('asks for a form in the place of JSON, and repeats nothing of it', async () => {
  const body = JSON.stringify({ email: 'a@example.org', password: 'secret' });
  const { status, message } = await problem('/api-token', { method: 'POST', body });
  expect([status, message]).toEqual([400, 'body: is JSON; send a form, such as name=value&other=value']);
});

describe('invalid parameters are refused by name', () => {
  it.each([
    ['/v2/regions?ids=abc', 'ids', 'is not an id'],
    ['/v2/regions?ids=1.5', 'ids', '1.5 is not an id'],
    ['/v2/search/hits?q=%E0%A4%A', 'query', 'percent-encoded'],
    ['/v2/regions?ids=99999999999', 'ids', '99999999999 is not an id'],
    [`/v2/regions?ids=[${Array.from({ length: 10_001 }, (_, i) => i)}]`, 'ids', 'at most 10000'],
    ['/v2/data?itemId=1&regionId=1&sourceId=1&frequencyId=1', 'metricId', 'missing'],
    [`${POINTS}&startDate=2012-13-01`, 'startDate', 'not a date'],
    [`${POINTS}&startDate=2013-01-01&endDate=2012-01-01`, 'startDate', 'after endDate'],
    [`${POINTS}&insertNull=perhaps`, 'insertNull', 'not true or false'],
    [`${POINTS}&startDate=2012-01-01&startDate=2013-01-01`, 'startDate', '2 times'],
    ['/v2/search/regions?q=%20', 'q', 'empty'],
    [`/v2/search/regions?q=${'x'.repeat(501)}`, 'q', '500'],
    ['/v2/geocentres?regionIds=1&zoom=9', 'zoom', 'from 1 to 8'],
    ['/v2/top/regions?metricId=1&frequencyId=1&sourceId=1', 'itemId', 'required'],
    [
      '/v2/top/regions?metricId=1&frequencyId=1&sourceId=1&itemId=1&regionId=2',
      'regionId',
      'cannot be specified when ranking',
    ],
    ['/v2/top/items?metricId=1&frequencyId=1&sourceId=1', 'regionId', 'required'],
    [
      '/v2/top/items?metricId=1&frequencyId=1&sourceId=1&itemId=1&regionId=2',
      'itemId',
      'cannot be specified when ranking',
    ],
    ['/v2/top/items?metricId=1&frequencyId=1&sourceId=1&regionId=2&n=0', 'n', 'from 1 to 10000'],
    [`${POINTS}&unitId=999999`, 'unitId', 'no unit 999999'],
  ])('%s', async (path, name, why) => {
    const { status, error, message } = await problem(path);
    expect([status, message.startsWith(name)], message).toEqual([400, true]);
    expect(message).toContain(why);
    expect(['argument', 'unit']).toContain(error);
  });
});

describe('other bad requests', () => {
  it.each(['/nothing', '/v2/colours?ids=1', '/v2/search/units?q=t', '/v2/regions/abc'])(
    '%s is unknown',
    async (path) => {
      const { status, error } = await problem(path);
      expect([status, error]).toEqual([404, 'not_found']);
    },
  );

  it.each([
    ['DELETE', '/v2/regions', 'GET'],
    ['POST', '/v2/search/regions?q=a', 'GET'],
    ['GET', '/api-token', 'POST'],
    ['PUT', '/v2/data', 'GET, POST'],
  ])('%s %s is not allowed', async (method, path, allowed) => {
    const { status, error, message } = await problem(path, { method });
    expect([status, error]).toEqual([405, 'method']);
    expect(message).toContain(allowed);
  });

  it('refuses a body that is too large', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = `[${' '.repeat(9 * 1024 * 1024)}]`;
    const { status, error } = await problem('/v2/data', { method: 'POST', headers, body });
    expect([status, error]).toEqual([413, 'too_large']);
  });

  it('refuses an address that is too long', async () => {
    expect(await problem(`/v2/regions?ids=[${'1,'.repeat(140_000)}1]`)).toMatchObject({ status: 414 });
  });

  it('names a missing password', async () => {
    const { status, message } = await problem('/api-token', {
      method: 'POST',
      body: new URLSearchParams({ email: 'a@b.c' }),
    });
    expect([status, message.startsWith('password')]).toEqual([400, true]);
  });

  it('refuses a missing token, a wrong scheme and a wrong token', async () => {
    for (const authorization of ['', 'Basic YTpi', 'Bearer', 'Bearer nonsense']) {
      const { status, error } = await problem('/v2/regions?ids=0', { headers: { authorization } });
      expect([status, error], authorization).toEqual([401, 'authentication']);
    }
  });
});

function refusal(method: string, path: string, body?: string): Promise<Problem> {
  const headers = { 'content-type': 'application/json' };
  return problem(path, { method, headers, body: body ?? null }, open);
}

const PATH_VALUES: Readonly<Record<string, string>> = {
  type: 'regions',
  id: '1',
  importId: 'x',
  position: '0',
};
const ALL = Object.entries(endpoints as Record<string, Endpoint>).map(([name, endpoint]) => ({
  ...{ name, endpoint, method: endpoint.method },
  path: endpoint.path.replace(/\{(\w+)\}/g, (_, key: string) => PATH_VALUES[key]!),
}));

function refused(typo: string, name: string) {
  return {
    status: 400,
    error: 'argument',
    message: `${typo}: there is no such parameter; did you mean ${name}?`,
  };
}

/** What a program watches a service by: the first ignores parameters, the second needs a right. */
const ABOUT_SERVICE = ['/health', '/metrics'];

describe('an unknown parameter is a 400 with the nearest', () => {
  it.each(ALL.filter(({ endpoint }) => !ABOUT_SERVICE.includes(endpoint.path)))(
    'in the query of $name',
    async ({ method, path, endpoint }) => {
      const [known] = Object.keys(endpoint.query?.entries ?? {});
      const typo = known === undefined ? 'ids' : `${known}x`;
      const found = await refusal(method, `${path}?${typo}=1`, method === 'POST' ? '' : undefined);
      expect(found).toMatchObject(
        known === undefined
          ? { status: 400, message: 'ids: there is no such parameter; remove it' }
          : refused(typo, known),
      );
    },
  );

  it('is ignored in the query of /health, because what watches a service may add one', async () => {
    expect(await refusal('GET', '/health?now=5')).toMatchObject({ status: 200 });
  });

  it.each(ALL.filter(({ endpoint }) => endpoint.form !== undefined))(
    'in the form of $name',
    async ({ method, path, endpoint }) => {
      const [known] = Object.keys(endpoint.form!.entries);
      expect(await refusal(method, path, `${known}x=1`)).toMatchObject(refused(`${known}x`, known!));
    },
  );

  it('in the body of many selections', async () => {
    const selection = { metricId: 1, itemId: 1, regionId: 1, sourceId: 1, frequencyId: 1 };
    const body = JSON.stringify([selection, { ...selection, atTimex: 1 }]);
    expect(await refusal('POST', '/v2/data', body)).toMatchObject(refused('[1].atTimex', 'atTime'));
  });

  it('in the body of a weighting', async () => {
    const series = { item_id: 1, metric_id: 1, frequency_id: 1, source_id: 1 };
    const body = JSON.stringify({ series, weights: [{ ...series, metricid: 1 }], region_ids: [1] });
    expect(await refusal('POST', '/v2/area-weighting', body)).toMatchObject(
      refused('weights[0].metricid', 'metric_id'),
    );
  });
});

it('accepts on every selection what the public Python client sends without need', () => {
  const selecting = ALL.filter(
    ({ name, endpoint }) => name !== 'resolve' && 'metricId' in (endpoint.query?.entries ?? {}),
  );
  expect(selecting.length).toBeGreaterThan(3);
  for (const { name, endpoint } of selecting)
    expect(Object.keys(endpoint.query!.entries), name).toEqual(
      expect.arrayContaining(['responseType', 'coverageThreshold', 'chunkSize']),
    );
});
