import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { countryRegionId } from '../../../src/ingest/regions/ids.js';
import { itemId } from '../../../src/ingest/vocabulary/items.js';
import { metricId } from '../../../src/ingest/vocabulary/metrics.js';
import { SOURCES } from '../../../src/ingest/vocabulary/sources.js';
import { unitId } from '../../../src/ingest/vocabulary/units.js';
import { yearsPeriod } from '../../../src/model/calendar.js';
import { frequencyId } from '../../../src/model/frequency.js';
import { someOf } from '../../endurance.js';
import { madeUpPoints } from '../../ingest/made-up-points.js';
import { drawn } from '../page/open-page.js';
import { siteForTests } from '../page/open-site.js';
import { SEATTLE, temperature, VIEWS } from '../page/views.js';

const site = siteForTests();

describe('a first visit', () => {
  it('draws at once a figure as it moved from report to report, as the store has one, and asks each question once', async () => {
    const { page, requests } = await site.open();
    expect(await drawn(page)).toContain('by date of report');
    expect(await page.locator('.figure-title').textContent()).toMatch(/corn yield 2024: .* in 3 reports/);
    expect(
      await page.getByRole('region', { name: 'Chosen series' }).getByRole('listitem').count(),
    ).toBeGreaterThan(0);
    expect(await page.title()).toContain('cropframe');
    const facets = requests.filter((address) => address.includes('/v2/facets'));
    expect(facets.length).toBeGreaterThan(0);
    expect(new Set(facets).size).toBe(facets.length);
  });
});

describe('a first visit to figures of the world and of countries, in several units', () => {
  const [source] = [SOURCES.wasde];
  const CODES = [32, 76, 124, 156, 356, 392, 410, 484, 643, 710, 804, 818];
  const importer = madeUpPoints([source], (points, availableMs) => {
    const add = (region_id: number, value: number, unit: string) => {
      const key = { metric_id: metricId('Production quantity'), item_id: itemId('Corn'), region_id };
      const others = { partner_region_id: 0, source_id: source.id, frequency_id: frequencyId('annual') };
      const point = { ...yearsPeriod(2020), value, unitId: unitId(unit), reportingMs: null, availableMs };
      points.add({ ...key, ...others }, point);
    };
    add(0, 1000, 'Mt');
    for (const code of CODES) add(countryRegionId(code), code / 10, 'Mt');
    add(countryRegionId(840), 1000, 'million bu (corn)');
  });

  const own = siteForTests({ fill: (store) => importDataset(store, importer) });

  it('opens a map of the countries, in one unit', async () => {
    const { page } = await own.open();
    await page.locator('svg.map').waitFor();
    expect(await page.getByLabel('Level').locator('option:checked').textContent()).toBe('countries (13)');
    const title = await page.locator('.figure-title').textContent();
    expect(title).toBe(
      'Corn production quantity 2020: highest in Egypt with 81.8 Mt, lowest in Argentina with 3.2',
    );
    await page.getByText('The values as a table').click();
    expect(await page.getByRole('row', { name: 'United States' }).textContent()).toContain('25.4');
  });
});

describe('a first visit to the demo data', () => {
  const [source] = [SOURCES.wasde];
  const stocks = madeUpPoints([source], (points) => {
    const key = { metric_id: metricId('Ending stocks'), item_id: itemId('Corn'), region_id: 0 };
    const others = { partner_region_id: 0, source_id: source.id, frequency_id: frequencyId('annual') };
    for (let month = 0; month < 19; month++) {
      const availableMs = Date.UTC(2012, month, 10);
      const said = { reportingMs: availableMs, availableMs, unitId: unitId('Mt') };
      points.add({ ...key, ...others }, { ...yearsPeriod(2012), value: 100 + month, ...said });
    }
  });

  describe.each([
    ['alone', 'opens the latest year of its weather against the years before', false, /2012 to 2014/],
    ['with one figure of nineteen reports', 'opens that one', true, /in 19 reports/],
  ])('%s', (_, opens, hasStocks, seen) => {
    const own = siteForTests({
      fill: async (store) => {
        await importDataset(store, documentImporter('demo'));
        if (hasStocks) await importDataset(store, stocks);
      },
    });

    it(opens, async () => {
      const { page } = await own.open();
      await drawn(page);
      const title = await page.locator('.figure-title').textContent();
      const said = await page.getByRole('application').getAttribute('aria-label');
      expect(`${title} ${said}`).toMatch(seen);
    });
  });
});

describe('a date as known on', () => {
  it('says that nothing was known before the first vintage, and draws what was known after it', async () => {
    const { page } = await site.open({ query: VIEWS.seasons.query });
    await drawn(page);
    const asof = page.getByLabel('As known at the end of').first();
    await asof.fill('2010-01-01');
    await asof.blur();
    await page.getByText('No values were known yet at the end of 2010-01-01').waitFor();
    await asof.fill('2021-01-01');
    await asof.blur();
    await drawn(page);
    await expect.poll(() => page.locator('.figure-source').textContent()).toContain('As known at the end of');
    expect(page.url()).toContain('asof=2021-01-01');
  });
});

describe('a form that the chosen series do not have', () => {
  it('is refused in words of the page, and the next choice draws them again', async () => {
    const { page } = await site.open({
      query: `s=${temperature(SEATTLE)},${temperature(SEATTLE, 'min')}&y=usual`,
    });
    await expect
      .poll(() => page.locator('.figure .notice').textContent())
      .toBe(
        'The latest year can be drawn against earlier years for only one series, but there are 2. Choose another option under “Show”, choose other series, or open the Table tab.',
      );
    expect(await page.locator('.figure-title').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('normal');
    await page.locator('.figure .notice').waitFor({ state: 'detached' });
    await drawn(page);
    expect(await page.locator('.figure-title').textContent()).toContain('Temperature');
  });
});

describe('the table of revisions', () => {
  it.each(someOf([390, 1280], 1))('shows the newest figure in a window of %i pixels', async (width) => {
    const { query } = VIEWS.revisions;
    const { page } = await site.open({ query, viewport: { width, height: 900 } });
    const newest = page.locator('.triangle tbody tr').first().locator('td').last();
    const { x, width: wide } = (await newest.boundingBox())!;
    expect(x).toBeGreaterThan(0);
    expect(x + wide).toBeLessThanOrEqual(width);
    const period = (await page.locator('.triangle tbody th').first().boundingBox())!;
    expect(period.x).toBeGreaterThanOrEqual(0);
  });
});

describe('a search of several names', () => {
  it('offers all of them together, and draws what has them', async () => {
    const { page } = await site.open();
    await drawn(page);
    await page.getByRole('combobox', { name: /Search metrics/ }).fill('temperature max seattle');
    const first = page.getByRole('option').first();
    await expect.poll(() => first.textContent()).toContain('all of these');
    expect(await first.textContent()).toContain('Temperature max');
    await first.click();
    await expect
      .poll(() => page.getByRole('region', { name: 'Chosen series' }).getByRole('listitem').allTextContents())
      .toEqual([expect.stringContaining('Temperature max')]);
  });
});
