import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../src/contract/endpoints.js';
import { hashToken } from '../../../src/service/access/auth.js';
import { serve } from '../../../src/service/http/serve.js';
import { createService } from '../../../src/service/service.js';
import { type Served, serveStore, TOKEN } from '../serving-store.js';
import { readMetrics } from './read-metrics.js';

const ADMINISTRATOR = 'cf_administrator';
const POINTS = '/v2/data?metricId=2&itemId=2&regionId=1389719618&sourceId=20&frequencyId=1';

let served: Served;
beforeAll(async () => {
  served = await serveStore({ metrics: true });
  await served.store.access.putToken({
    hash: hashToken(ADMINISTRATOR),
    name: 'prometheus',
    email: null,
    createdMs: 0,
    expiresMs: null,
    revokedMs: null,
    rights: ['administer'],
  });
});
afterAll(() => served?.close());

async function figures(): Promise<Map<string, number>> {
  const response = await fetch(`${served.url}/metrics`, {
    headers: { authorization: `Bearer ${ADMINISTRATOR}` },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([null, 'no-store']);
  const metrics = [...readMetrics(await response.text()).values()];
  return new Map(metrics.flatMap(({ samples }) => [...samples]));
}

const counted = (path: string, status: number) =>
  `cropframe_requests_total{method="GET",path="${path}",status="${status}"}`;

describe('GET /metrics', () => {
  it('counts requests by path template and status, durations, points and bytes', async () => {
    const points = (await (await served.get(POINTS)).text()).length;
    await served.get('/v2/regions/250');
    await served.get('/v2/regions/251');
    await served.get('/v2/regions/999999998');
    await served.get('/no/such/path');
    const found = await figures();
    expect(found.get(counted('/v2/data', 200))).toBe(1);
    expect(found.get(counted('/v2/{type}/{id}', 404))).toBeGreaterThanOrEqual(1);
    expect(found.get(counted('other', 404))).toBe(1);
    expect(found.get('cropframe_points_served_total')).toBe(1461);
    expect(found.get('cropframe_response_bytes_total{path="/v2/data"}')).toBe(points);
    expect(found.get('cropframe_request_duration_seconds_count{path="/v2/data"}')).toBe(1);
    expect(found.get('cropframe_request_duration_seconds_bucket{le="+Inf",path="/v2/data"}')).toBe(1);
    const later = await figures();
    expect(later.get(counted('/metrics', 200))).toBe(1);
  });

  it('shows the load, the process, the store and the program', async () => {
    const found = await figures();
    expect(found.get('cropframe_requests_running')).toBe(0);
    expect(found.get('cropframe_requests_waiting')).toBe(0);
    expect(found.get('cropframe_open_answers')).toBe(0);
    expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(found.get('cropframe_event_loop_delay_seconds{quantile="1"}')).toBeGreaterThanOrEqual(0);
    const version = await served.store.version();
    expect(found.get(`cropframe_store_info{engine="duckdb",version="${version}"}`)).toBe(1);
    expect([...found.keys()].some((key) => key.startsWith('cropframe_build_info{version="'))).toBe(true);
  });

  it('counts what the server refuses before the service sees it', async () => {
    const refused = 'cropframe_requests_total{method="GET",path="other",status="400"}';
    const before = (await figures()).get(refused) ?? 0;
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n');
    await once(socket.resume(), 'close');
    await expect.poll(async () => (await figures()).get(refused)).toBe(before + 1);
  });

  it('shows the queues of logins, queries, imports and backups', async () => {
    const queues = ['logins_waiting', 'imports_arriving', 'imports_running', 'backups'];
    const found = await figures();
    for (const queue of queues) expect(found.get(`cropframe_${queue}`), queue).toBe(0);
    const login = (password: string) =>
      fetch(`${served.url}/api-token`, {
        method: 'POST',
        body: new URLSearchParams({ email: 'x', password }),
      });
    let isOver = false;
    const logins = Promise.all(Array.from({ length: 7 }, (_, i) => login(`wrong ${i}`))).finally(() => {
      isOver = true;
    });
    let max = 0;
    while (!isOver) max = Math.max(max, (await figures()).get('cropframe_logins_waiting')!);
    await logins;
    expect(max).toBeGreaterThan(0);
  });

  it('is for tokens with the right to administer', async () => {
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${served.url}/metrics`, { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: `Bearer ${TOKEN}` })).toBe(403);
    expect(await status({ authorization: `Bearer ${ADMINISTRATOR}` })).toBe(200);
  });

  it('needs no token where none is needed, and is not there unless it was asked for', async () => {
    for (const [metrics, status] of [
      [true, 200],
      [undefined, 404],
    ] as const) {
      const serving = await serve(createService(served.store, { authorize: 'anyone', metrics }), { port: 0 });
      const response = await fetch(`${serving.url}/metrics`);
      const text = await response.text();
      expect(response.status).toBe(status);
      if (metrics === undefined) expect(text).toContain('--metrics');
      await serving.close();
    }
  });

  it('names no label after a token, an address or a query', async () => {
    await served.get('/v2/search/regions?q=secret-words');
    const keys = [...(await figures()).keys()].join('\n');
    expect(keys).not.toMatch(/secret-words|127\.0\.0\.1|prometheus"|cf_/);
    const paths = new Set([...keys.matchAll(/path="([^"]*)"/g)].map(([, path]) => path));
    const known = new Set<string>(['other', ...Object.values(endpoints).map(({ path }) => path)]);
    expect([...paths].filter((path) => !known.has(path!))).toEqual([]);
  });
});
