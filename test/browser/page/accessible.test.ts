import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../../../build.js';
import { launchChromium } from '../launch.js';
import { drawn, openPage } from './open-page.js';
import { type ServedPage, servePage } from './serve-page.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let site: ServedPage;
let browser: Browser;

beforeAll(async () => {
  await buildPackage();
  site = await servePage();
  browser = await launchChromium();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** What axe has against a page. What is evaluated is exempt from the page's policy. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document);
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
  });
}

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
  { width: 2560, height: 1440 },
];

describe.each(['light', 'dark'] as const)('axe, %s', (colorScheme) => {
  it.each(SIZES)('has nothing against the chart and the table at $width pixels', async (viewport) => {
    const { page, problems, close } = await openPage(browser, site.url, { viewport, colorScheme });
    await drawn(page);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('tabpanel').getByRole('table').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });
});
