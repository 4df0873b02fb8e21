import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromCsv, toRows } from '../../../src/index.js';
import { cornYield } from './farm.js';
import { drawn } from './open-page.js';
import { type OpenSite, openSharedSite } from './open-site.js';
import { savedBy } from './saved-file.js';
import { SEATTLE, temperature } from './views.js';

let site: OpenSite;

beforeAll(async () => {
  site = await openSharedSite();
});
afterAll(() => site?.close());

/** What a reader somewhere sees of the daily maxima of Seattle: the pixels, the last day by keys, and its row in the table. */
async function seenIn(timezoneId: string): Promise<{ picture: string; said: string; row: string }> {
  const { page, problems, close } = await site.open({ query: `s=${temperature(SEATTLE)}`, timezoneId });
  await drawn(page);
  const picture = await page.locator('.plot canvas').evaluate((it) => (it as HTMLCanvasElement).toDataURL());
  await page.getByRole('application').focus();
  await page.keyboard.press('End');
  await page.locator('.tooltip-date').waitFor();
  const said = (await page.locator('.tooltip').textContent()) ?? '';
  await page.getByRole('tab', { name: 'Table' }).click();
  const row = (await page.locator('table.values tbody tr').first().textContent()) ?? '';
  expect(problems).toEqual([]);
  await close();
  return { picture, said, row };
}

describe('readers in other time zones', () => {
  it('see the same days', async () => {
    const utc = await seenIn('UTC');
    expect(utc.said).toContain('31 December 2015');
    expect(utc.row).toMatch(/^31 December 2015/);
    for (const zone of ['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati'])
      expect(await seenIn(zone), zone).toEqual(utc);
  });
});

/** Digits of other scripts as those of ASCII. */
function asciiDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/[٫,]/g, '.');
}

describe('readers of other languages', () => {
  it.each([
    { locale: 'de-DE', month: 'Dezember' },
    { locale: 'ar-EG', month: 'ديسمبر' },
    { locale: 'fa-IR', month: 'دسامبر' },
  ])(
    'see their numerals and names of months, and files keep the figures ($locale)',
    async ({ locale, month }) => {
      const { page, problems, close } = await site.open({ query: `s=${cornYield(19)}`, locale });
      const plain = await site.open({ query: `s=${cornYield(19)}` });
      await drawn(page);
      await drawn(plain.page);
      const axes = await Promise.all(
        [page, plain.page].map((one) =>
          one.locator('.plot canvas').evaluate((it) => (it as HTMLCanvasElement).toDataURL()),
        ),
      );
      if (locale !== 'de-DE') expect(axes[0]).not.toBe(axes[1]);
      for (const one of [page, plain.page]) {
        await one.getByRole('tab', { name: 'Table' }).click();
        await one.locator('table.values tbody td').first().waitFor();
      }
      const cells = (one: typeof page) => one.locator('table.values tbody td').allTextContents();
      const [own, english] = [await cells(page), await cells(plain.page)];
      expect(own).not.toEqual(english);
      expect(own.map(asciiDigits)).toEqual(english);
      await page.getByRole('button', { name: 'Download' }).click();
      const csv = page.getByRole('button', { name: 'CSV', exact: true });
      const { bytes } = await savedBy(page, () => csv.click());
      const values = toRows(fromCsv(bytes.toString('utf8'))).map(({ value }) => value);
      expect(values.map(String).reverse()).toEqual(english);
      await page.goto(`${site.url}?v=1&view=table&s=${temperature(SEATTLE)}`);
      const first = page.locator('table.values tbody th').first();
      await expect.poll(async () => asciiDigits((await first.textContent()) ?? '')).toContain('2015');
      const text = asciiDigits((await first.textContent()) ?? '');
      expect(text).toContain(month);
      expect(text).toContain('31');
      expect([...problems, ...plain.problems]).toEqual([]);
      await close();
      await plain.close();
    },
  );
});
