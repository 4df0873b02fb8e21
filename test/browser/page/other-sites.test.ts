import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allowAnyone } from '../../../src/service/access/auth.js';
import { type Serving, serve } from '../../../src/service/http/serve.js';
import type { LogEntry } from '../../../src/service/log/access-log.js';
import { createService, type ServiceOptions } from '../../../src/service/service.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { showPage } from '../chromium.js';
import { openSite, type Site } from '../hostile-site.js';

const HOSTS = { 'evil.example': '127.0.0.1', 'app.example': '127.0.0.1', 'rebound.example': '127.0.0.2' };

let store: Store;
let serving: Serving;
let port: number;
let entries: LogEntry[];
const sites: Site[] = [];
beforeEach(async () => {
  store = await openStore(':memory:');
});
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
  await serving.close();
  await store.close();
});

async function start(options: ServiceOptions = {}): Promise<void> {
  entries = [];
  const log = (entry: LogEntry) => entries.push(entry);
  serving = await serve(createService(store, { authorize: 'anyone', log, ...options }), { port: 0 });
  port = Number(new URL(serving.url).port);
}

const seen = () => entries.map(({ method, path, status }) => `${method} ${path} ${status}`);

/** `outcome` tells what a page gets of an answer. */
const OUTCOME = `
  const outcome = (asked) => asked.then(
    async (answer) => answer.type + ' ' + answer.status + ' ' + (await answer.text()).slice(0, 8),
    (error) => error.name);`;

/** What a page of any site can try without asking first: it learns nothing, but a service might do it. */
const attempts = (service: string) => `${OUTCOME}
  const json = { 'content-type': 'application/json' };
  const read = await outcome(fetch('${service}/v2/units'));
  const sent = await outcome(fetch('${service}/v2/data', { method: 'POST', mode: 'no-cors', body: '[{}]' }));
  const blind = await outcome(fetch('${service}/v2/metrics', { mode: 'no-cors' }));
  const asked = await outcome(fetch('${service}/v2/data', { method: 'POST', headers: json, body: '[{}]' }));
  const load = (element) => new Promise((resolve) => {
    element.onload = () => resolve('loaded');
    element.onerror = () => resolve('failed');
    document.body.append(element);
  });
  const script = await load(Object.assign(document.createElement('script'), { src: '${service}/v2/items' }));
  const image = await load(Object.assign(document.createElement('img'), { src: '${service}/v2/regions' }));
  const frame = Object.assign(document.createElement('iframe'), { name: 'target' });
  const form = Object.assign(document.createElement('form'), {
    method: 'POST', action: '${service}/v2/geocode', target: 'target', enctype: 'text/plain' });
  document.body.append(frame, form);
  const submitted = new Promise((resolve) => { frame.onload = () => resolve('answered'); });
  form.submit();
  await submitted;
  return { read, sent, blind, asked, script, image };`;

async function show(host: string, site: Site): Promise<Record<string, string>> {
  sites.push(site);
  return showPage(`http://${host}:${site.port}/page`, { hosts: HOSTS, seen: site.result });
}

const service = () => `http://127.0.0.1:${port}`;

describe('a page of another site, in a browser', () => {
  it('reads nothing, and all that it sends is refused', async () => {
    await start();
    const result = await show('evil.example', await openSite({ script: () => attempts(service()) }));
    expect(result).toMatchObject({
      read: 'TypeError',
      sent: expect.stringMatching(/^(opaque|TypeError)/),
      blind: expect.stringMatching(/^(opaque|TypeError)/),
      asked: 'TypeError',
      script: 'failed',
      image: 'failed',
    });
    expect(seen().filter((line) => !line.endsWith(' 403'))).toEqual([]);
    expect(seen()).toEqual(
      expect.arrayContaining([
        'GET /v2/units 403',
        'POST /v2/data 403',
        'GET /v2/metrics 403',
        'OPTIONS /v2/data 403',
        'GET /v2/items 403',
        'GET /v2/regions 403',
        'POST /v2/geocode 403',
      ]),
    );
  });

  it('reads what the service lets its site read', async () => {
    const site = await openSite({
      script: () => `${OUTCOME}
        const ask = () => fetch('${service()}/v2/units', { headers: { authorization: 'Bearer any' } });
        const id = (await ask()).headers.get('x-request-id');
        const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[]' };
        const posted = await outcome(fetch('${service()}/v2/data', body));
        return { read: await outcome(ask()), id: String(id), posted };`,
    });
    await start({ cors: [`http://app.example:${site.port}`] });
    const result = await show('app.example', site);
    expect(result).toMatchObject({ read: 'cors 200 {"data":', posted: 'cors 400 {"error"' });
    expect(entries.map(({ request_id }) => request_id)).toContain(result.id);
    expect(seen()).toContain('OPTIONS /v2/units 204');
  });
});

describe('a page whose name is rebound to this machine', () => {
  const script = () => `${OUTCOME}
    return { read: await outcome(fetch('/v2/units')), posted: await outcome(fetch('/v2/data', { method: 'POST' })) };`;
  const rebound = () => openSite({ script, at: { address: '127.0.0.2', port }, reboundTo: port });

  it('reads nothing', async () => {
    await start();
    expect(await show('rebound.example', await rebound())).toEqual({
      read: 'basic 421 {"error"',
      posted: 'basic 421 {"error"',
    });
    expect(new Set(entries.map(({ status }) => status))).toEqual(new Set([421]));
  });

  it('reads everything of a service that does not check the host, so that this test can fail', async () => {
    await start({ authorize: allowAnyone });
    expect(await show('rebound.example', await rebound())).toMatchObject({ read: 'basic 200 {"data":' });
  });
});
