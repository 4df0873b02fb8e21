import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../../../build.js';
import { launchChromium } from '../launch.js';
import { drawn, openPage } from './open-page.js';
import { type ServedPage, servePage } from './serve-page.js';

const PREFIX = '/a/b';
const PUBLIC = 'http://farm.example/a/b/';

let site: ServedPage;
let browser: Browser;
const servers: Server[] = [];

beforeAll(async () => {
  await buildPackage();
  site = await servePage({ publicUrl: PUBLIC });
  browser = await launchChromium();
}, 300_000);
afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
  await browser?.close();
  await site?.close();
});

/** A proxy that passes on what is below the prefix, with it or without, and has nothing else. */
async function openProxy({ keeps }: { keeps: boolean }): Promise<{ url: string; outside: string[] }> {
  const outside: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming;
    if (!url.startsWith(PREFIX)) {
      outside.push(url);
      outgoing.writeHead(404).end();
      return;
    }
    const path = keeps ? url : url.slice(PREFIX.length);
    const onward = request(
      {
        host: '127.0.0.1',
        port: new URL(site.url).port,
        method,
        path,
        headers: { ...headers, host: 'farm.example' },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(onward);
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, outside };
}

describe('the page below the path of a proxy', () => {
  it.each([
    { keeps: true, path: '/a/b' },
    { keeps: false, path: '/a/b/' },
  ])('draws, and asks for nothing outside of it ($path, kept: $keeps)', async ({ keeps, path }) => {
    const proxy = await openProxy({ keeps });
    const { page, problems, requests, close } = await openPage(browser, `${proxy.url}${path}`);
    await drawn(page);
    expect(new URL(page.url()).pathname).toBe('/a/b/');
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('tabpanel').getByRole('table').waitFor();
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    expect([...requests, ...links].filter((address) => !address.startsWith(`${proxy.url}/a/b`))).toEqual([]);
    expect(proxy.outside).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });
});
