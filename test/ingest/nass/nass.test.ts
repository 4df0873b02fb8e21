import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { idOf } from '../../entity-id.js';
import { temporaryFiles } from '../../temporary-files.js';
import { type Collected, collect, named, type PlainPoint, pointsOf } from '../collect.js';
import { clientOf } from '../serving.js';
import { allStoredSeries, newStore } from '../stores.js';

const nass = documentImporter('nass');

const BULK = 'test/fixtures/nass/quick-stats.tsv';
const EXPORT = 'test/fixtures/nass/web-export.csv';
const SURVEY = 1;
const CENSUS = 2;
const { file } = temporaryFiles();

const series = (all: Collected, metric: string, item: string, region: string, source = SURVEY) =>
  pointsOf(all, { metric, item, region }).filter(({ source_id }) => source_id === source);

describe('data items', () => {
  const header = readFileSync(BULK, 'utf8').split('\n')[0]!;
  const columns = header.split('\t');
  const national = readFileSync(BULK, 'utf8')
    .split('\n')
    .find((row) => row.split('\t')[columns.indexOf('AGG_LEVEL_DESC')] === 'NATIONAL')!;
  const row = (fields: Readonly<Record<string, string>>): string =>
    national
      .split('\t')
      .map((text, at) => fields[columns[at]!] ?? text)
      .join('\t');
  const table = (name: string, rows: readonly string[]): string => file(name, [header, ...rows].join('\n'));

  it('with a code that is too long for a state or a county reject their row alone', async () => {
    const state = { AGG_LEVEL_DESC: 'STATE', STATE_FIPS_CODE: '123' };
    const county = { AGG_LEVEL_DESC: 'COUNTY', STATE_FIPS_CODE: '19', COUNTY_CODE: '1690' };
    const { rejected } = await collect(nass, { files: [table('codes.txt', [row(state), row(county)])] });
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'the state FIPS code 123 is unknown',
      'the county code 1690 is unknown',
    ]);
  });

  it('of other states are one place, also in exports without their code', async () => {
    const names = { STATE_NAME: 'OTHER STATES', LOCATION_DESC: 'OTHER STATES', AGG_LEVEL_DESC: 'STATE' };
    const bulk = await collect(nass, {
      files: [table('other.txt', [row({ ...names, STATE_FIPS_CODE: '98' })])],
    });
    const [head, iowa] = readFileSync(EXPORT, 'utf8').split('\n');
    const other = iowa!.replace('COUNTY', 'STATE').replace('"IOWA","19"', '"OTHER STATES",""');
    const exported = await collect(nass, { files: [file('other.csv', [head, other].join('\n'))] });
    const places = [bulk, exported].map(({ points, entities }) => entities.regions.get(points[0]!.region_id));
    expect(places[0]).toMatchObject({ name: 'Other States' });
    expect(places[1]).toEqual(places[0]);
  });

  it('of other countries and of territories have the regions of these', async () => {
    const place = (level: string, location: string, fips: string): string =>
      row({
        AGG_LEVEL_DESC: level,
        STATE_FIPS_CODE: fips,
        STATE_NAME: location,
        COUNTRY_NAME: location,
        LOCATION_DESC: location,
      });
    const outlying = 'PUERTO RICO & OUTLYING AREAS';
    const rows = [
      place('INTERNATIONAL', 'CANADA', ''),
      place('INTERNATIONAL', 'PUERTO RICO', ''),
      place('INTERNATIONAL', 'UNITED STATES & CANADA', ''),
      place(outlying, 'GUAM', '66'),
      place(outlying, 'VIRGIN ISLANDS OF THE U.S.', '78'),
      place(outlying, 'OUTLYING AREAS', ''),
    ];
    const { points, entities, rejected } = await collect(nass, { files: [table('outer.txt', rows)] });
    expect(rejected).toEqual([]);
    const regions = points.map(({ region_id }) => entities.regions.get(region_id)!);
    expect(regions.map(({ name, level, belongsTo }) => [name, level, belongsTo])).toEqual([
      ['Canada', 3, [1_003]],
      ['Puerto Rico', 3, [1_003]],
      ['United States & Canada', 8, [0]],
      ['Guam', 3, [1_009]],
      ['U.S. Virgin Islands', 3, [1_003]],
      ['Outlying Areas', 8, [840]],
    ]);
  });

  it('that repeat a figure in a second unit are series of their own', async () => {
    const apples = (unit: string, value: string): string =>
      row({ SHORT_DESC: `APPLES - PRODUCTION, MEASURED IN ${unit}`, UNIT_DESC: unit, VALUE: value });
    const all = await collect(nass, {
      files: [table('apples.txt', [apples('LB', '10,210,500,000'), apples('TONS', '5,105,250')])],
    });
    expect(series(all, 'Production quantity', 'Apples', 'United States')).toMatchObject([
      { value: 10_210_500_000 },
    ]);
    expect(series(all, 'Production, measured in tons', 'Apples', 'United States')).toMatchObject([
      { value: 5_105_250 },
    ]);
  });

  it('that are forecast before or after the year of the harvest have the date of the forecast', async () => {
    const forecast = (commodity: string, period: string, loaded: string, value: string): string =>
      row({
        COMMODITY_DESC: commodity,
        SHORT_DESC: `${commodity} - PRODUCTION, MEASURED IN TONS`,
        UNIT_DESC: 'TONS',
        YEAR: '2020',
        REFERENCE_PERIOD_DESC: `YEAR - ${period}`,
        LOAD_TIME: `${loaded} 12:00:00.000`,
        VALUE: value,
      });
    const rows = [
      forecast('ORANGES', 'OCT FORECAST', '2019-10-10', '74'),
      forecast('ORANGES', 'JAN FORECAST', '2020-01-10', '73'),
      forecast('ORANGES', 'JUL FORECAST', '2020-07-10', '67'),
      forecast('COTTON', 'DEC FORECAST', '2020-12-10', '16'),
      forecast('COTTON', 'JAN FORECAST', '2021-01-12', '15'),
      forecast('WHEAT', 'DEC ACREAGE', '2020-01-10', '31'),
      forecast('WHEAT', 'JUN ACREAGE', '2020-06-30', '30'),
      forecast('PECANS', 'OCT FORECAST', '2020-10-09', '5'),
    ];
    const path = table('forecasts.txt', rows);
    const { points } = await collect(nass, { files: [path] });
    expect(points.map(({ value, start, reported }) => [value, start, reported])).toEqual([
      [74, '2020-01-01', '2019-10-01'],
      [73, '2020-01-01', '2020-01-01'],
      [67, '2020-01-01', '2020-07-01'],
      [16, '2020-01-01', '2020-12-01'],
      [15, '2020-01-01', '2021-01-01'],
      [31, '2020-01-01', '2019-12-31'],
      [30, '2020-01-01', '2020-06-30'],
      [5, '2020-01-01', '2020-10-01'],
    ]);
    const store = await newStore();
    await importDataset(store, nass, { files: [path] });
    const client = clientOf(store);
    const oranges = {
      metric_id: await idOf(client, 'metrics', 'Production quantity, forecast'),
      item_id: await idOf(client, 'items', 'Oranges'),
      region_id: 840,
      source_id: SURVEY,
      frequency_id: 9,
    };
    const valueAt = async (at_time?: string): Promise<unknown[]> =>
      (await client.getDataPoints({ ...oranges, ...(at_time && { at_time }) })).map(({ value }) => value);
    expect(await valueAt()).toEqual([67]);
    expect(await valueAt('2019-12-31')).toEqual([74]);
    expect(await valueAt('2020-02-01')).toEqual([73]);
  });

  it('have the marketing year of their crop, and a note where that is not known', async () => {
    const price = (item: string): string =>
      row({
        COMMODITY_DESC: item.split(',')[0]!,
        SHORT_DESC: `${item} - PRICE RECEIVED, MEASURED IN $ / CWT`,
        UNIT_DESC: '$ / CWT',
        YEAR: '2018',
        REFERENCE_PERIOD_DESC: 'MARKETING YEAR',
        VALUE: '25',
      });
    const years = {
      'BEANS, DRY EDIBLE': '2018-09-01',
      'BEANS, DRY EDIBLE, INCL CHICKPEAS': '2018-09-01',
      'BEANS, SNAP': '2018-01-01',
      'BEANS, GREEN, LIMA': '2018-01-01',
      'PEAS, DRY EDIBLE': '2018-07-01',
      'PEAS, GREEN': '2018-01-01',
      LENTILS: '2018-07-01',
      FLAXSEED: '2018-07-01',
      'MUSTARD, SEED': '2018-09-01',
      'WHEAT, SPRING, DURUM': '2018-06-01',
      'SORGHUM, GRAIN': '2018-09-01',
      'SUNFLOWER, OIL TYPE': '2018-09-01',
      'HAY, ALFALFA': '2018-05-01',
      'COTTON, UPLAND': '2018-08-01',
      'SWEET POTATOES': '2018-01-01',
    };
    const path = table('marketing-years.txt', Object.keys(years).map(price));
    const { points, notes } = await collect(nass, { files: [path, path] });
    const starts = Object.values(years);
    expect(points.map(({ start }) => start)).toEqual([...starts, ...starts]);
    expect(points[0]).toMatchObject({ end: '2019-08-31', frequency_id: 9 });
    expect(notes).toEqual(
      ['BEANS', 'PEAS', 'SWEET POTATOES'].map(
        (commodity) =>
          `marketing years of ${commodity} are taken for calendar years where the month in which they begin is not known`,
      ),
    );
  });

  it('have other series for days than for months, whatever their order', async () => {
    const layers = (metric: string, period: string, value: string): string =>
      row({
        SHORT_DESC: `CHICKENS, LAYERS - ${metric}`,
        UNIT_DESC: metric === 'INVENTORY' ? 'HEAD' : 'EGGS / 100 LAYER',
        YEAR: '2023',
        REFERENCE_PERIOD_DESC: period,
        VALUE: value,
      });
    const rate = 'RATE OF LAY, MEASURED IN EGGS / 100 LAYER';
    const rows = [
      layers('INVENTORY', 'FIRST OF JUN', '390'),
      layers('INVENTORY', 'JUN', '395'),
      layers('INVENTORY', 'END OF JUN', '400'),
      layers('INVENTORY', 'FIRST OF JUL', '401'),
      layers('INVENTORY', 'YEAR', '398'),
      layers(rate, 'JUN', '2300'),
      layers(rate, 'FIRST OF JUN', '76'),
    ];
    for (const order of [rows, rows.toReversed()]) {
      const all = await collect(nass, { files: [table('layers.txt', order)] });
      expect(all.rejected).toEqual([]);
      const of = (metric: string) =>
        series(all, metric, 'Chickens, layers', 'United States')
          .map(({ start, end, value }) => [start, end, value])
          .sort();
      expect(of('Livestock count')).toEqual([
        ['2023-01-01', '2023-12-31', 398],
        ['2023-06-01', '2023-06-01', 390],
        ['2023-06-30', '2023-06-30', 400],
        ['2023-07-01', '2023-07-01', 401],
      ]);
      expect(of('Livestock count, whole month')).toEqual([['2023-06-01', '2023-06-30', 395]]);
      expect(of('Rate of lay, measured in eggs / 100 layer')).toEqual([['2023-06-01', '2023-06-30', 2300]]);
      expect(of('Rate of lay, measured in eggs / 100 layer, at a point in time')).toEqual([
        ['2023-06-01', '2023-06-01', 76],
      ]);
    }
  });

  it('of the forecast and of the report of acreage of a month are two vintages', async () => {
    const winter = (period: string, value: string): string =>
      row({
        SHORT_DESC: 'WHEAT, WINTER - ACRES HARVESTED',
        UNIT_DESC: 'ACRES',
        YEAR: '2020',
        REFERENCE_PERIOD_DESC: `YEAR - ${period}`,
        VALUE: value,
      });
    const rows = [winter('JUN FORECAST', '21'), winter('JUN ACREAGE', '22'), winter('JUL FORECAST', '23')];
    const { points, rejected } = await collect(nass, { files: [table('winter.txt', rows)] });
    expect(rejected).toEqual([]);
    expect(points.map(({ value, reported }) => [value, reported]).sort()).toEqual([
      [21, '2020-06-01'],
      [22, '2020-06-30'],
      [23, '2020-07-01'],
    ]);
  });

  it('are forecast in one metric, whatever their unit', async () => {
    const of = (item: string, unit: string): string =>
      row({
        SHORT_DESC: `${item} - PRODUCTION, MEASURED IN ${unit}`,
        UNIT_DESC: unit,
        REFERENCE_PERIOD_DESC: 'YEAR - AUG FORECAST',
        VALUE: '1',
      });
    const rows = [
      of('CORN, GRAIN', 'BU'),
      of('COTTON', '480 LB BALES'),
      of('RICE', 'CWT'),
      of('PEANUTS', 'LB'),
    ];
    const all = await collect(nass, { files: [table('forecasts.txt', rows)] });
    const names = [...all.entities.metrics.values()].map(({ name }) => name);
    expect(new Set(all.points.map(({ metric_id }) => all.entities.metrics.get(metric_id)!.name))).toEqual(
      new Set(['Production quantity, forecast']),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['SORGHUM, GRAIN - PRICE RECEIVED', '$ / CWT', '$ / BU', 'Price', 'Price received, measured in $ / bu'],
    ['BEETS - PRODUCTION', 'TONS', 'CWT', 'Production quantity', 'Production, measured in cwt'],
    ['CORN, GRAIN - YIELD', 'BU / ACRE', 'TONS / ACRE', 'Yield', 'Yield, measured in tons / acre'],
    ['PEPPERS, NEW - SALES', 'CWT', 'LB', 'Sales quantity', 'Sales, measured in lb'],
    ['UNHEARD OF - STOCKS', 'LB', 'TONS', 'Stocks', 'Stocks, measured in tons'],
  ])(
    'in a second unit are series of their own, in any order of imports: %s',
    async (what, usual, second, shared, own) => {
      const of = (unit: string, value: string): string =>
        row({ SHORT_DESC: `${what}, MEASURED IN ${unit}`, UNIT_DESC: unit, VALUE: value });
      const [first, other] = [table('usual.txt', [of(usual, '8')]), table('second.txt', [of(second, '9')])];
      const read = async (files: string[]) => {
        const all = await collect(nass, { files });
        expect(all.rejected).toEqual([]);
        const named = all.points.map(({ metric_id, value }) => [
          all.entities.metrics.get(metric_id)!.name,
          value,
        ]);
        return named.sort();
      };
      const expected = [
        [shared, 8],
        [own, 9],
      ].sort();
      expect(await read([first, other])).toEqual(expected);
      expect(await read([other, first])).toEqual(expected);
      expect([...(await read([other])), ...(await read([first]))].sort()).toEqual(expected);
    },
  );

  it('of counties without a code are of those that their names say, and of others only where they are others', async () => {
    const county = (name: string, code: string): string =>
      row({
        SHORT_DESC: 'STRAWBERRIES - ACRES HARVESTED',
        UNIT_DESC: 'ACRES',
        AGG_LEVEL_DESC: 'COUNTY',
        STATE_FIPS_CODE: '06',
        STATE_NAME: 'CALIFORNIA',
        ASD_CODE: '50',
        ASD_DESC: 'CENTRAL COAST',
        COUNTY_CODE: code,
        COUNTY_NAME: name,
        VALUE: '1',
      });
    const names = [
      ['MONTEREY', ''],
      ['MONTEREY & SANTA CRUZ', '998'],
      ['OTHER (COMBINED) COUNTIES', '998'],
      ['OTHER COUNTIES', ''],
      ['', ''],
    ] as const;
    const path = table(
      'counties.txt',
      names.map(([name, code]) => county(name, code)),
    );
    const { points, entities } = await collect(nass, { files: [path] });
    const regions = points.map(({ region_id }) => entities.regions.get(region_id)!.name);
    expect(new Set(regions)).toEqual(
      new Set([
        'Monterey County, California',
        'Monterey & Santa Cruz County, California',
        'Other counties, Central Coast agricultural district, California',
      ]),
    );
    expect(points.find(({ region_id }) => region_id === 106_053)).toBeDefined();
  });
});

