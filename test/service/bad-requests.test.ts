import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveStore, TOKEN } from './serving-store.js';

let served: Served;
beforeAll(async () => {
  served = await serveStore();
});
afterAll(() => served?.close());

interface Problem {
  status: number;
  error: string;
  message: string;
}

async function problem(path: string, init: RequestInit = {}): Promise<Problem> {
  const headers = { authorization: `Bearer ${TOKEN}`, ...(init.headers as Record<string, string>) };
  const response = await fetch(served.url + path, { ...init, headers, redirect: 'manual' });
  const text = await response.text();
  expect(text).not.toMatch(/\bat .*\.(ts|js):\d+/);
  return { status: response.status, ...(JSON.parse(text) as { error: string; message: string }) };
}

const JSON_BODY = { 'content-type': 'application/json' };
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
    const { status, error } = await problem('/v2/data', {
      method: 'POST',
      headers: JSON_BODY,
      body: `[${' '.repeat(9 * 1024 * 1024)}]`,
    });
    expect([status, error]).toEqual([413, 'too_large']);
  });

  it('refuses an address that is too long', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      httpRequest(`${served.url}/v2/regions?ids=[${'1,'.repeat(140_000)}1]`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(414);
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
