import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../../../build.js';
import { launchChromium } from '../launch.js';
import { drawn, openPage } from './open-page.js';
import { type ServedPage, servePage } from './serve-page.js';

const PREFIX = '/a/b';

interface Proxied {
  /** Of the proxy, without the prefix. */
  readonly url: string;
  /** Paths outside of the prefix that were asked for. */
  readonly outside: readonly string[];
  close(): Promise<void>;
}

let browser: Browser;

beforeAll(async () => {
  await buildPackage();
  browser = await launchChromium();
}, 300_000);
afterAll(() => browser?.close());

/** A service behind a proxy that passes on what is below the prefix, with it or without, and has nothing else. */
async function openProxied({ keeps }: { keeps: boolean }): Promise<Proxied> {
  const outside: string[] = [];
  let site: ServedPage | undefined;
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming;
    if (!url.startsWith(PREFIX) || site === undefined) {
      outside.push(url);
      outgoing.writeHead(404).end();
      return;
    }
    const path = keeps ? url : url.slice(PREFIX.length);
    const { port } = new URL(site.url);
    const onward = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const served = await servePage({ publicUrl: `${url}${PREFIX}/` });
  site = served;
  return {
    url,
    outside,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await served.close();
    },
  };
}

describe('the page below the path of a proxy', () => {
  it.each([
    { keeps: true, path: '/a/b' },
    { keeps: false, path: '/a/b/' },
  ])('draws, and asks for nothing outside of it ($path, kept: $keeps)', async ({ keeps, path }) => {
    const proxy = await openProxied({ keeps });
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
    await proxy.close();
  });
});
