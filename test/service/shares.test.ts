import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashToken } from '../../src/service/access/auth.js';
import { type Served, serveStore, TOKEN } from './serving-store.js';

const OTHER_TOKEN = 'cf_other-token';
let served: Served;
beforeAll(async () => {
  served = await serveStore({ concurrency: 5 });
  const token = { name: 'other', email: null, createdMs: 0, expiresMs: null, revokedMs: null };
  await served.store.access.putToken({ ...token, hash: hashToken(OTHER_TOKEN) });
});
afterAll(() => served?.close());

const daily = {
  metricId: 2,
  itemId: 2,
  regionId: 1389719618,
  sourceId: 20,
  frequencyId: 1,
  insertNull: true,
  startDate: '1800-01-01',
  endDate: '2073-10-15',
};

/** Asks for 43 MB, and reads nothing of them. */
function startStalled(token = TOKEN): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = httpRequest(`${served.url}/v2/data`, { method: 'POST', headers }, (response) => {
      response.pause();
      response.on('error', () => {});
      resolve(response);
    });
    request.on('error', reject);
    request.end(JSON.stringify(Array(5).fill(daily)));
  });
}

const regions = (token = TOKEN, init: RequestInit = {}) =>
  fetch(`${served.url}/v2/regions?ids=250`, { ...init, headers: { authorization: `Bearer ${token}` } });

it('one token has its share of the places, others have theirs, and a place is free when its client leaves', async () => {
  const [first, second] = [await startStalled(), await startStalled()];
  let answered = 0;
  const waiting = Array.from({ length: 3 }, async () => {
    const response = await regions();
    answered++;
    return (await response.text()).length;
  });
  expect((await regions(OTHER_TOKEN)).status).toBe(200);
  expect((await fetch(`${served.url}/health`)).status).toBe(200);
  expect(answered).toBe(0);
  first.destroy();
  expect(Math.min(...(await Promise.all(waiting)))).toBeGreaterThan(10);
  second.destroy();
});

it('no place is kept by answers to HEAD, or by answers read to the end', async () => {
  const query = new URLSearchParams(
    Object.entries({ ...daily, startDate: '2012-01-01', endDate: '2016-12-31' }).map(([key, value]) => [
      key,
      String(value),
    ]),
  );
  for (let i = 0; i < 4; i++) {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const head = await fetch(`${served.url}/v2/data?${query}`, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const whole = await fetch(`${served.url}/v2/data?${query}`, { headers });
    expect((await whole.text()).endsWith(']')).toBe(true);
    const unknown = await fetch(`${served.url}/v2/data?${query}&unitId=999999`, { headers });
    expect(unknown.status).toBe(400);
  }
});
