import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../axe.js';
import { drawn } from './open-page.js';
import { type OpenSite, openSharedSite } from './open-site.js';

let site: OpenSite;

beforeAll(async () => {
  site = await openSharedSite();
});
afterAll(() => site?.close());

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
  { width: 2560, height: 1440 },
];

describe.each(['light', 'dark'] as const)('axe, %s', (colorScheme) => {
  it.each(SIZES)('has nothing against the chart and the table at $width pixels', async (viewport) => {
    const { page, problems, close } = await site.open({ viewport, colorScheme });
    await drawn(page);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('tabpanel').getByRole('table').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });
});
