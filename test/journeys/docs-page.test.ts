import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../src/service/handler.js';
import { createService } from '../../src/service/service.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';

let store: Store;
let service: Service;
beforeAll(async () => {
  store = await openStore(':memory:');
  service = createService(store, { authorize: 'anyone' });
});
afterAll(() => store.close());

const ask = (path: string, headers: HeadersInit = {}) =>
  service(new Request(`http://127.0.0.1:8470${path}`, { headers }));

describe('the documentation of a service', () => {
  it('is a page under the policy of the explorer, with relative addresses only', async () => {
    const answer = await ask('/docs');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const page = await answer.text();
    const addresses = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(4);
    expect(addresses.filter((one) => /^(\/|https?:)/.test(one))).toEqual([]);
    expect(page).not.toMatch(/<script>|<style|style=|onload=/);
    for (const address of addresses.filter((one) => one !== 'data:,'))
      expect((await ask(`/${address}`)).status, address).toBe(200);
  });

  it('redirects from its folder, and names what is not there', async () => {
    const folder = await ask('/docs/');
    expect([folder.status, folder.headers.get('location')]).toEqual([308, '../docs']);
    for (const path of ['/docs/none.js', '/docs/..%2Fpackage.json', '/docs/.inputs'])
      expect((await ask(path)).status, path).toBe(404);
  });

  it('is not sent again while it is the same', async () => {
    const first = await ask('/docs/start.js');
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const tag = first.headers.get('etag')!;
    expect((await ask('/docs/start.js', { 'if-none-match': tag })).status).toBe(304);
  });

  it('takes less than half a megabyte, compressed, with the licences of what it shows', async () => {
    let bytes = 0;
    for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', 'docs.css', 'start.js'])
      bytes += gzipSync(await (await ask(`/docs/${name}`)).arrayBuffer()).length;
    expect(bytes).toBeLessThan(520_000);
    expect(await (await ask('/docs/LICENSE')).text()).toContain('Apache License');
  });
});
