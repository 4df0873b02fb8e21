import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { countryRegionId } from '../../../src/ingest/regions/ids.js';
import { itemId, metricId, SOURCES } from '../../../src/ingest/vocabulary/entities.js';
import { unitId } from '../../../src/ingest/vocabulary/units.js';
import { yearsPeriod } from '../../../src/model/calendar.js';
import { frequencyId } from '../../../src/model/frequency.js';
import type { SeriesKey } from '../../../src/model/series.js';
import { madeUpPoints } from '../../ingest/made-up-points.js';
import { drawn } from './open-page.js';
import { siteForTests } from './open-site.js';

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
    expect(await page.getByLabel('Level').locator('option:checked').textContent()).toBe(
      'country: 13 regions',
    );
    const title = await page.locator('.figure-title').textContent();
    expect(title).toBe(
      'Corn production quantity 2020: highest in Egypt with 81.80 Mt, lowest in Argentina with 3.20',
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
    // Thirty years before it have one report each, so that most figures of the series were never revised.
    for (let year = 1982; year < 2012; year++) {
      const availableMs = Date.UTC(2011, 0, 10);
      points.add(
        { ...key, ...others },
        { ...yearsPeriod(year), value: year, reportingMs: availableMs, availableMs, unitId: unitId('Mt') },
      );
    }
    for (let month = 0; month < 19; month++) {
      const availableMs = Date.UTC(2012, month, 10);
      const said = { reportingMs: availableMs, availableMs, unitId: unitId('Mt') };
      points.add({ ...key, ...others }, { ...yearsPeriod(2012), value: 100 + month, ...said });
    }
  });

  describe.each([
    ['alone', 'opens the latest year of its weather against the years before', false, /2012 to 2014/],
    ['with one figure of nineteen reports', 'opens that one', true, /in 19\sreports/],
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

describe('a first visit to a store of hundreds of series', () => {
  const [large, small] = [SOURCES.nassSurvey, SOURCES.wasde];
  const COUNTRIES = [32, 76, 124, 156, 356, 392, 410, 484, 643, 710, 804, 818, 840].map(countryRegionId);
  const importer = madeUpPoints([large, small], (points, availableMs) => {
    const add = (key: object, value: number, reportedMs: number) => {
      const others = { item_id: itemId('Corn'), partner_region_id: 0, frequency_id: frequencyId('annual') };
      const said = { reportingMs: reportedMs, availableMs: reportedMs, unitId: unitId('Mt') };
      points.add({ ...others, ...key } as SeriesKey, { ...yearsPeriod(2012), value, ...said });
    };
    for (const metric of ['Production quantity', 'Area harvested', 'Total use', 'Yield'])
      for (const region_id of COUNTRIES)
        for (const partner_region_id of COUNTRIES) {
          const key = { metric_id: metricId(metric), region_id, partner_region_id, source_id: large.id };
          add(key, 1, availableMs);
        }
    const stocks = { metric_id: metricId('Ending stocks'), region_id: 0, source_id: small.id };
    for (let month = 0; month < 5; month++) add(stocks, 100 + month, Date.UTC(2012, month, 10));
  });

  const own = siteForTests({ fill: (store) => importDataset(store, importer) });

  it('opens the revised figure of a small source', async () => {
    const { page } = await own.open();
    await page.locator('.figure-title').waitFor();
    expect(await page.locator('.figure-title').textContent()).toMatch(/in 5\sreports/);
  });
});
