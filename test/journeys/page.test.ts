import { readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../src/service/handler.js';
import { createService, type ServiceOptions } from '../../src/service/service.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';

let store: Store;
beforeAll(async () => {
  store = await openStore(':memory:');
});
afterAll(() => store.close());

const ORIGIN = 'http://127.0.0.1:8470';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const ASSETS = new URL('../../dist/explorer/assets/', import.meta.url);

function start(options: ServiceOptions = {}): (path: string, headers?: HeadersInit) => Promise<Response> {
  const service: Service = createService(store, { authorize: 'anyone', page: true, ...options });
  return async (path, headers = { accept: BROWSER }) => service(new Request(`${ORIGIN}${path}`, { headers }));
}

describe('the root of a service', () => {
  it('is the page for browsers, under a policy that allows nothing foreign and nothing inline', async () => {
    const answer = await start()('/');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(answer.headers.get('vary')).toContain('accept');
    expect(await answer.text()).toContain('<title>cropframe</title>');
  });

  it.each(['application/json', '*/*', 'application/json, text/html;q=0.5'])(
    'tells programs that accept %s where everything is',
    async (accept) => {
      const answer = await start()('/', { accept });
      expect(await answer.json()).toEqual({
        data: expect.objectContaining({
          name: 'cropframe',
          store: null,
          page: './',
          docs: 'docs',
          openapi: 'openapi.json',
        }),
      });
    },
  );

  it('is for programs alone without the page', async () => {
    const ask = start({ page: false });
    expect(await (await ask('/')).json()).toEqual({ data: expect.objectContaining({ page: null }) });
    expect((await ask(`/assets/${readdirSync(ASSETS)[0]}`)).status).toBe(404);
  });

  it('is not sent again while it is the same, and always asked for', async () => {
    const ask = start();
    const first = await ask('/');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await ask('/', { accept: BROWSER, 'if-none-match': first.headers.get('etag')! });
    expect(again.status).toBe(304);
    expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'));
  });

  it('names its parts by relative addresses, and each is there to be kept for ever', async () => {
    const ask = start();
    const document = await (await ask('/')).text();
    const addresses = [...document.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!);
    const files = addresses.filter((address) => !address.startsWith('data:'));
    expect(files.length).toBeGreaterThan(0);
    for (const address of files) {
      expect(address).toMatch(/^\.\/assets\/[\w.-]+$/);
      const answer = await ask(address.slice(1));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    expect(files.some((address) => address.endsWith('.js'))).toBe(true);
  });

  it('has each part in two forms, which caches tell apart', async () => {
    const ask = start();
    const address = `/assets/${readdirSync(ASSETS).find((name) => name.endsWith('.js'))}`;
    const [plain, small] = await Promise.all([ask(address), ask(address, { 'accept-encoding': 'gzip' })]);
    expect(small.headers.get('content-encoding')).toBe('gzip');
    expect([plain, small].map(({ headers }) => headers.get('vary'))).toEqual(
      Array(2).fill('accept-encoding'),
    );
    expect(gunzipSync(await small.arrayBuffer())).toEqual(Buffer.from(await plain.arrayBuffer()));
  });

  it.each(['/assets/none.js', '/assets/..%2findex.html', '/assets/%252e%252e', '/assets/', '/index.js'])(
    'has nothing at %s',
    async (path) => {
      expect((await start()(path)).status).toBe(404);
    },
  );
});

describe('below the path of a proxy', () => {
  const ask = (path: string) => start({ publicUrl: 'https://example.org/farm/data/' })(path);

  it.each(['/farm/data/', '/'])('is the page, whether the proxy keeps the path or not: %s', async (path) => {
    expect(await (await ask(path)).text()).toContain('<title>cropframe</title>');
  });

  it('are the endpoints, likewise', async () => {
    for (const path of ['/farm/data/v2/units', '/v2/units']) expect((await ask(path)).status).toBe(200);
    expect((await ask('/farm/datav2/units')).status).toBe(404);
    expect((await ask('/farm/v2/units')).status).toBe(404);
  });

  it('redirects to the folder, from which relative addresses count', async () => {
    const answer = await ask('/farm/data?view=map');
    expect(answer.status).toBe(308);
    const location = new URL(answer.headers.get('location')!, 'https://example.org/farm/data');
    expect(String(location)).toBe('https://example.org/farm/data/?view=map');
  });
});
