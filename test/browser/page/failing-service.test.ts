import { afterEach, describe, expect, it } from 'vitest';
import type { Service } from '../../../src/service/handler.js';
import { cornYield, withFarm } from './farm.js';
import { drawn } from './open-page.js';
import { siteForTests } from './open-site.js';

type Fault = (request: Request) => Promise<Response | null>;

let fault: Fault | null = null;
let whole: Service;
const site = siteForTests({
  fill: withFarm,
  wrap: (service) => {
    whole = service;
    return async (request, connection) => (await fault?.(request)) ?? service(request, connection);
  },
});
afterEach(() => {
  fault = null;
});

const isPoints = ({ url }: Request): boolean => new URL(url).pathname === '/v2/data';
/** The first half of a true answer, after which the connection breaks. */
async function cut(request: Request): Promise<Response> {
  const answer = await whole(request);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const half = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.subarray(0, bytes.length >> 1));
    },
    pull(controller) {
      controller.error(new Error('the test cuts the connection'));
    },
  });
  const headers = new Headers(answer.headers);
  headers.delete('content-length');
  return new Response(half, { status: answer.status, headers });
}

const problem = (status: number, headers: HeadersInit = {}) =>
  new Response(JSON.stringify({ error: { code: 'test', message: 'the test says no' } }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('a service that fails', () => {
  it.each<[what: string, fault: (request: Request) => Response]>([
    ['with 500', () => problem(500)],
    ['with 429', () => problem(429, { 'retry-after': '1' })],
    [
      'with broken points',
      () => new Response('broken', { headers: { 'content-type': 'application/vnd.cropframe.runs' } }),
    ],
  ])('%s is told of, and asked again', async (_what, answer) => {
    fault = async (request) => (isPoints(request) ? answer(request) : null);
    const { page } = await site.open();
    await page.getByRole('alert').first().waitFor({ timeout: 60_000 });
    expect(await page.locator('.plot canvas').count()).toBe(0);
    fault = null;
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await drawn(page);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('with a stream that is cut off draws nothing of it', async () => {
    fault = async (request) => (isPoints(request) ? cut(request) : null);
    const { page } = await site.open();
    await page.getByRole('alert').first().waitFor({ timeout: 60_000 });
    expect(await page.locator('.plot canvas').count()).toBe(0);
    fault = null;
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await drawn(page);
  });

  it('slowly is waited for, and says so', async () => {
    fault = async (request) => {
      if (isPoints(request)) await new Promise((resolve) => setTimeout(resolve, 3000));
      return null;
    };
    const { page } = await site.open();
    await page
      .getByText(/Loading every report|Drawing the chart/)
      .first()
      .waitFor();
    await drawn(page);
  });
});

describe('one of several series that fails', () => {
  it('is named, the others are drawn, and all of them once it answers', async () => {
    const [iowa, illinois, ohio] = [19, 17, 39].map(cornYield);
    const failing = illinois!.split('-')[2];
    // A client whose batch is refused asks for its series one by one.
    fault = async (request) => {
      const asksForIt = new URL(request.url).searchParams.get('regionId') === failing;
      return isPoints(request) && (request.method === 'POST' || asksForIt) ? problem(500) : null;
    };
    const { page } = await site.open({ query: `s=${iowa},${illinois},${ohio}` });
    await drawn(page);
    const told = page.getByRole('alert');
    expect(await told.textContent()).toMatch(
      /^1 series could not be fetched; the rest are shown: .*Illinois/,
    );
    expect(await page.locator('.figure-title').textContent()).toMatch(/Iowa .*Ohio/);
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('tabpanel').getByRole('table').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('Illinois');
    expect(await page.getByRole('tabpanel').getByRole('columnheader').count()).toBe(3);
    fault = null;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.getByRole('tabpanel').getByRole('columnheader').count()).toBe(4);
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('a service that cannot be reached', () => {
  it('is told of in plain words when a part of the page cannot be loaded from it, and asked again', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)}` });
    await drawn(page);
    await page.route('**/assets/**', (route) => route.abort('connectionrefused'));
    await page.getByRole('tab', { name: 'Weights' }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/The service cannot be reached\./);
    expect(await page.getByRole('alert').textContent()).not.toMatch(/module/);
    await page.unroute('**/assets/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Weighted by').waitFor();
  });

  it('is told of with what was there before kept in the address, and asked again once the network is back', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)}` });
    await drawn(page);
    await page.context().setOffline(true);
    await page.getByRole('combobox', { name: /^Search/ }).fill('Illinois');
    await page.getByText(/The search failed\. This device is offline/).waitFor();
    await page.getByLabel('As known at the end of').first().fill('2015-01-01');
    const told = page.getByRole('alert').first();
    await told.waitFor();
    expect(await told.textContent()).toContain('This device is offline.');
    expect(await page.locator('.plot canvas').count()).toBe(0);
    expect(page.url()).toContain('asof=2015-01-01');
    await page.context().setOffline(false);
    await drawn(page);
    expect(await page.locator('.figure-source').textContent()).toContain(
      'As known at the end of 1 January 2015',
    );
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('is asked for names again too, after “Try again”', async () => {
    fault = async (request) => (new URL(request.url).pathname.startsWith('/v2/') ? problem(500) : null);
    const { page } = await site.open({ query: `s=${cornYield(19)},${cornYield(17)}` });
    await page.getByRole('alert').first().waitFor({ timeout: 60_000 });
    const chips = page.getByRole('region', { name: 'Chosen series' });
    expect(await chips.textContent()).not.toMatch(/Iowa|10019/);
    fault = null;
    await page.locator('main').getByRole('button', { name: 'Try again' }).click();
    await drawn(page);
    await expect.poll(() => chips.textContent()).toContain('Iowa');
    expect(await page.title()).toContain('Corn');
  });
});
