import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { usdaReleaseMs } from '../../../src/ingest/usda/calendar.js';
import type { Store } from '../../../src/store/store.js';
import { someOf } from '../../endurance.js';
import { openRegionStore } from '../../store-templates.js';
import { temporaryFiles } from '../../temporary-files.js';
import { type Collected, collect, pointsOf } from '../collect.js';
import { sample } from '../samples.js';
import { clientOf } from '../serving.js';
import { newStore, storedPoints } from '../stores.js';

const wasde = documentImporter('wasde');
const REPORT = 'test/fixtures/wasde/wasde1212.xml';
const { folder, file } = temporaryFiles();

const cell = (all: Collected, metric: string, item: string, region: string, start: string) =>
  pointsOf(all, { metric, item, region }).find((point) => point.start === start);

const REPORT_DATA = 'test/fixtures/wasde/report-data-2012-12.csv';

describe('the report data in CSV', () => {
  it('has the series and dates of the reports in XML', async () => {
    const [printed, all] = [
      await collect(wasde, { files: [REPORT] }),
      await collect(wasde, { files: [REPORT_DATA] }),
    ];
    for (const metric of ['Ending stocks', 'Area harvested', 'Yield'])
      expect(cell(all, metric, 'Corn', 'United States', '2012-09-01')).toEqual(
        cell(printed, metric, 'Corn', 'United States', '2012-09-01'),
      );
    const price = [all, printed].map((one) =>
      cell(one, 'Price', 'Soybean meal', 'United States', '2011-10-01'),
    );
    expect(price[0]).toEqual({ ...price[1], metadata: { status: 'Est.' } });
  });

  it('accounts for the rows that it does not read', async () => {
    const { notRead, rejected } = await collect(wasde, { files: [REPORT_DATA] });
    expect([...notRead].sort()).toEqual([
      ['Rice, Long of U.S. Rice Supply and Use', 1],
      ['U.S. Quarterly Prices for Animal Products', 1],
      ['ends of ranges of prices', 2],
      ['reliability of projections', 1],
      ['the United States in tables of the world', 1],
    ]);
    expect(rejected).toEqual([]);
  });
});

describe('a report', () => {
  it('counts figures outside of its blocks', async () => {
    const block = '<matrix1><Cell attribute1="Loss" market_year1="2018/19" cell_value1="1"/></matrix1>';
    const cells = '<Cell cell_value1="1"/><Cell cell_value2="2"/>';
    const table = (title: string) =>
      `<Report Report_Month="July 2020" sub_report_title="${title}">${cells}${block}${cells}</Report>`;
    const report = `<Report>${table('U.S. Wheat Supply and Use')}${table('World Corn Supply and Use')}</Report>`;
    const { notRead, rejected } = await collect(wasde, { files: [file('outside.xml', report)] });
    expect([...notRead]).toEqual([
      ['figures outside the blocks of U.S. Wheat Supply and Use', 4],
      ['figures outside the blocks of World Corn Supply and Use', 4],
    ]);
    expect(rejected).toHaveLength(2);
  });

  it('is refused when it is not XML, or not a report', async () => {
    const cut = readFileSync(REPORT, 'utf8').slice(0, 2500);
    await expect(collect(wasde, { files: [file('cut.xml', cut)] })).rejects.toMatchObject({
      code: 'ingest',
      file: 'cut.xml',
      row: expect.any(Number),
      message: expect.stringContaining('not well-formed XML'),
    });
    await expect(collect(wasde, { files: [file('none.xml', '<wasde/>')] })).rejects.toThrow(
      'none.xml, line 1: it has no tables',
    );
  });
});

