import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn } from './open-page.js';
import { type OpenSite, openSite } from './open-site.js';
import { withRegions } from './own-regions.js';

const ODD_NAMES = [
  'Oddland <img src=x onerror=alert(1)>',
  'Oddland </script><script>alert(2)</script>',
  'Oddland a.b[0]',
  '=1+1 Oddland',
  'Oddland \u05e9\u05dc\u05d5\u05dd \u0627\u0644\u0639\u0631\u0628\u064a\u0629',
  `Oddland ${'very long '.repeat(28)}`.trim(),
];

let site: OpenSite;

beforeAll(async () => {
  site = await openSite({ fill: withRegions(ODD_NAMES) });
}, 300_000);
afterAll(() => site?.close());

describe('names with markup, operators, right-to-left letters or great length', () => {
  it('are text wherever they stand, and break no layout', async () => {
    const { page, problems, close } = await site.open();
    await drawn(page);
    await page.getByRole('combobox').first().fill('Oddland');
    const options = page.locator('.combobox-list [role=option]');
    await expect.poll(() => options.count(), { timeout: 20_000 }).toBeGreaterThanOrEqual(ODD_NAMES.length);
    const hits = (await options.allTextContents()).join('\n');
    for (const name of ODD_NAMES) expect(hits).toContain(name);
    for (const name of ODD_NAMES) {
      await page.getByRole('combobox').first().fill(name.slice(0, 60));
      const option = options.filter({ hasText: name }).first();
      await option.click({ modifiers: name === ODD_NAMES[0] ? [] : ['Alt'] });
      const chips = page.getByRole('region', { name: 'Chosen series' });
      await expect.poll(() => chips.textContent(), { timeout: 20_000 }).toContain(name);
    }
    await drawn(page);
    const legend = await page.locator('.legend').allTextContents();
    expect(legend.join('\n')).toContain('<img src=x');
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('tabpanel').getByRole('table').waitFor();
    expect(await page.locator('img, script:not([src])').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(problems).toEqual([]);
    await close();
  });
});
