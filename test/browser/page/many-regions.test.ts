import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/index.js';
import { drawn } from './open-page.js';
import { type OpenSite, openSite } from './open-site.js';
import { withRegions } from './own-regions.js';

const NAMES = Array.from({ length: 10_000 }, (_, i) => `Parish ${String(i).padStart(5, '0')}`);

let site: OpenSite;

beforeAll(async () => {
  site = await openSite({ fill: withRegions(NAMES) });
}, 300_000);
afterAll(() => site?.close());

describe('10,000 regions', () => {
  it('are counted as the service counts them, with few elements, and each is found', async () => {
    const { page, problems, close } = await site.open();
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