describe('a text that is made to fill memory', () => {
  const bomb = join(folder, 'bomb.xml');
  const isRefused = (parts: Iterable<string>, message: string): Promise<void> => {
    writeFileSync(bomb, '<?xml version="1.0"?><!-- wasde -->');
    for (const part of parts) writeFileSync(bomb, part, { flag: 'a' });
    const reading = collect(wasde, { files: [bomb] });
    return expect(reading).rejects.toMatchObject({
      code: 'ingest',
      message: expect.stringContaining(message),
    });
  };
  function* repeated(start: string, part: string, times: number): Generator<string> {
    yield start;
    for (let i = 0; i < times; i++) yield part.repeat(1000);
  }

  it('is refused with a document type', () =>
    isRefused(
      ['<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>'],
      'it declares a document type, which is not allowed',
    ));

  it.each(
    someOf(
      [
        ['text', '<r>', 'endless text '],
        ['a document type', '<!DOCTYPE r [', '<!ENTITY a "bcdefghijklmnopq">'],
        ['a comment', '<r><!--', 'endless text '],
        ['a value', '<r a="', 'endless text '],
        ['a block', '<r><matrix1>', '<Cell cell_value1="1"/>'],
      ] as const,
      1,
    ),
  )('is refused with %s that does not end', async (_, start, part) => {
    await isRefused(repeated(start, part, 2000), 'larger than 20 MB');
  });
});

/** United States corn, ending stocks of 2012/13 in million bushels: WASDE of these months (USDA). */
const ENDING_STOCKS: readonly (readonly [month: string, value: number])[] = [
  ['May 2012', 1881],
  ['June 2012', 1881],
  ['July 2012', 1183],
  ['November 2012', 647],
  ['November 2013', 824],
  ['January 2014', 821],
];

function writeReport(month: string, value: number, before: number | undefined): string {
  const column = (label: string, number: number): string =>
    `<y market_year2="2012/13 Proj."><m forecast_month2="${label}"><Cell cell_value2="${number.toLocaleString('en-US')}"/></m></y>`;
  const previous = new Date(`1 ${month} UTC`);
  previous.setUTCMonth(previous.getUTCMonth() - 1);
  const monthBefore = previous.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
  const columns =
    (before === undefined ? '' : column(monthBefore, before)) + column(month.split(' ')[0]!, value);
  return file(
    `${month.replace(' ', '-')}.xml`,
    `<Report Name="wasde"><Report Report_Month="${month}" sub_report_title="U.S. Feed Grain and Corn Supply and Use  1/">` +
      `<matrix2><f><Cell m1_unit_descr3="Million Bushels"/></f><attribute2 attribute2="Ending Stocks">${columns}</attribute2></matrix2></Report></Report>`,
  );
}

describe('the release of a report', () => {
  const released = async (month: string) => {
    const { points } = await collect(wasde, {
      files: [writeReport(month, 1000, undefined)],
      importedMs: Date.UTC(2027, 5, 1),
    });
    return [points[0]!.reported, points[0]!.available];
  };

  it.each([
    ['June 2026', '2026-06-11'],
    ['November 2025', '2025-11-14'],
    ['June 2009', '2009-06-12'],
    ['June 2010', '2010-06-10'],
    ['January 2027', '2027-01-12'],
  ])('of %s is %s for chart, table and queries as of a time', async (month, day) => {
    expect(await released(month)).toEqual([day, day]);
  });

  it('is later than twelve days into the month only after a lapse of funding, and never on a weekend', () => {
    for (let month = 0; month < 12 * 13; month++) {
      const release = new Date(usdaReleaseMs(2014 + Math.floor(month / 12), (month % 12) + 1));
      if (release.toISOString().startsWith('2025-11')) continue;
      expect(release.getUTCDate()).toBeLessThanOrEqual(12);
      if (!/^(2019-01|2025-10)/.test(release.toISOString()))
        expect([0, 6]).not.toContain(release.getUTCDay());
    }
  });
});

