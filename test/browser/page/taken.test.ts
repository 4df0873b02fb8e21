import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromCsv } from '../../../src/index.js';
import { exactRows } from '../../frame/exact-rows.js';
import { drawn } from './open-page.js';
import { type OpenSite, openSharedSite } from './open-site.js';
import { savedBy } from './saved-file.js';
import { SEATTLE } from './views.js';

let site: OpenSite;

beforeAll(async () => {
  site = await openSharedSite();
});
afterAll(() => site?.close());

async function csvOf(page: Page): Promise<{ name: string; rows: Record<string, unknown>[] }> {
  await page.getByRole('button', { name: 'Download' }).click();
  const csv = page.getByRole('button', { name: 'CSV', exact: true });
  const { name, bytes } = await savedBy(page, () => csv.click());
  await page.keyboard.press('Escape');
  return { name, rows: exactRows(fromCsv(bytes.toString('utf8'))) };
}

async function programOf(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Code' }).click();
  const program = page.getByRole('dialog', { name: 'Code' }).getByLabel('Program');
  await program.waitFor();
  const text = await program.evaluate((it) => (it as HTMLTextAreaElement).value ?? it.textContent);
  await page.keyboard.press('Escape');
  return text ?? '';
}

describe('what is taken from a view', () => {
  it('is the degree days of its seasons, and a program that asks for their temperatures', async () => {
    const { page, problems, close } = await site.open({ acceptDownloads: true });
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
    const program = await programOf(page);
    expect(program).toContain('base 10 °C');
    expect(program.match(/metric_id:/g)).toHaveLength(2);
    expect(problems).toEqual([]);
    await close();
  });

  it('is named by how its values were made: rain is summed, and an index has no unit', async () => {
    const rain = `s=3-5-${SEATTLE}-0-1-20&every=month`;
    const { page, problems, close } = await site.open({ query: rain, acceptDownloads: true });
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
    expect(problems).toEqual([]);
    await close();
  });

  it('is the values of the map on its date', async () => {
    const { page, problems, close } = await site.open({ acceptDownloads: true });
    await drawn(page);
    await page.getByRole('tab', { name: 'Map' }).click();
    await page.locator('svg.map').waitFor({ timeout: 30_000 });
    await page.getByText('no value', { exact: true }).waitFor();
    const subtitle = (await page.locator('.figure-subtitle').textContent()) ?? '';
    const { name, rows } = await csvOf(page);
    expect(name).toMatch(/^map-/);
    expect(subtitle).toContain(`${rows.length} region`);
    expect(new Set(rows.map(({ end_date }) => String(end_date))).size).toBe(1);
    expect(await programOf(page)).toContain('getDataPointsTable');
    expect(problems).toEqual([]);
    await close();
  });
});
