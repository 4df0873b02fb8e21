import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { drawn } from '../page/open-page.js';
import { siteForTests } from '../page/open-site.js';

const site = siteForTests();

/** What a view tells: title, series, what a screen reader says of the chart, its source, and the cells of the table. */
async function toldBy(page: Page): Promise<Record<string, string | string[] | null>> {
  await drawn(page);
  const told = {
    title: await page.locator('.figure-title').textContent(),
    series: await page
      .getByRole('region', { name: 'Chosen series' })
      .locator('.facet-name')
      .allTextContents(),
    description: await page.getByRole('application').getAttribute('aria-label'),
    source: await page.locator('.figure-source').textContent(),
  };
  await page.getByRole('tab', { name: 'Table' }).click();
  const cells = page.locator('table.values tbody').locator('th, td');
  await cells.first().waitFor();
  return { ...told, cells: await cells.allTextContents() };
}

describe('the link of a view', () => {
  it('shows the same series, figures and texts in a new profile', async () => {
    const first = await site.open();
    await drawn(first.page);
    await first.page.getByRole('combobox', { name: /^Search/ }).fill('precip');
    const hit = first.page.getByRole('option', { name: /^Precipitation/ }).first();
    await hit.click();
    const title = first.page.locator('.figure-title');
    await expect.poll(() => title.textContent()).toMatch(/precipitation/i);
    await drawn(first.page);
    await expect.poll(() => first.page.url()).toContain('s=');
    const second = await site.open({ address: first.page.url() });
    expect(await toldBy(second.page)).toEqual(await toldBy(first.page));
  });

  it('shows what it showed when it was written', async () => {
    const { page } = await site.open({ address: `${site.url}${WRITTEN}` });
    expect(await toldBy(page)).toEqual(TOLD);
    expect(await page.locator('.header .notice').count()).toBe(0);
    expect(new URL(page.url()).search).toBe(WRITTEN.replace('?v=1', '?v=1&view=table'));
  });
});

/** A link that somebody kept. */
const WRITTEN =
  '?v=1&s=30-110-10019-0-9-900,30-110-10017-0-9-900&from=2010-01-01&to=2013-12-31&asof=2013-11-20';
const TOLD = {
  title: 'Corn yield 2013: Iowa 168.7, Illinois 172.3\u00a0bu/ac',
  series: ['Iowa', 'Illinois'],
  description:
    'Corn yield 2013: Iowa 168.7, Illinois 172.3 bu/ac, 2010-01-01 to 2013-12-31. Last values: Iowa 168.7 bu/ac (corn); Illinois 172.3 bu/ac (corn).',
  source: 'Source: Made-up survey, CC0 1.0 (public domain) · As known at the end of 20 November 2013',
  cells: '2013 168.7 172.3 2012 131.7 126.3 2011 180.4 176.4 2010 178.2 169.4'.split(' '),
};
