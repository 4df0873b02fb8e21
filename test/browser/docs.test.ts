import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { singleTokenAuthorizer } from '../../src/service/access/auth.js';
import { type Serving, serve } from '../../src/service/http/serve.js';
import { createService } from '../../src/service/service.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { axeFindings } from './axe.js';
import { launchChromium } from './launch.js';
import { openPage, type WatchedPage } from './page/open-page.js';
import { openProxy } from './prefixing-proxy.js';

const TOKEN = 'token-of-the-tests';

/** A machine that is busy with other stages takes its time to draw. */
const TIMEOUT_MS = 100_000;

let store: Store;
let open: Serving;
let guarded: Serving;
let browser: Browser;
beforeAll(async () => {
  store = await openStore(':memory:');
  await importDataset(store, documentImporter('demo'));
  open = await serve(createService(store, { authorize: 'anyone' }), { port: 0 });
  guarded = await serve(createService(store, { authorize: singleTokenAuthorizer(TOKEN) }), { port: 0 });
  browser = await launchChromium();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await open?.close();
  await guarded?.close();
  await store?.close();
});

async function showDocs(url: string, options = {}): Promise<WatchedPage> {
  const watched = await openPage(browser, `${url}/docs`, options);
  watched.page.setDefaultTimeout(TIMEOUT_MS);
  await watched.page.waitForSelector('.opblock');
  return watched;
}

/** Opens the operation that searches all types, and asks. */
async function askForHits(page: Page): Promise<{ status: string | null; url: string | null }> {
  await page.click('#operations-Search-searchHits .opblock-summary-control');
  await page.click('#operations-Search-searchHits .execute');
  const answer = page.locator('#operations-Search-searchHits .live-responses-table tbody');
  const status = await answer.locator('.response-col_status').first().textContent();
  return { status, url: await page.locator('.request-url pre').textContent() };
}

async function findingsWhenDrawn(page: Page): Promise<string[]> {
  // What the page mends, it mends a moment later.
  await page.waitForFunction(() => document.querySelector('.microlight:not([tabindex])') === null);
  return axeFindings(page);
}

describe('the documentation in a browser', () => {
  it('shows every operation and asks the service, within the policy of the page', async () => {
    const { page, problems } = await showDocs(open.url);
    expect(await page.locator('.opblock').count()).toBeGreaterThan(25);
    expect(await page.locator('#plain').count()).toBe(0);
    const { status, url } = await askForHits(page);
    expect(status).toContain('200');
    expect(url).toBe(`${open.url}/v2/search/hits?q=cor&limit=3`);
    expect(await page.locator('.live-responses-table').textContent()).toContain('"Corn"');
    expect(problems).toEqual([]);
  });

  it('asks with a token once it is given, and keeps it nowhere', async () => {
    const { page, problems } = await showDocs(guarded.url);
    expect((await askForHits(page)).status).toContain('401');
    await page.click('.btn.authorize');
    await page.fill('.modal-ux input', TOKEN);
    await page.click('.modal-ux .btn.authorize');
    await page.click('.modal-ux .btn-done');
    await page.click('#operations-Search-searchHits .execute');
    await page.getByText('"Corn"').first().waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([localStorage, sessionStorage, document.cookie, location.href]),
    );
    expect(kept).not.toContain(TOKEN);
    expect(problems).toEqual([]);
  });

  it.each([false, true])('works below the path of a proxy, which keeps it: %s', async (keeps) => {
    const proxy = await openProxy({ prefix: '/a/b', keeps }, (publicUrl) =>
      serve(createService(store, { authorize: 'anyone', publicUrl }), { port: 0 }),
    );
    try {
      const { page, problems } = await showDocs(proxy.url);
      const { status, url } = await askForHits(page);
      expect(status).toContain('200');
      expect(url).toBe(`${proxy.url}/v2/search/hits?q=cor&limit=3`);
      expect([...problems, ...proxy.outside]).toEqual([]);
    } finally {
      await proxy.close();
    }
  });

  it.each(['light', 'dark'] as const)('has no findings of axe, in %s', async (colorScheme) => {
    const { page } = await showDocs(open.url, { colorScheme });
    expect(await findingsWhenDrawn(page)).toEqual([]);
    await askForHits(page);
    expect(await findingsWhenDrawn(page)).toEqual([]);
  });

  it('lists the operations without scripts too', async () => {
    const { page, problems } = await openPage(browser, `${open.url}/docs`, { javaScriptEnabled: false });
    expect(await page.locator('#plain').textContent()).toContain('GET /v2/search/hits');
    expect(problems).toEqual([]);
  });
});
