import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../../src/service/handler.js';
import { drawn } from './open-page.js';
import { type OpenSite, openSite } from './open-site.js';

type Fault = (request: Request) => Promise<Response | null>;

let site: OpenSite;
let fault: Fault | null = null;
let whole: Service;

beforeAll(async () => {
  site = await openSite({
    wrap: (service) => {
      whole = service;
      return async (request, connection) => (await fault?.(request)) ?? service(request, connection);
    },
  });
}, 300_000);
afterEach(() => {
  fault = null;
});
afterAll(() => site?.close());

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
      () => new Response('broken', { headers: { 'content-type': 'application/vnd.apache.arrow.stream' } }),
    ],
  ])('%s is told of, and asked again', async (_what, answer) => {
    fault = async (request) => (isPoints(request) ? answer(request) : null);
    const { page, problems, close } = await site.open();
    await page.getByRole('alert').first().waitFor({ timeout: 60_000 });
    expect(await page.locator('.plot canvas').count()).toBe(0);
    fault = null;
    const retry = page.getByRole('button', { name: 'Try again' }).first();
    if ((await retry.count()) > 0) await retry.click({ timeout: 2000 }).catch(() => {});
    await drawn(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  it('with 429 is asked again after the wait that it names, which is counted down', async () => {
    fault = async (request) => (isPoints(request) ? problem(429, { 'retry-after': '6' }) : null);
    const { page, problems, close } = await site.open();
    await page.getByText(/asked again in [3-6] s/).waitFor({ timeout: 30_000 });
    fault = null;
    await page.getByText(/asked again in [12] s/).waitFor({ timeout: 10_000 });
    const link = page.url();
    expect(link).toContain('s=');
    await drawn(page);
    expect(page.url()).toBe(link);
    expect(problems).toEqual([]);
    await close();
  });

  it('with a stream that is cut off draws nothing of it', async () => {
    fault = async (request) => (isPoints(request) ? cut(request) : null);
    const { page, problems, close } = await site.open();
    await page.getByRole('alert').first().waitFor({ timeout: 60_000 });
    expect(await page.locator('.plot canvas').count()).toBe(0);
    fault = null;
    await page
      .getByRole('button', { name: 'Try again' })
      .first()
      .click({ timeout: 2000 })
      .catch(() => {});
    await drawn(page);
    expect(problems).toEqual([]);
    await close();
  });

  it('slowly is waited for, and says so', async () => {
    fault = async (request) => {
      if (isPoints(request)) await new Promise((resolve) => setTimeout(resolve, 3000));
      return null;
    };
    const { page, problems, close } = await site.open();
    await page
      .getByText(/Loading the points|Drawing the chart/)
      .first()
      .waitFor();
    await drawn(page);
    expect(problems).toEqual([]);
    await close();
  });
});
