import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn } from './open-page.js';
import { type OpenSite, openSite } from './open-site.js';
import { withRegions } from './own-regions.js';
import { savedBy } from './saved-file.js';

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
    await page.getByRole('application').focus();
    await page.keyboard.press('End');
    const tooltip = page.locator('.tooltip');
    await tooltip.waitFor();
    for (const name of ODD_NAMES) expect(await tooltip.textContent()).toContain(name);
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('tabpanel').getByRole('table').waitFor();
    const headings = (await page.getByRole('columnheader').allTextContents()).join('\n');
    for (const name of ODD_NAMES) expect(headings).toContain(name);
    await page.getByRole('button', { name: 'Code' }).click();
    const program = await page.getByLabel('Program').inputValue();
    expect(program).toContain('</script><script>alert(2)</script>');
    // A name is one literal on one line, in the order in which it is read.
    expect(program.split('\n').filter((line) => line.includes('Oddland'))).toHaveLength(ODD_NAMES.length);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Download' }).click();
    const csv = page.getByRole('button', { name: 'CSV', exact: true });
    const { name: fileName, bytes } = await savedBy(page, () => csv.click());
    expect(fileName).toMatch(/^[\p{L}\p{N}-]{1,80}\.csv$/u);
    expect(bytes.toString('utf8')).toContain("'=1+1 Oddland");
    await page.keyboard.press('Escape');
    expect(await page.locator('img, script:not([src])').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(problems).toEqual([]);
    await close();
  });
});