describe('a chain of reports', () => {
  const files = ENDING_STOCKS.map(([month, value], i) =>
    writeReport(month, value, ENDING_STOCKS[i - 1]?.[1]),
  );

  let forwards: Store;
  beforeAll(async () => {
    forwards = await openRegionStore();
    expect(await importDataset(forwards, wasde, { files })).toMatchObject({ added: 6, series: 1 });
  });
  afterAll(() => forwards?.close());

  it('makes the same store in any order and number of imports', async () => {
    const backwards = await newStore();
    const [newest, ...older] = [...files].reverse();
    for (const part of [[newest!], older]) await importDataset(backwards, wasde, { files: part });
    const points = await storedPoints(forwards);
    expect(points).toHaveLength(6);
    expect(await storedPoints(backwards)).toEqual(points);
    expect(await importDataset(forwards, wasde, { files })).toMatchObject({ added: 0, unchanged: 6 });
  });

  it("gives the public client the figures of each month's report", async () => {
    const client = clientOf(forwards);
    const [series] = await client.getDataSeries();
    /** The value as of the end of a day. */
    const asOf = async (day: string) => {
      const points = await client.getDataPoints({ ...series!, at_time: `${day}T23:59:59Z` });
      expect(points.length).toBeLessThan(2);
      return points[0]?.value;
    };
    expect(await asOf('2012-05-01')).toBeUndefined();
    for (const [month, value] of ENDING_STOCKS) {
      const day = new Date(`20 ${month} UTC`).toISOString().slice(0, 10);
      expect([month, await asOf(day)]).toEqual([month, value]);
    }
    expect(await asOf('2020-01-01')).toBe(821);
  });
});

describe('samples', () => {
  const xml = sample('wasde/wasde0626_trimmed.xml');
  const golden = sample('wasde/wasde0626_us_corn_soy_golden.csv');

  it.skipIf(!existsSync(golden))(
    `agree with independently read figures (skipped without ${golden})`,
    async () => {
      const all = await collect(wasde, { files: [xml], importedMs: Date.UTC(2026, 10, 20) });
      expect(all.rejected).toEqual([]);
      const lines = readFileSync(golden, 'utf8').trim().split('\n').slice(1);
      let compared = 0;
      for (const line of lines.map((text) => text.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))) {
        const [, , , , commodity, attribute, year, , month, value] = line;
        if (month === 'May') continue;
        const item = GOLDEN_ITEMS[commodity!]!;
        const metric =
          attribute === 'farm_price' && /meal|oil/.test(commodity!) ? 'Price' : GOLDEN_METRICS[attribute!]!;
        const start = `${year!.slice(0, 4)}-${/meal|oil/.test(commodity!) ? '10' : '09'}-01`;
        const point = cell(all, metric, item, 'United States', start);
        expect([commodity, attribute, year, point?.value]).toEqual([
          commodity,
          attribute,
          year,
          Number(value),
        ]);
        compared++;
      }
      expect(compared).toBe(186);
    },
  );
});

const GOLDEN_ITEMS: Readonly<Record<string, string>> = {
  feed_grains: 'Feed grains',
  corn: 'Corn',
  soybeans: 'Soybeans',
  soybean_oil: 'Soybean oil',
  soybean_meal: 'Soybean meal',
};

const GOLDEN_METRICS: Readonly<Record<string, string>> = {
  area_planted: 'Area planted',
  area_harvested: 'Area harvested',
  yield_per_harvested_acre: 'Yield',
  beginning_stocks: 'Beginning stocks',
  production: 'Production quantity',
  imports: 'Imports quantity',
  supply_total: 'Total supply',
  feed_and_residual: 'Feed and residual use',
  food_seed_industrial: 'Food, seed and industrial use',
  ethanol_for_fuel: 'Ethanol use',
  domestic_total: 'Domestic use',
  exports: 'Exports quantity',
  use_total: 'Total use',
  ending_stocks: 'Ending stocks',
  farm_price: 'Average farm price',
  crush: 'Crush',
  seed: 'Seed use',
  residual: 'Residual use',
  biofuel: 'Biofuel',
  food_feed_other_industrial: 'Food, Feed & other Industrial',
};
