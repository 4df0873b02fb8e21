import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fromCsv } from '../../../src/index.js';
import { ALL_COLUMNS } from '../../../src/ingest/document/typed/typed-table.js';
import { readSheets } from '../../../src/ingest/document/typed/workbook.js';
import { exactRows } from '../../frame/exact-rows.js';
import { temporaryFolder } from '../../temporary-files.js';
import { axeFindings } from '../axe.js';
import { drawn } from './open-page.js';
import { siteForTests } from './open-site.js';
import { download, savedBy, textOf } from './saved-file.js';
import { NEW_YORK, SEATTLE, settled, temperature, VIEWS } from './views.js';

const site = siteForTests();

async function csvOf(
  page: Page,
  format: 'CSV' | 'Long CSV' = 'CSV',
): Promise<{ name: string; rows: Record<string, unknown>[] }> {
  const { name, bytes } = await download(page, format);
  return { name, rows: exactRows(fromCsv(bytes.toString('utf8'))) };
}

describe('what is taken from a view', () => {
  it('is the degree days of its seasons, and a program that asks for their temperatures', async () => {
    const { page } = await site.open();
    await drawn(page);
    await page.getByRole('tab', { name: 'Degree days' }).click();
    await page.getByText('Choose a place with daily temperatures').waitFor();
    expect(await page.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true);
    const place = page.locator('label.select', { hasText: /^Place/ }).locator('select');
    await expect.poll(() => place.locator('option').count(), { timeout: 20_000 }).toBeGreaterThan(1);
    await place.selectOption({ index: 1 });
    const table = page.getByRole('tabpanel').getByRole('table');
    await table.waitFor();
    const { name, rows } = await csvOf(page);
    expect(name).toMatch(/^degree-days/);
    expect(rows).toHaveLength((await table.locator('tbody tr').count()) as number);
    const column = Object.keys(rows[0]!).find((one) =>
      /: degree days, .* base 50 °F.*\(°F·day\)$/.test(one),
    )!;
    // The file has exact totals, which are whole numbers on the page.
    expect(rows.map((row) => row[column]).join()).toMatch(/\.\d\d/);
    const totals = rows.map((row) => Math.round(Number(row[column])).toLocaleString('en-GB'));
    expect(await table.locator('tbody tr td:nth-child(2)').allTextContents()).toEqual(totals.reverse());
    const program = await textOf(page, 'Code');
    expect(program).toContain('base 50 °F');
    expect(program.match(/metric_id:/g)).toHaveLength(2);
  });

  it('is named by how its values were made: rain is summed, and an index has no unit', async () => {
    const rain = `s=3-5-${SEATTLE}-0-1-20&every=month`;
    const { page } = await site.open({ query: rain });
    expect(await drawn(page)).toContain('sum of each month');
    expect(await page.getByRole('combobox', { name: 'By' }).locator('option:checked').textContent()).toBe(
      'default: sum',
    );
    const sums = await csvOf(page, 'Long CSV');
    expect(sums.name).toBe(
      'precipitation-quantity-sum-of-each-month-precipitation-seattle-weather-station.long.csv',
    );
    expect(sums.rows.at(-1)).toMatchObject({ metric_name: 'Precipitation quantity, sum of each month' });
    await page.getByRole('combobox', { name: 'Show' }).selectOption('index');
    await expect.poll(() => page.locator('.figure-subtitle').textContent()).toContain('first value = 100');
    const index = await csvOf(page, 'Long CSV');
    expect(index.name).toMatch(
      /^precipitation-quantity-sum-of-each-month-index-first-value-100-precipitation/,
    );
    expect(index.rows[0]).toMatchObject({
      metric_name: 'Precipitation quantity, sum of each month, index, first value = 100',
      value: 100,
      unit_name: null,
    });
    await page.getByRole('combobox', { name: 'By' }).selectOption('mean');
    await expect.poll(() => page.locator('.figure-subtitle').textContent()).toContain('mean of each month');
    expect(page.url()).toContain('how=mean');
  });

  it('has a name of its own for each content: other dates, series, stored values, a usual range, and as-of dates', async () => {
    const [max, other] = [temperature(SEATTLE), temperature(SEATTLE, 'min')];
    const { page } = await site.open({ query: `s=${max}&y=season` });
    const names: string[] = [];
    for (const query of [
      `s=${max}&y=season`,
      `s=${max}&y=season&to=2014-12-31`,
      `s=${max}&y=usual`,
      `s=${max}&y=season&asof=2021-01-01`,
      `s=${max},${other}&y=season`,
      `s=${max},${temperature(NEW_YORK)}&y=season`,
    ]) {
      await page.goto(`${site.url}?v=1&${query}`);
      await drawn(page);
      names.push((await download(page, 'CSV')).name);
    }
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('radio', { name: /^All values, as stored/ }).check();
    const csv = page.getByRole('button', { name: 'CSV', exact: true });
    names.push((await savedBy(page, () => csv.click())).name);
    expect(new Set(names).size, names.join()).toBe(names.length);
    expect(names[1]).toBe('temperature-temperature-max-seattle-weather-station-to-2014-12-31.csv');
  });

  it('says why a format is not offered, under the pointer, with the focus and to readers of screens', async () => {
    const { page } = await site.open({ query: VIEWS['degree-days'].query });
    await settled(page, VIEWS['degree-days']);
    await page.getByRole('button', { name: 'Download' }).click();
    const arrow = page.getByRole('button', { name: 'Arrow', exact: true });
    const reason = page.getByText(
      'The page computes these values. For stored values, choose “Daily temperatures”.',
    );
    await arrow.waitFor();
    expect(await arrow.getAttribute('aria-disabled')).toBe('true');
    expect(await reason.first().isVisible()).toBe(false);
    await arrow.hover();
    expect(await arrow.locator('..').locator('.reason').isVisible()).toBe(true);
    await page.mouse.move(0, 0);
    await arrow.focus();
    expect(await arrow.locator('..').locator('.reason').isVisible()).toBe(true);
    const described = await arrow.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).textContent()).toContain('Daily temperatures');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Daily temperatures' }).check();
    expect(await arrow.getAttribute('aria-disabled')).toBe('false');
    await page.goto(`${site.url}?v=1&${VIEWS.table.query}`);
    await settled(page, VIEWS.table);
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('button', { name: 'PNG' }).focus();
    await page.getByText('This view has no chart; open the Chart tab to get one.').first().waitFor();
  });

  it('is the values of the map on its date', async () => {
    const { page } = await site.open();
    await drawn(page);
    await page.getByRole('tab', { name: 'Map' }).click();
    await page.locator('svg.map').waitFor({ timeout: 30_000 });
    await page.getByText('no value', { exact: true }).waitFor();
    const subtitle = (await page.locator('.figure-subtitle').textContent()) ?? '';
    const { name, rows } = await csvOf(page);
    expect(name).toMatch(/^map-/);
    expect(subtitle).toContain(`${rows.length} region`);
    expect(Object.keys(rows[0]!)).toEqual(['Region', expect.stringMatching(/ · .*, \d{4} \(.*\)$/)]);
    expect(await textOf(page, 'Code')).toContain('getDataPointsTable');
  });
});

describe('the table of every view', () => {
  it.each(['chart', 'table', 'map', 'revisions', 'degree-days', 'weights'] as const)(
    'is a CSV file, a workbook and a copy with all rows: %s',
    async (view) => {
      const { page } = await site.open({
        query: VIEWS[view].query,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      await settled(page, VIEWS[view]);
      const { rows } = await csvOf(page);
      expect(rows.length).toBeGreaterThan(1);
      const { name, bytes } = await download(page, 'Excel');
      expect(name).toMatch(/\.xlsx$/);
      const path = join(temporaryFolder(), name);
      writeFileSync(path, bytes);
      const [data, about] = await readSheets(path);
      let count = -1;
      for await (const _ of data!.rows(ALL_COLUMNS)) count++;
      expect(count).toBe(rows.length);
      expect(about!.name).toBe('About');
      await page.getByRole('button', { name: 'Download' }).click();
      await page.getByRole('button', { name: 'Copy table' }).click();
      await page.getByRole('button', { name: / rows copied$/ }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied.split('\n')[0]!.trim().split('\t')).toEqual(Object.keys(rows[0]!));
      expect(copied.split('\n')).toHaveLength(1 + rows.length);
    },
  );
});
