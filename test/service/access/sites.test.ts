import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SiteOptions } from '../../../src/service/access/sites.js';
import { serve } from '../../../src/service/http/serve.js';
import { createService } from '../../../src/service/service.js';
import type { Store } from '../../../src/store/store.js';
import { openTokenStore } from '../token-service.js';

let store: Store;
beforeAll(async () => {
  store = await openTokenStore();
});
afterAll(() => store.close());

const PORT = 8470;
const OWN = { host: `localhost:${PORT}` };

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks a service without tokens, unless the options say otherwise, as if over a socket. */
async function ask(
  { method = 'GET', path = '/v2/units?ids=1', body, headers: { host, ...headers } }: Sent,
  options: SiteOptions = {},
  tokens = false,
) {
  const service = createService(store, tokens ? options : { authorize: 'anyone', ...options });
  // Of a string, a request would say that it is text.
  const sent = body === undefined ? null : Buffer.from(body);
  const request = new Request(`http://${host}${path}`, { method, headers, body: sent });
  const answer = await service(request, { address: '127.0.0.1', localPort: PORT });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: text === '' ? null : JSON.parse(text),
  };
}

describe('without tokens, the host that is asked', () => {
  it.each([`127.0.0.1:${PORT}`, `localhost:${PORT}`, `[::1]:${PORT}`, `127.9.9.9:${PORT}`])(
    '%s is this machine',
    async (host) => {
      expect(await ask({ headers: { host } })).toMatchObject({ status: 200 });
    },
  );

  it('may be in capitals over a socket, where no request makes it lower case', async () => {
    const serving = await serve(createService(store, { authorize: 'anyone' }), { port: 0 });
    try {
      const { port } = new URL(serving.url);
      const headers = { host: `LOCALHOST:${port}` };
      const asked = get(`${serving.url}/v2/units?ids=1`, { headers, agent: false });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).toBe(200);
    } finally {
      await serving.close();
    }
  });

  it.each([
    'evil.example',
    `evil.example:${PORT}`,
    'localhost',
    'localhost:1',
    `localhost.evil.example:${PORT}`,
    `127.0.0.1.evil.example:${PORT}`,
    `0.0.0.0:${PORT}`,
    `192.168.1.7:${PORT}`,
  ])('%s is refused for every path and method, with the remedy', async (host) => {
    for (const sent of [{}, { path: '/health' }, { path: '/docs' }, { method: 'POST', path: '/v2/data' }]) {
      const { status, body } = await ask({ ...sent, headers: { host } });
      expect([status, body.error]).toEqual([421, 'misdirected']);
      expect(body.message).toMatch(/--allowed-host|--public-url/);
    }
  });

  it.each<[string, SiteOptions]>([
    ['data.example.org', { publicUrl: 'https://data.example.org' }],
    ['data.example.org:443', { publicUrl: 'https://data.example.org/' }],
    ['data.example.org:8443', { publicUrl: 'https://data.example.org:8443' }],
    ['nas.local:9000', { allowedHosts: ['nas.local'] }],
    ['nas.local:9000', { allowedHosts: ['other.local', 'nas.local:9000'] }],
    ['nas.local:80', { allowedHosts: ['nas.local:80'] }],
    ['[fe80::1]:9000', { allowedHosts: ['[fe80::1]:9000'] }],
  ])('%s is accepted with %j', async (host, options) => {
    expect(await ask({ headers: { host } }, options)).toMatchObject({ status: 200 });
  });

  it.each<[string, SiteOptions]>([
    ['data.example.org:9000', { publicUrl: 'https://data.example.org' }],
    ['nas.local:9001', { allowedHosts: ['nas.local:9000'] }],
    ['nas.local:9001', { allowedHosts: ['nas.local:80'] }],
    ['evil.nas.local', { allowedHosts: ['nas.local'] }],
  ])('%s is refused with %j', async (host, options) => {
    expect(await ask({ headers: { host } }, options)).toMatchObject({ status: 421 });
  });

  it('does not matter where tokens are checked', async () => {
    const answer = await ask({ path: '/health', headers: { host: 'data.example.org' } }, {}, true);
    expect(answer.status).toBe(200);
  });
});

