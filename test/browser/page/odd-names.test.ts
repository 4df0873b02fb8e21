import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { drawn, proposed } from './open-page.js';
import { siteForTests } from './open-site.js';
import { ownSeries, withRegions } from './own-regions.js';
import { pointAtMap } from './pointer.js';
import { download, textOf } from './saved-file.js';
import { settled, VIEWS } from './views.js';

/** Six kinds of names that break a page which does not treat them as text. */
const oddNames = (word: string) => [
  `${word} <img src=x onerror=alert(1)>`,
  `${word} </script><script>alert(2)</script>`,
  `${word} a.b[0]`,
  `=1+1 ${word}`,
  `${word} \u05e9\u05dc\u05d5\u05dd \u0627\u0644\u0639\u0631\u0628\u064a\u0629`,
  `${word} ${'very long '.repeat(28)}`.trim(),
];

const REGIONS = oddNames('Oddland');
const SOURCES = oddNames('Oddbook');
const CROPS = oddNames('Oddcrop').map((name, i) => ({ name, source: SOURCES[i]! }));

const FILE_NAME = /^[\p{L}\p{N}-]{1,80}(\.long)?\.\w+$/u;

const site = siteForTests({ fill: withRegions({ names: REGIONS, crops: CROPS }) });

/** Fails unless a page has neither become wider nor taken an element or a script from a name. */
async function expectUnbroken(page: Page): Promise<void> {
  expect(await page.locator('img, script:not([src])').count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

async function downloadText(page: Page, format: string): Promise<string> {
  const { name, bytes } = await download(page, format);
  expect(name).toMatch(FILE_NAME);
  return bytes.toString('utf8');
}

describe('names with markup, operators, right-to-left letters or great length', () => {
  it('are text wherever they stand, and break no layout', async () => {
    const { page } = await site.open();
    await proposed(page);
    await page.getByRole('combobox').first().fill('Oddland');
    const options = page.locator('.combobox-list [role=option]');
    await expect.poll(() => options.count()).toBeGreaterThanOrEqual(REGIONS.length);
    const hits = (await options.allTextContents()).join('\n');
    for (const name of REGIONS) expect(hits).toContain(name);
    for (const name of REGIONS) {
      await page.getByRole('combobox').first().fill(name.slice(0, 60));
      const option = options.filter({ hasText: name }).first();
      await option.click({ modifiers: name === REGIONS[0] ? [] : ['Alt'] });
      const chips = page.getByRole('region', { name: 'Chosen series' });
      await expect.poll(() => chips.textContent()).toContain(name);
    }
    await drawn(page);
    await page.getByRole('application').focus();
    await page.keyboard.press('End');
    const tooltip = page.locator('.tooltip');
    await tooltip.waitFor();
    for (const name of REGIONS) expect(await tooltip.textContent()).toContain(name);
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('tabpanel').getByRole('table').waitFor();
    const headings = (await page.getByRole('columnheader').allTextContents()).join('\n');
    for (const name of REGIONS) expect(headings).toContain(name);
    const program = await textOf(page, 'Code');
    for (const name of REGIONS) expect(program).toContain(JSON.stringify(name).slice(1, -1));
    // A name is one literal on one line, in the order in which it is read.
    expect(program.split('\n').filter((line) => line.includes('Oddland'))).toHaveLength(REGIONS.length);
    expect(await downloadText(page, 'Long CSV')).toContain("'=1+1 Oddland");
    await expectUnbroken(page);
  });

  it('are the title and the caption of a chart, the list of series, its files and its citation', async () => {
    const series = CROPS.map((_, i) => ownSeries(i, i));
    const { page } = await site.open({ query: `s=${series.join()}` });
    await drawn(page);
    const caption = await page.locator('.figure-source').textContent();
    for (const name of SOURCES) expect(caption).toContain(name);
    const names = (await page.locator('.shown-series .facet-name').allTextContents()).join('\n');
    for (const { name } of CROPS) expect(names).toContain(name);
    const citation = await textOf(page, 'Cite');
    for (const name of SOURCES) expect(citation).toContain(name);
    const svg = await downloadText(page, 'SVG');
    expect(svg).not.toMatch(/<img|<script/);
    expect(svg).toContain('Oddcrop &lt;img src=x');
    for (const [i, { name }] of CROPS.entries()) {
      await page.goto(`${site.url}?v=1&s=${series[i]}`);
      await expect.poll(() => page.locator('.figure-subtitle').textContent()).toContain(name);
      expect(await page.title()).toContain(name);
      await downloadText(page, 'CSV');
      await expectUnbroken(page);
    }
  });

  it('are the title, the values, the caption and the regions of a map', async () => {
    const { page } = await site.open();
    await proposed(page);
    for (const [i, { name, source }] of CROPS.entries()) {
      await page.goto(`${site.url}?v=1&view=map&s=${ownSeries(i, i)}`);
      await settled(page, VIEWS.map);
      expect((await page.locator('.figure-title').textContent())?.toLowerCase()).toContain(
        name.toLowerCase(),
      );
      expect(await page.locator('svg.map').getAttribute('aria-label')).toContain(name);
      expect(await page.locator('.figure-source').textContent()).toContain(source);
      await downloadText(page, 'CSV');
      expect(await textOf(page, 'Code')).toContain('getDataPointsTable');
      await expectUnbroken(page);
    }
    const under = new Set<string>();
    // Two rows of four squares, of which two are no region.
    for (const across of [0.2, 0.4, 0.6, 0.8])
      for (const down of [0.3, 0.7]) {
        await pointAtMap(page, [across, down]);
        under.add((await page.locator('.map-tip strong').allTextContents()).join());
      }
    for (const name of REGIONS) expect(under.has(name), name).toBe(true);
    await page.getByText(/^The values as a table/).click();
    const rows = await page.locator('table.values tbody th').allTextContents();
    expect([...rows].sort()).toEqual([...REGIONS].sort());
    const svg = await downloadText(page, 'SVG');
    expect(svg).not.toMatch(/<img|<script/);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectUnbroken(page);
  });
});