describe('the bulk file', () => {
  let all: Collected;
  beforeAll(async () => {
    all = await collect(nass, { files: [BULK] });
  });

  it('has the load time as reporting date, and surveys and censuses as two sources', () => {
    const yields = series(all, 'Yield', 'Corn', 'United States');
    expect(yields.map(({ reported }) => reported)).toEqual(['2013-02-22', '2014-01-10']);
    expect(series(all, 'Area harvested', 'Corn', 'Iowa', CENSUS)).toMatchObject([{ value: 13_709_408 }]);
    expect(series(all, 'Area harvested', 'Corn', 'Iowa')).toMatchObject([{ value: 13_700_000 }]);
  });

  it('has weeks, months, quarters and years as their frequencies', () => {
    const frequency = (metric: string, item: string, region: string) =>
      series(all, metric, item, region)[0]!.frequency_id;
    expect(frequency('Progress, measured in pct planted', 'Corn', 'Iowa')).toBe(3);
    expect(frequency('Price', 'Corn', 'Iowa')).toBe(6);
    expect(frequency('Stocks', 'Corn', 'United States')).toBe(6);
    expect(frequency('Pig crop, measured in head', 'Hogs', 'United States')).toBe(7);
    expect(frequency('Average farm price', 'Corn', 'Iowa')).toBe(9);
  });

  it('places other counties, districts and watersheds in what contains them', () => {
    const other = named(all.entities.regions, 'Other counties, Northwest agricultural district, Iowa');
    expect(other).toMatchObject({ level: 8, belongsTo: [10_019, 21_910] });
    const watershed = named(all.entities.regions, 'Upper Mississippi Watershed');
    expect(watershed).toMatchObject({ level: 8, belongsTo: [840] });
    const county = named(all.entities.regions, 'Buena Vista County, Iowa');
    expect(county).toMatchObject({ id: 119_021, level: 5, belongsTo: [10_019, 21_910] });
    expect(county.aliases).toContain('Buena Vista, IA');
    expect(county.latitude).toBeCloseTo(42.7, 1);
  });

  it('adds a county to every district that it has been in', async () => {
    const [header, ...rows] = readFileSync(BULK, 'utf8').split('\n');
    const columns = header!.split('\t');
    const county = rows
      .map((row) => row.split('\t'))
      .find((row) => row[columns.indexOf('AGG_LEVEL_DESC')] === 'COUNTY')!;
    const redrawn = [...county];
    redrawn[columns.indexOf('ASD_CODE')] = '90';
    redrawn[columns.indexOf('YEAR')] = '1950';
    const path = file('redrawn.txt', [header, county.join('\t'), redrawn.join('\t')].join('\n'));
    const store = await newStore();
    expect(await importDataset(store, nass, { files: [path] })).toMatchObject({ added: 2, rejectedRows: 0 });
    const [series] = await allStoredSeries(store);
    const [region] = await store.lookup('regions', [series!.region_id]);
    expect(region!.belongsTo.filter((id) => id >= 20_000 && id < 30_000)).toHaveLength(2);
  });

  it('makes a domain other than the total a part of the item', () => {
    const item = named(all.entities.items, 'Corn, grain; area harvested: (1.0 to 24.9 acres)');
    expect(item.belongsTo).toEqual([110]);
  });

  it('rejects invalid rows with line and reason', () => {
    expect(all.rejected.map(({ file, line, reason }) => [file, line, reason])).toEqual([
      ['quick-stats.tsv', 24, 'the VALUE "12 apples" is neither a number nor a remark, "code"'],
      ['quick-stats.tsv', 25, 'the year "20x2" is not a year'],
      ['quick-stats.tsv', 26, 'the state FIPS code 3 is unknown'],
      ['quick-stats.tsv', 27, 'the row has 3 fields, but the header has 39'],
    ]);
  });
});

