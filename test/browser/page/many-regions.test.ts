import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { classColours, classOf } from '../../../src/charts/map-colours.js';
import { FACETS, type Facet } from '../../../src/explorer/state/view-state.js';
import { openStore } from '../../../src/store/open.js';
import { tellFigures } from '../../endurance.js';
import { temporaryFolder } from '../../temporary-files.js';
import { proposed } from './open-page.js';
import { siteForTests } from './open-site.js';
import { ownSeries, withRegions } from './own-regions.js';
import { pointAtMap } from './pointer.js';
import { settled, VIEWS } from './views.js';

const NAMES = Array.from({ length: 10_000 }, (_, i) => `Parish ${String(i).padStart(5, '0')}`);

/** Each year's yields lie elsewhere; every tenth region has none of 2020. */
function yieldIn(region: number, year: number): number | undefined {
  if (year === 2020 && region % 10 === 0) return undefined;
  return ((region * 7 + (year - 2019) * 3_331) % NAMES.length) / 10;
}

const folder = temporaryFolder();
const path = join(folder, 'regions.duckdb');

/** Series by the name of one of their facets, counted by SQL; `where` restricts them. */
async function countedBySql(facet: Facet, where = 'true'): Promise<Map<string, number>> {
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

const counts = new Map<Facet, Map<string, number>>();
let itemsOfPrices: Map<string, number>;

beforeAll(async () => {
  const store = await openStore(path);
  await withRegions({ names: NAMES, yieldIn })(store);
  await store.close();
  for (const facet of FACETS) counts.set(facet, await countedBySql(facet));
  itemsOfPrices = await countedBySql('item', "metric_id = (SELECT id FROM metric WHERE name = 'Price')");
});
const site = siteForTests({ path });

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
    const { page } = await site.open();
    await proposed(page);
    expect(await page.getByRole('checkbox').count()).toBeLessThanOrEqual(120);
    const search = page.getByRole('combobox', { name: /^Search/ });
    const option = page.getByRole('option');
    await search.fill('Parish');
    await option.filter({ hasText: 'Parish' }).first().waitFor();
    expect(await page.locator('[role=option]').count()).toBeLessThanOrEqual(60);
    const began = performance.now();
    await search.fill('Parish 07777');
    const hit = option.filter({ hasText: 'Parish 07777' }).first();
    await hit.waitFor();
    tellFigures(`hits among 10,000 regions: at most ${Math.round(performance.now() - began)} ms`);
    await hit.click();
    await expect.poll(() => page.locator('.figure-title').textContent()).toContain('Parish 07777');
  });

  it('are all found by the weights, and chosen whole or not at all', async () => {
    const [metric, item] = ownSeries(0).split(/[-.]/);
    const { page } = await site.open({
      query: `view=weights&w_crop=${item}&w_metric=${metric}`,
    });
    await page.getByRole('checkbox', { name: 'Parish 00000' }).waitFor();
    const find = page.locator('details.known input[type=search]');
    await find.fill('Parish 04');
    await expect
      .poll(() => page.locator('details.known .controls .quiet-text').textContent())
      .toBe('1,000 regions match; up to 600 can be chosen');
    await find.fill('Parish 0499');
    await page.getByRole('button', { name: 'Choose all 10 of these' }).click();
    const subtitle = page.locator('.figure-subtitle');
    await expect.poll(() => subtitle.first().textContent()).toMatch(/^10 regions\b/);
    expect(await page.getByText('Regions (10 chosen of 10,000 regions)').count()).toBe(1);
  });

  it('are counted as SQL counts them, each list without its own filter', async () => {
    const { page } = await site.open();
    await proposed(page);
    await page.getByText('Filters', { exact: true }).click();
    await expect.poll(() => listed(page, 'Metric')).toEqual(counts.get('metric'));
    for (const title of ['Source', 'Frequency'])
      await page.locator('details.facet > summary', { hasText: title }).click();
    for (const facet of ['item', 'source', 'frequency'] as const)
      expect(await listed(page, `${facet[0]!.toUpperCase()}${facet.slice(1)}`)).toEqual(counts.get(facet));
    const regions = [...(await listed(page, 'Region'))];
    expect(regions.length).toBeGreaterThan(5);
    expect(regions).toEqual(regions.map(([name]) => [name, counts.get('region')!.get(name)]));
    expect(counts.get('metric')!.get('Yield')).toBeGreaterThanOrEqual(NAMES.length);
    await page.getByRole('checkbox', { name: /^Price/ }).check();
    // A list of one value offers no choice, so it is left out.
    expect(itemsOfPrices.size).toBe(1);
    await expect.poll(() => listed(page, 'Item')).toEqual(new Map());
    expect(await listed(page, 'Metric')).toEqual(counts.get('metric'));
  });
});

/** What a region of the map has under the pointer: its number, its value, and its colour. */
async function seenAt(page: Page, dx: number) {
  const { text, colour } = await pointAtMap(page, [0.5, 0.5], dx);
  const [, region, value] = /^Parish (\d{5})\s*(–|[\d.]+)/.exec(text) ?? [];
  return { region: Number(region), value: value === '–' ? null : Number(value), colour };
}

/** Milliseconds from a key on the slider of dates until the map is drawn anew, and on the screen. */
async function stepByKey(page: Page, key: string): Promise<number> {
  await page.locator('svg.map').evaluate((map) => {
    const drawnAfter = new Promise<number>((resolve) => {
      let began = 0;
      addEventListener('keydown', () => (began = performance.now()), { once: true, capture: true });
      new MutationObserver((_, observer) => {
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - began));
      }).observe(map, { attributeFilter: ['fill'], subtree: true });
    });
    Object.assign(globalThis, { drawnAfter });
  });
  await page.getByRole('slider', { name: 'Date of the map' }).press(key);
  return page.evaluate(() => (globalThis as unknown as { drawnAfter: Promise<number> }).drawnAfter);
}

/** The round steps between 0 and 999.9. */
const BREAKS = [200, 400, 600, 800];

describe('a map of 10,000 shapes', () => {
  it('steps from date to date, each region in its colour, and says how many have no value', async () => {
    const { page } = await site.open({ query: `view=map&s=${ownSeries(0)}` });
    await settled(page, VIEWS.map);
    const subtitle = () => page.locator('.figure-subtitle').textContent();
    expect(await subtitle()).toBe('2021 · 10,000 regions with a value');
    const steps: number[] = [];
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight'])
      steps.push(await stepByKey(page, key));
    tellFigures(`steps of a map of 10,000 shapes: ${steps.map(Math.round).join(', ')} ms`);
    for (let i = 0; i < 8; i++) await page.getByRole('button', { name: 'Zoom in' }).click();
    for (const year of [2021, 2020]) {
      await expect.poll(subtitle).toContain(`${year}`);
      const seen = new Map<number, Awaited<ReturnType<typeof seenAt>>>();
      for (const dx of [-360, -180, 10, 190, 370]) {
        const one = await seenAt(page, dx);
        seen.set(one.region, one);
      }
      expect(seen.size).toBeGreaterThanOrEqual(2);
      for (const { region, value, colour } of seen.values()) {
        const expected = yieldIn(region, year) ?? null;
        expect(value, NAMES[region]).toBe(expected);
        if (expected !== null)
          expect(colour, NAMES[region]).toBe(classColours(BREAKS, 'light')[classOf(expected, BREAKS)]);
      }
      if (year === 2021) await stepByKey(page, 'ArrowLeft');
    }
    expect(await subtitle()).toBe('2020 · 9,000 regions with a value · 1,000 without');
  });
});
