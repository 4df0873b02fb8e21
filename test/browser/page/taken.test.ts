import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fromCsv } from '../../../src/index.js';
import { exactRows } from '../../frame/exact-rows.js';
import { drawn } from './open-page.js';
import { siteForTests } from './open-site.js';
import { download, textOf } from './saved-file.js';
import { SEATTLE } from './views.js';

const site = siteForTests();

async function csvOf(page: Page): Promise<{ name: string; rows: Record<string, unknown>[] }> {
  const { name, bytes } = await download(page, 'CSV');
  return { name, rows: exactRows(fromCsv(bytes.toString('utf8'))) };
}

describe('what is taken from a view', () => {
  it('is the degree days of its seasons, and a program that asks for their temperatures', async () => {
    const { page } = await site.open();
    await drawn(page);
    await page.getByRole('tab', { name: 'Degree days' }).click();
    await page.getByText('Choose a place with daily temperatures.').waitFor();
    expect(await page.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true);
    const place = page.locator('label.select', { hasText: /^Place/ }).locator('select');
    await expect.poll(() => place.locator('option').count(), { timeout: 20_000 }).toBeGreaterThan(1);
    await place.selectOption({ index: 1 });
    const table = page.getByRole('tabpanel').getByRole('table');
    await table.waitFor();
    const { name, rows } = await csvOf(page);
    expect(name).toMatch(/^degree-days/);
    expect(rows).toHaveLength((await table.locator('tbody tr').count()) as number);
    const totals = rows.map(({ total }) => (Math.round(Number(total) * 10) / 10).toLocaleString('en-GB'));
    expect(await table.locator('tbody tr td:nth-child(2)').allTextContents()).toEqual(totals.reverse());
    const program = await textOf(page, 'Code');
    expect(program).toContain('base 10 °C');
    expect(program.match(/metric_id:/g)).toHaveLength(2);
  });

  it('is named by how its values were made: rain is summed, and an index has no unit', async () => {
    const rain = `s=3-5-${SEATTLE}-0-1-20&every=month`;
    const { page } = await site.open({ query: rain });
    expect(await drawn(page)).toContain('sum of each month');
    expect(await page.getByRole('combobox', { name: 'By' }).locator('option:checked').textContent()).toBe(
      'default: sum',
    );
    const sums = await csvOf(page);
    expect(sums.name).toBe(
      'sum-of-each-month-precipitation-quantity-precipitation-seattle-weather-station.csv',
    );
    expect(sums.rows.at(-1)).toMatchObject({ metric_name: 'Precipitation quantity, sum of each month' });
    await page.getByRole('combobox', { name: 'Show' }).selectOption('index');
    await expect.poll(() => page.locator('.figure-subtitle').textContent()).toContain('first value = 100');
    const index = await csvOf(page);
    expect(index.name).toMatch(/^sum-of-each-month-index-first-value-100-precipitation/);
    expect(index.rows[0]).toMatchObject({
      metric_name: 'Precipitation quantity, sum of each month, index, first value = 100',
      value: 100,
      unit_name: null,
    });
    await page.getByRole('combobox', { name: 'By' }).selectOption('mean');
    await expect.poll(() => page.locator('.figure-subtitle').textContent()).toContain('mean of each month');
    expect(page.url()).toContain('how=mean');
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
    expect(new Set(rows.map(({ end_date }) => String(end_date))).size).toBe(1);
    expect(await textOf(page, 'Code')).toContain('getDataPointsTable');
  });
});