describe("the API's answers", () => {
  /** The bulk file as records with the columns of the API, in another order. */
  const records = (() => {
    const [header, ...rows] = readFileSync(BULK, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    const names = header!.map((name) => ({ VALUE: 'Value', 'CV_%': 'CV (%)' })[name] ?? name.toLowerCase());
    const whole = rows.filter((fields) => fields.length === names.length);
    return whole.map((fields) => {
      const entries = names.map(
        (name, i) =>
          [name, /^\d{4}$/.test(fields[i]!) && name === 'year' ? Number(fields[i]) : fields[i]!] as const,
      );
      return Object.fromEntries(entries.reverse());
    });
  })();
  const quoted = (fields: readonly unknown[]): string => fields.map((field) => `"${field}"`).join(',');
  const figures = (points: readonly PlainPoint[]): string[] =>
    points.map((point) => JSON.stringify(point)).sort();

  it.each([
    ['CSV', () => [Object.keys(records[0]!), ...records.map(Object.values)].map(quoted).join('\r\n')],
    [
      'CSV as R writes it',
      () =>
        [Object.keys(records[0]!).map((name) => name.replace(/\W/g, '.')), ...records.map(Object.values)]
          .map((fields, i) => quoted([i === 0 ? '' : i, ...fields]))
          .join('\n'),
    ],
    ['JSON', () => JSON.stringify({ data: records })],
    ['indented JSON', () => JSON.stringify(records, null, 2)],
  ])('in %s have the figures of the bulk file', async (form, text) => {
    const path = file(`answer-${form.replaceAll(' ', '-')}`, text());
    const [answer, bulk] = [await collect(nass, { files: [path] }), await collect(nass, { files: [BULK] })];
    expect(figures(answer.points)).toEqual(figures(bulk.points));
    const reasons = ({ rejected }: Collected) => rejected.map(({ line, reason }) => [line, reason]);
    const ofWholeRows = reasons(bulk).filter(([, reason]) => !/has 3 fields/.test(String(reason)));
    expect(reasons(answer)).toEqual(ofWholeRows);
  });

  it('that are an error are refused with it', async () => {
    const path = file('error.json', '{"error":["exceeds limit=50000"]}');
    await expect(collect(nass, { files: [path] })).rejects.toThrow('exceeds limit=50000');
  });
});

test('a header without rows is said, and an error when no file has rows', async () => {
  const path = file('header.tsv', readFileSync(BULK, 'utf8').split('\n', 1)[0]!);
  expect((await collect(nass, { files: [path, BULK] })).notes).toEqual([
    'header.tsv has a header and no rows',
  ]);
  const importing = importDataset(await newStore(), nass, { files: [path] });
  await expect(importing).rejects.toThrow('there are no rows in header.tsv, so nothing was imported');
});

describe('the web export', () => {
  it('has the same series as the bulk file, without reporting dates', async () => {
    const all = await collect(nass, { files: [EXPORT] });
    const bulk = await collect(nass, { files: [BULK] });
    const county = (from: Collected): PlainPoint =>
      series(from, 'Area harvested', 'Corn', 'Buena Vista County, Iowa')[0]!;
    expect(county(all)).toEqual({ ...county(bulk), reported: null, available: '2026-01-02' });
    expect(series(all, 'Yield, forecast', 'Corn', 'Iowa').map(({ reported }) => reported)).toEqual([
      '2012-08-01',
      '2012-09-01',
    ]);
  });
});
