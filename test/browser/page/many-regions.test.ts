import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../../../build.js';
import { createClient } from '../../../src/index.js';
import { launchChromium } from '../launch.js';
import { drawn, openPage } from './open-page.js';
import { withRegions } from './own-regions.js';
import { type ServedPage, servePage } from './serve-page.js';

const NAMES = Array.from({ length: 10_000 }, (_, i) => `Parish ${String(i).padStart(5, '0')}`);

let site: ServedPage;
let browser: Browser;

beforeAll(async () => {
  await buildPackage();
  site = await servePage({ fill: withRegions(NAMES) });
  browser = await launchChromium();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

describe('10,000 regions', () => {
  it('are counted as the service counts them, with few elements, and each is found', async () => {
    const { page, problems, close } = await openPage(browser, site.url);
    await drawn(page);
    expect(await page.getByRole('checkbox').count()).toBeLessThanOrEqual(120);
    await page.getByRole('combobox').first().fill('Parish 07777');
    await page
      .getByRole('option', { name: /^Parish 07777/ })
      .first()
      .click();
    await expect
      .poll(() => page.locator('.figure-title').textContent(), { timeout: 30_000 })
      .toContain('Parish 07777');
    expect(await page.getByRole('option').count()).toBeLessThanOrEqual(60);
    const link = new URL(page.url());
    const [metric_id, item_id] = link.searchParams.get('s')!.split('.').map(Number);
    const client = createClient({ api_host: site.url, access_token: 'none' });
    const { series } = await client.facets({ metric_id, item_id } as never, { in: ['regions'], limit: 1 });
    expect(series).toBeGreaterThanOrEqual(NAMES.length);
    expect(problems).toEqual([]);
    await close();
  });
});
