import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../../src/service/access/password-hash.js';
import { serve } from '../../../src/service/http/serve.js';
import { createService } from '../../../src/service/service.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { launchChromium } from '../launch.js';
import { openProxy } from '../prefixing-proxy.js';
import { withFarm } from './farm.js';
import { drawn, openPage } from './open-page.js';
import { download, textOf } from './saved-file.js';
import { settled, VIEWS } from './views.js';

const EMAIL = 'ada@example.org';
const PASSWORD = 'correct horse battery staple';

/** Where the documentation leads besides the service. */
const LICENCE = 'https://spdx.org/licenses/Apache-2.0.html';

/** How a proxy passes the path on. */
const WAYS = [
  { keeps: true, path: '' },
  { keeps: false, path: '/' },
];

let browser: Browser;
let store: Store;

beforeAll(async () => {
  store = await openStore(':memory:');
  await withFarm(store);
  await store.access.putUser({ email: EMAIL, passwordHash: await hashPassword(PASSWORD) });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await store?.close();
});

async function logIn(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  await dialog.getByLabel('Email', { exact: true }).fill(EMAIL);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Log in' }).click();
}

async function search(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: /^Search/ }).fill('Illinois');
  await page.getByRole('option', { name: /^Illinois\W+region/ }).click();
  await expect.poll(() => page.locator('.figure-title').textContent()).toContain('Illinois');
  await drawn(page);
}

async function openTab(page: Page, view: 'table' | 'map' | 'revisions'): Promise<void> {
  await page.locator(`#tab-${view}`).click();
  await settled(page, VIEWS[view]);
}

/** Where the elements of a page lead, and where they come from. */
const addressesOf = (page: Page) =>
  page
    .locator('[href], [src], [action]')
    .evaluateAll((all) =>
      all.map((one) =>
        ['href', 'src', 'action'].map((name) => one.getAttribute(name)).find((written) => written !== null),
      ),
    )
    .then((all) => all.map((written) => new URL(written ?? '', page.url()).href));

describe('the page below the path of a proxy', () => {
  it.each(WAYS)(
    'works in every view, and leads nowhere else (path kept: $keeps)',
    async ({ keeps, path }) => {
      const proxy = await openProxy({ prefix: '/a/b', keeps }, (publicUrl) =>
        serve(createService(store, { page: true, publicUrl }), { port: 0, stopWithinMs: 100 }),
      );
      const { page, problems, requests, close } = await openPage(browser, `${proxy.url}${path}`);
      const addresses: string[] = [];
      const look = async () => addresses.push(...(await addressesOf(page)));
      await logIn(page);
      await drawn(page);
      expect(new URL(page.url()).pathname).toBe('/a/b/');
      await look();
      await search(page);
      for (const title of ['Code', 'Cite'] as const) expect(await textOf(page, title)).toContain(proxy.url);
      for (const format of ['CSV', 'Long CSV', 'Arrow', 'PNG', 'SVG'] as const)
        expect((await download(page, format)).bytes.length, format).toBeGreaterThan(200);
      for (const view of ['table', 'map', 'revisions'] as const) {
        await openTab(page, view);
        await look();
      }
      const opened = ['weights', 'degree-days'] as const;
      for (const view of opened) {
        await page.goto(`${proxy.url}/?v=1&${VIEWS[view].query}`);
        await settled(page, VIEWS[view]);
        await look();
      }
      await page.getByRole('link', { name: 'API' }).click();
      await page.locator('.opblock').first().waitFor();
      await look();
      await page.goBack();
      await settled(page, VIEWS[opened.at(-1)!]);
      const isBelow = (address: string) =>
        address === proxy.url || ['/', '?', '#'].some((mark) => address.startsWith(`${proxy.url}${mark}`));
      const asked = [...requests, ...addresses].filter((address) => !/^(data|blob):/.test(address));
      expect(asked.filter((address) => !isBelow(address))).toEqual([LICENCE]);
      expect(proxy.outside).toEqual([]);
      expect(problems).toEqual([]);
      await close();
      await proxy.close();
    },
  );
});
