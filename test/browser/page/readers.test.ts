import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromCsv } from '../../../src/index.js';
import { exactRows } from '../../frame/exact-rows.js';
import { cornYield } from './farm.js';
import { drawn } from './open-page.js';
import { siteForTests } from './open-site.js';
import { download } from './saved-file.js';
import { SEATTLE, temperature } from './views.js';

const site = siteForTests();

/** What a reader somewhere sees of the daily maxima of Seattle: the pixels, the last day by keys, and its row in the table. */
async function seenIn(timezoneId: string): Promise<{ picture: string; said: string; row: string }> {
  const { page } = await site.open({ query: `s=${temperature(SEATTLE)}`, timezoneId });
  await drawn(page);
  const picture = await page.locator('.plot canvas').evaluate((it) => (it as HTMLCanvasElement).toDataURL());
  await page.getByRole('application').focus();
  await page.keyboard.press('End');
  await page.locator('.tooltip-date').waitFor();
  const said = (await page.locator('.tooltip').textContent()) ?? '';
  await page.getByRole('tab', { name: 'Table' }).click();
  const row = (await page.locator('table.values tbody tr').first().textContent()) ?? '';
  return { picture, said, row };
}

describe('readers in other time zones', () => {
  it('see the same days', async () => {
    const utc = await seenIn('UTC');
    expect(utc.said).toContain('31 December 2015');
    expect(utc.row).toMatch(/^31 December 2015/);
    for (const zone of ['America/Los_Angeles', 'Pacific/Kiritimati'])
      expect(await seenIn(zone), zone).toEqual(utc);
  });
});

/** Digits of other scripts as those of ASCII. */
function asciiDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u2068\u2069]/g, '')
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/[٫,]/g, '.');
}

/** The chart of the corn of Iowa as a picture, and the cells of its table, which stays open. */
async function cornOf(page: Page): Promise<{ picture: string; cells: string[] }> {
  await drawn(page);
  const picture = await page.locator('.plot canvas').evaluate((it) => (it as HTMLCanvasElement).toDataURL());
  await page.getByRole('tab', { name: 'Table' }).click();
  const cells = page.locator('table.values tbody td');
  await cells.first().waitFor();
  return { picture, cells: await cells.allTextContents() };
}

describe('readers of other languages', () => {
  let english: Awaited<ReturnType<typeof cornOf>>;
  beforeAll(async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)}` });
    english = await cornOf(page);
  });

  it.each([
    { locale: 'de-DE', month: 'Dezember' },
    { locale: 'ar-EG', month: 'ديسمبر' },
    { locale: 'fa-IR', month: 'دسامبر' },
  ])(
    'see their numerals and names of months, and files keep the figures ($locale)',
    async ({ locale, month }) => {
      const { page } = await site.open({ query: `s=${cornYield(19)}`, locale });
      const { picture, cells } = await cornOf(page);
      if (locale !== 'de-DE') expect(picture).not.toBe(english.picture);
      expect(cells).not.toEqual(english.cells);
      expect(cells.map(asciiDigits)).toEqual(english.cells);
      const { bytes } = await download(page, 'Long CSV');
      const values = exactRows(fromCsv(bytes.toString('utf8'))).map(({ value }) => value);
      expect(values.map(Number).reverse()).toEqual(english.cells.map(Number));
      await page.goto(`${site.url}?v=1&view=table&s=${temperature(SEATTLE)}`);
      const first = page.locator('table.values tbody th').first();
      await expect.poll(async () => asciiDigits((await first.textContent()) ?? '')).toContain('2015');
      const text = asciiDigits((await first.textContent()) ?? '');
      expect(text).toContain(month);
      expect(text).toContain('31');
    },
  );
});