describe('without tokens, a page', () => {
  it.each([
    ['http://evil.example'],
    ['http://localhost:1'],
    ['https://localhost.evil.example'],
    ['null'],
    ['chrome-extension://abc'],
  ])('of %s is refused for every method', async (origin) => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']) {
      const { status } = await ask({ method, path: '/v2/data', headers: { ...OWN, origin } });
      expect([method, status]).toEqual([method, 403]);
    }
  });

  it.each<[string, string, SiteOptions]>([
    ['the service itself', `http://localhost:${PORT}`, {}],
    ['the public URL', 'https://data.example.org', { publicUrl: 'https://data.example.org' }],
    ['a site that may read', 'https://app.example.org', { cors: ['https://app.example.org'] }],
  ])('of %s is answered', async (_what, origin, options) => {
    expect(await ask({ headers: { ...OWN, origin } }, options)).toMatchObject({ status: 200 });
  });

  it.each([
    ['cross-site', 'no-cors', 'GET', 403],
    ['same-site', 'no-cors', 'GET', 403],
    ['cross-site', 'navigate', 'POST', 403],
    ['cross-site', 'navigate', 'GET', 200],
    ['same-origin', 'cors', 'GET', 200],
    ['none', 'navigate', 'GET', 200],
  ])('that sends %s in mode %s by %s is answered %i', async (site, mode, method, status) => {
    const headers = { ...OWN, 'sec-fetch-site': site, 'sec-fetch-mode': mode };
    expect(await ask({ method, headers })).toMatchObject({ status });
  });
});

describe('pages of other sites', () => {
  const app = 'https://app.example.org';
  const headers = { ...OWN, origin: app };
  const preflight = { ...headers, 'access-control-request-method': 'POST' };

  it.each([true, false])(
    'may read answers, errors included, only with --cors (tokens: %s)',
    async (tokens) => {
      const status = tokens ? 401 : 200;
      const allowed = await ask({ headers }, { cors: [app] }, tokens);
      expect(allowed.status).toBe(status);
      expect(allowed.headers['access-control-allow-origin']).toBe(app);
      expect(allowed.headers['access-control-expose-headers']).toContain('x-request-id');
      expect(allowed.headers.vary).toMatch(/origin/i);
      const others = await ask({ headers }, { cors: ['https://other.example.org'] }, tokens);
      expect(others.headers['access-control-allow-origin']).toBeUndefined();
      expect((await ask({ headers }, {}, tokens)).headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it('ask first what they may send', async () => {
    const sent = { method: 'OPTIONS', path: '/v2/data', headers: preflight };
    for (const tokens of [true, false]) {
      const { status, headers } = await ask(sent, { cors: [app] }, tokens);
      expect(status).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': app,
        'access-control-allow-methods': 'GET,POST',
        'access-control-allow-headers': expect.stringContaining('authorization'),
      });
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
    expect((await ask(sent, {}, true)).headers['access-control-allow-methods']).toBeUndefined();
    expect((await ask(sent, {})).status).toBe(403);
  });
});

describe('a JSON body', () => {
  const selection = { metricId: [1], itemId: [1], regionId: [1], sourceId: [1], frequencyId: [1] };
  const post = (headers: Record<string, string>) =>
    ask({
      method: 'POST',
      path: '/v2/data',
      body: JSON.stringify([selection]),
      headers: { ...OWN, ...headers },
    });

  it.each<Record<string, string>>([
    { 'content-type': 'application/json' },
    { 'content-type': 'Application/JSON; charset=utf-8' },
    { 'content-type': 'application/json', origin: `http://localhost:${PORT}` },
    { 'content-type': 'application/x-www-form-urlencoded' },
    {},
  ])('is read with %j', async (headers) => {
    expect(await post(headers)).toMatchObject({ status: 200 });
  });

  it.each<Record<string, string>>([
    { 'content-type': 'text/plain' },
    { 'content-type': 'text/plain;charset=UTF-8' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/x-www-form-urlencoded', origin: `http://localhost:${PORT}` },
    { origin: `http://localhost:${PORT}` },
    { 'sec-fetch-site': 'same-origin' },
  ])('is refused with %j', async (headers) => {
    const { status, body } = await post(headers);
    expect([status, body.error]).toEqual([415, 'media_type']);
    expect(body.message).toContain('application/json');
  });
});

it.each<SiteOptions>([
  { publicUrl: 'data.example.org' },
  { publicUrl: 'ftp://data.example.org' },
  { allowedHosts: ['http://nas.local'] },
  { allowedHosts: ['nas.local/path'] },
  { allowedHosts: ['*'] },
  { cors: ['*'] },
  { cors: ['https://app.example.org/'] },
  { cors: ['app.example.org'] },
])('refuses %j', (options) => {
  expect(() => createService(store, options)).toThrow(/^(publicUrl|allowedHosts\[0\]|cors\[0\]): ".*write/);
});
