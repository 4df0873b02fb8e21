import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import { drawn } from './open-page.js';
import { type OpenSite, openSite } from './open-site.js';
import { withRegions } from './own-regions.js';

const NAMES = Array.from({ length: 10_000 }, (_, i) => `Parish ${String(i).padStart(5, '0')}`);

let site: OpenSite;
const folder = mkdtempSync(join(tmpdir(), 'cropframe-page-'));
const path = join(folder, 'regions.duckdb');

/** Series by the name of their metric or item, counted by SQL; `where` restricts them. */
async function countedBySql(facet: 'metric' | 'item', where = 'true'): Promise<Map<string, number>> {
  const engine = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await engine.connect();
  const answer = await connection.runAndReadAll(
    `SELECT ${facet}.name, count(*)::INTEGER FROM series JOIN ${facet} ON ${facet}.id = ${facet}_id
     WHERE ${where} GROUP BY ALL`,
  );
  connection.closeSync();
  engine.closeSync();
  return new Map(answer.getRowsJson() as [string, number][]);
}

let counts: Record<'metrics' | 'items' | 'itemsOfPrices', Map<string, number>>;

beforeAll(async () => {
  const store = await openStore(path);
  await withRegions(NAMES)(store);
  await store.close();
  counts = {
    metrics: await countedBySql('metric'),
    items: await countedBySql('item'),
    itemsOfPrices: await countedBySql('item', "metric_id = (SELECT id FROM metric WHERE name = 'Price')"),
  };
  site = await openSite({ path });
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The names and counts of a list of the page. */
async function listed(page: Page, label: string): Promise<Map<string, number>> {
  const rows = page.getByRole('list', { name: label, exact: true }).locator('label');
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => ['.facet-name', '.count'].map((part) => row.querySelector(part)?.textContent ?? '')),
  );
  return new Map(texts.map(([name, count]) => [name!, Number(count!.replace(/,/g, ''))]));
}

describe('10,000 regions', () => {
  it('are listed with few elements, and each is found', async () => {
    const { page, problems, close } = await site.open();
    await drawn(page);
    expect(await page.getByRole('checkbox').count()).toBeLessThanOrEqual(120);
    await page.getByRole('combobox').first().fill('Parish 07777');
    await page
      .getByRole('option', { name: /^Parish 07777/ })
      .first()
      .click();
    await expect
      .poll(() => page.locator('.figure-title').textContent(), { timeout: 30_000 })
      .toContain('Parish 07777');
    expect(await page.getByRole('option').count()).toBeLessThanOrEqual(60);
    expect(problems).toEqual([]);
    await close();
  });

  it('are counted as SQL counts them, each list without its own filter', async () => {
    const { page, problems, close } = await site.open();
    await drawn(page);
    await expect.poll(() => listed(page, 'Metric')).toEqual(counts.metrics);
    expect(await listed(page, 'Item')).toEqual(counts.items);
    expect(counts.metrics.get('Yield')).toBeGreaterThanOrEqual(NAMES.length);
    await page.getByRole('checkbox', { name: /^Price/ }).check();
    await expect.poll(() => listed(page, 'Item')).toEqual(counts.itemsOfPrices);
    expect(await listed(page, 'Metric')).toEqual(counts.metrics);
    expect(problems).toEqual([]);
    await close();
  });
});
