import type { Table } from 'apache-arrow';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { frame } from '../../../src/frame/frame.js';
import { fromArrow, fromCsv } from '../../../src/index.js';
import { exactRows } from '../../frame/exact-rows.js';
import { cornYield, sorghum } from '../page/farm.js';
import { linkedPoints, pointsOf } from '../page/linked-points.js';
import { drawn } from '../page/open-page.js';
import { siteForTests } from '../page/open-site.js';
import { savedBy } from '../page/saved-file.js';
import { VIEWS } from '../page/views.js';

const site = siteForTests();

/** A date in the season of 2013, of which two of the three reports were still to come. */
const AS_OF = '2013-11-20';
const AS_OF_TIME = `${AS_OF}T23:59:59.999Z`;

/** Reads a file of figures by its ending. */
async function read({ name, bytes }: { name: string; bytes: Buffer }): Promise<Table> {
  return name.endsWith('.csv') ? fromCsv(bytes.toString('utf8')) : fromArrow(new Uint8Array(bytes));
}

/** Moves the focus by keys until it is on a control. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 150; i++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const at = document.activeElement as HTMLElement | null;
      return at?.closest('label')?.textContent ?? at?.ariaLabel ?? at?.textContent ?? '';
    });
    if (name.test(focused)) return;
  }
  throw new Error(`no key reaches ${name}`);
}

const FORMATS = ['Long CSV', 'Arrow'] as const;

/** Fails unless the files of every format have these points. */
async function expectFiles(page: Page, expected: readonly string[]): Promise<void> {
  for (const format of FORMATS) {
    const button = page.getByRole('button', { name: format, exact: true });
    expect(pointsOf(await read(await savedBy(page, () => button.click()))), format).toEqual(expected);
  }
}

describe('find, pick, draw, set the date as known on, and download', () => {
  it('works by mouse, and the files have the figures of the client', async () => {
    const { page } = await site.open();
    await drawn(page);
    await page.getByRole('combobox', { name: /^Search/ }).fill('Illinois');
    await page.getByRole('option', { name: /^Illinois\W+region/ }).click();
    await expect.poll(() => page.locator('.figure-title').textContent()).toContain('Illinois');
    await page.getByLabel('As known at the end of').first().fill(AS_OF);
    await expect.poll(() => page.locator('.figure-source').textContent()).toContain('20 November 2013');
    await drawn(page);
    const expected = await linkedPoints(site.url, page.url(), AS_OF_TIME);
    expect(expected.length).toBeGreaterThan(5);
    await page.getByRole('button', { name: 'Download' }).click();
    await expectFiles(page, expected);
  });

  it('works by keys alone', async () => {
    const { page, requests } = await site.open();
    await drawn(page);
    await tabTo(page, /^Search metrics/);
    await page.keyboard.type('Illinois');
    const option = page.getByRole('option', { name: /^Illinois\W+region/ });
    await option.waitFor();
    await page.keyboard.press('Escape');
    await option.waitFor({ state: 'detached' });
    expect(await page.getByRole('combobox', { name: /^Search/ }).inputValue()).toBe('Illinois');
    await page.keyboard.press('ArrowDown');
    await option.waitFor();
    await page.keyboard.press('Enter');
    // The first view may be of Illinois too; the choice replaces it by a chart.
    await expect.poll(() => page.url()).not.toContain('view=revisions');
    await expect.poll(() => page.locator('.figure-title').textContent()).toContain('Illinois');
    await tabTo(page, /^As known at the end of/);
    await page.keyboard.type(AS_OF);
    await expect.poll(() => page.locator('.figure-source').textContent()).toContain('20 November 2013');
    await drawn(page);
    const expected = await linkedPoints(site.url, page.url(), AS_OF_TIME);
    await tabTo(page, /^Download$/);
    await page.keyboard.press('Enter');
    for (const format of FORMATS) {
      await tabTo(page, new RegExp(`^${format}$`));
      const file = await savedBy(page, () => page.keyboard.press('Enter'));
      expect(pointsOf(await read(file)), format).toEqual(expected);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(requests.filter((address) => /atTime=0|at_time=0/.test(address))).toEqual([]);
    await page.goBack();
    await expect.poll(() => page.url()).not.toContain('asof=');
  });
});

describe('figures that the page resamples', () => {
  it('are downloaded as stored on request', async () => {
    const { page } = await site.open({ query: VIEWS.seasons.query });
    await drawn(page);
    const expected = await linkedPoints(site.url, page.url());
    expect(expected.length).toBeGreaterThan(1000);
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('radio', { name: /^All values, as stored/ }).check();
    await expectFiles(page, expected);
  });
});

describe('a value that was left out, zero, and a period without a point', () => {
  it('are told apart in the table and in every file', async () => {
    const { page } = await site.open({ query: `view=table&s=${sorghum},${cornYield(20)}` });
    const cell = (year: number) =>
      page
        .locator('tr', { hasText: String(year) })
        .locator('td')
        .nth(0);
    await page.getByRole('tabpanel').getByRole('table').waitFor();
    const texts = [
      await cell(2012).textContent(),
      await cell(2013).textContent(),
      await cell(2014).textContent(),
    ];
    expect(texts).toEqual(['–', '0.0', '']);
    await page.getByRole('button', { name: 'Download' }).click();
    const item = Number(sorghum.split('-')[1]);
    for (const format of FORMATS) {
      const button = page.getByRole('button', { name: format, exact: true });
      const rows = exactRows(frame(await read(await savedBy(page, () => button.click()))));
      const own = rows.filter(
        ({ item_id, start_date }) => item_id === item && /^201[234]/.test(String(start_date)),
      );
      expect(
        own.map(({ start_date, value }) => [String(start_date).slice(0, 4), value]),
        format,
      ).toEqual([
        ['2012', null],
        ['2013', 0],
      ]);
    }
  });
});
