import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { temporaryFiles } from '../../temporary-files.js';
import { type Collected, collect, inWords, named, type PlainPoint, pointsOf, rejects } from '../collect.js';
import { clientOf } from '../serving.js';
import { allStoredSeries, newStore } from '../stores.js';

const nass = documentImporter('nass');

const BULK = 'test/fixtures/nass/quick-stats.tsv';
const EXPORT = 'test/fixtures/nass/web-export.csv';
const SURVEY = 1;
const CENSUS = 2;
const { file } = temporaryFiles();

const series = (all: Collected, metric: string, item: string, region: string) =>
  pointsOf(all, { metric, item, region }).filter(({ source_id }) => source_id === SURVEY);

type Fields = Readonly<Record<string, string>>;

/** The rows of the bulk file that are of the nation, with other texts in some columns. */
const HEADER = readFileSync(BULK, 'utf8').split('\n')[0]!;
const COLUMNS = HEADER.split('\t');
const NATIONAL = readFileSync(BULK, 'utf8')
  .split('\n')
  .find((row) => row.split('\t')[COLUMNS.indexOf('AGG_LEVEL_DESC')] === 'NATIONAL')!
  .split('\t');
const table = (rows: readonly Fields[], name = 'rows.txt'): string => {
  const lines = rows.map((fields) => NATIONAL.map((text, at) => fields[COLUMNS[at]!] ?? text).join('\t'));
  return file(name, [HEADER, ...lines].join('\n'));
};
const read = (rows: readonly Fields[]): Promise<Collected> => collect(nass, { files: [table(rows)] });

/** The columns of a data item. */
const measured = (item: string, unit: string, value: string, period = 'YEAR'): Fields => ({
  COMMODITY_DESC: item.split(/,| - /)[0]!,
  SHORT_DESC: item.includes(' - ACRES') || unit === 'HEAD' ? item : `${item}, MEASURED IN ${unit}`,
  UNIT_DESC: unit,
  YEAR: '2020',
  REFERENCE_PERIOD_DESC: period,
  VALUE: value,
});

describe('data items', () => {
  const place = (AGG_LEVEL_DESC: string, location: string, STATE_FIPS_CODE: string): Fields => ({
    AGG_LEVEL_DESC,
    STATE_FIPS_CODE,
    STATE_NAME: location,
    COUNTRY_NAME: location,
    LOCATION_DESC: location,
  });

  it('with a code that is too long for a state or a county reject their row alone', async () => {
    const state = { AGG_LEVEL_DESC: 'STATE', STATE_FIPS_CODE: '123' };
    const county = { AGG_LEVEL_DESC: 'COUNTY', STATE_FIPS_CODE: '19', COUNTY_CODE: '1690' };
    expect(rejects(await read([state, county]))).toEqual([
      '2: the state FIPS code 123 is unknown',
      '3: the county code 1690 is unknown',
    ]);
  });

  it('are rejected if no value of their metric can be so', async () => {
    const all = await read([
      measured('CORN, GRAIN - YIELD', 'BU / ACRE', '-5'),
      measured('CORN, GRAIN - YIELD', 'BU / ACRE', '5'),
      measured('CORN, GRAIN - PRICE RECEIVED', '$ / BU', '-5'),
    ]);
    expect(all.points.map(({ value }) => value).sort()).toEqual([-5, 5]);
    expect(rejects(all)).toEqual([expect.stringContaining('2: the VALUE "-5" is less than 0')]);
  });

  it('of other states are one place, also in exports without their code', async () => {
    const bulk = await read([place('STATE', 'OTHER STATES', '98')]);
    const [head, iowa] = readFileSync(EXPORT, 'utf8').split('\n');
    const other = iowa!.replace('COUNTY', 'STATE').replace('"IOWA","19"', '"OTHER STATES",""');
    const exported = await collect(nass, { files: [file('other.csv', [head, other].join('\n'))] });
    const [one, same] = [bulk, exported].map(({ points, entities }) =>
      entities.regions.get(points[0]!.region_id),
    );
    expect(one).toMatchObject({ name: 'Other States' });
    expect(same).toEqual(one);
  });

  it('of other countries and of territories have the regions of these', async () => {
    const outlying = 'PUERTO RICO & OUTLYING AREAS';
    const { points, entities, rejected } = await read([
      place('INTERNATIONAL', 'CANADA', ''),
      place('INTERNATIONAL', 'PUERTO RICO', ''),
      place('INTERNATIONAL', 'UNITED STATES & CANADA', ''),
      place(outlying, 'GUAM', '66'),
      place(outlying, 'VIRGIN ISLANDS OF THE U.S.', '78'),
      place(outlying, 'OUTLYING AREAS', ''),
    ]);
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

  it('that are forecast before or after the year of the harvest have the date of the forecast', async () => {
    const FORECASTS = [
      ['ORANGES', 'OCT FORECAST', '2019-10-10', 74, '2019-10-01'],
      ['ORANGES', 'JAN FORECAST', '2020-01-10', 73, '2020-01-01'],
      ['ORANGES', 'JUL FORECAST', '2020-07-10', 67, '2020-07-01'],
      ['COTTON', 'DEC FORECAST', '2020-12-10', 16, '2020-12-01'],
      ['COTTON', 'JAN FORECAST', '2021-01-12', 15, '2021-01-01'],
      ['WHEAT', 'DEC ACREAGE', '2020-01-10', 31, '2019-12-31'],
      ['WHEAT', 'JUN ACREAGE', '2020-06-30', 30, '2020-06-30'],
      ['PECANS', 'OCT FORECAST', '2020-10-09', 5, '2020-10-01'],
    ] as const;
    const path = table(
      FORECASTS.map(([commodity, period, loaded, value]) => ({
        ...measured(`${commodity} - PRODUCTION`, 'TONS', `${value}`, `YEAR - ${period}`),
        LOAD_TIME: `${loaded} 12:00:00.000`,
      })),
    );
    const { points } = await collect(nass, { files: [path] });
    expect(points.map(({ value, start, reported }) => [value, start, reported])).toEqual(
      FORECASTS.map(([, , , value, reported]) => [value, '2020-01-01', reported]),
    );
    const store = await newStore();
    await importDataset(store, nass, { files: [path] });
    const client = clientOf(store);
    const series = await client.getDataSeries();
    const oranges = series.find(({ item_name }) => item_name === 'Oranges')!;
    expect(oranges).toMatchObject({ metric_name: 'Production quantity, forecast', region_id: 840 });
    const valueAt = async (at_time?: string): Promise<unknown[]> =>
      (await client.getDataPoints({ ...oranges, ...(at_time && { at_time }) })).map(({ value }) => value);
    expect(await valueAt()).toEqual([67]);
    expect(await valueAt('2019-12-31')).toEqual([74]);
    expect(await valueAt('2020-02-01')).toEqual([73]);
  });

  it('have the marketing year of their crop, and a note where that is not known', async () => {
    const years = {
      'BEANS, DRY EDIBLE': '2020-09-01',
      'BEANS, DRY EDIBLE, INCL CHICKPEAS': '2020-09-01',
      'BEANS, SNAP': '2020-01-01',
      'BEANS, GREEN, LIMA': '2020-01-01',
      'PEAS, DRY EDIBLE': '2020-07-01',
      'PEAS, GREEN': '2020-01-01',
      LENTILS: '2020-07-01',
      FLAXSEED: '2020-07-01',
      'MUSTARD, SEED': '2020-09-01',
      'WHEAT, SPRING, DURUM': '2020-06-01',
      'SORGHUM, GRAIN': '2020-09-01',
      'SUNFLOWER, OIL TYPE': '2020-09-01',
      'HAY, ALFALFA': '2020-05-01',
      'COTTON, UPLAND': '2020-08-01',
      'SWEET POTATOES': '2020-01-01',
    };
    const path = table(
      Object.keys(years).map((item) =>
        measured(`${item} - PRICE RECEIVED`, '$ / CWT', '25', 'MARKETING YEAR'),
      ),
    );
    const { points, notes } = await collect(nass, { files: [path, path] });
    const starts = Object.values(years);
    expect(points.map(({ start }) => start)).toEqual([...starts, ...starts]);
    expect(points[0]).toMatchObject({ end: '2021-08-31', frequency_id: 9 });
    expect(notes).toEqual(
      ['BEANS', 'PEAS', 'SWEET POTATOES'].map(
        (commodity) =>
          `marketing years of ${commodity} are treated as calendar years if their first month is unknown`,
      ),
    );
  });

  it('have other series for days than for months, whatever their order', async () => {
    const inventory = (value: string, period: string) =>
      measured('CHICKENS, LAYERS - INVENTORY', 'HEAD', value, period);
    const rate = (value: string, period: string) =>
      measured('CHICKENS, LAYERS - RATE OF LAY', 'EGGS / 100 LAYER', value, period);
    const rows = [
      inventory('390', 'FIRST OF JUN'),
      inventory('395', 'JUN'),
      inventory('400', 'END OF JUN'),
      inventory('401', 'FIRST OF JUL'),
      inventory('398', 'YEAR'),
      rate('2300', 'JUN'),
      rate('76', 'FIRST OF JUN'),
    ];
    const lines = [
      'Livestock count | 2020-01-01 | 398',
      'Livestock count | 2020-06-01 | 390',
      'Livestock count | 2020-06-30 | 400',
      'Livestock count | 2020-07-01 | 401',
      'Livestock count, whole month | 2020-06-01 | 395',
      'Rate of lay, measured in eggs / 100 layer | 2020-06-01 | 2300',
      'Rate of lay, measured in eggs / 100 layer, at a point in time | 2020-06-01 | 76',
    ];
    for (const order of [rows, rows.toReversed()]) {
      const all = await read(order);
      expect(all.rejected).toEqual([]);
      const found = inWords(all).map(({ metric, start, value }) => `${metric} | ${start} | ${value}`);
      expect(found.sort()).toEqual(lines);
    }
  });

  it('of the forecast and of the report of acreage of a month are two vintages', async () => {
    const winter = (period: string, value: string) =>
      measured('WHEAT, WINTER - ACRES HARVESTED', 'ACRES', value, `YEAR - ${period}`);
    const { points, rejected } = await read([
      winter('JUN FORECAST', '21'),
      winter('JUN ACREAGE', '22'),
      winter('JUL FORECAST', '23'),
    ]);
    expect(rejected).toEqual([]);
    expect(points.map(({ value, reported }) => [value, reported]).sort()).toEqual([
      [21, '2020-06-01'],
      [22, '2020-06-30'],
      [23, '2020-07-01'],
    ]);
  });

  it('are forecast in one metric, whatever their unit', async () => {
    const units = { 'CORN, GRAIN': 'BU', COTTON: '480 LB BALES', RICE: 'CWT', PEANUTS: 'LB' };
    const all = await read(
      Object.entries(units).map(([item, unit]) =>
        measured(`${item} - PRODUCTION`, unit, '1', 'YEAR - AUG FORECAST'),
      ),
    );
    expect(inWords(all).map(({ metric }) => metric)).toEqual(Array(4).fill('Production quantity, forecast'));
    const names = [...all.entities.metrics.values()].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['SORGHUM, GRAIN - PRICE RECEIVED', '$ / CWT', '$ / BU', 'Price', 'Price received, measured in $ / bu'],
    ['APPLES - PRODUCTION', 'LB', 'TONS', 'Production quantity', 'Production, measured in tons'],
    ['BEETS - PRODUCTION', 'TONS', 'CWT', 'Production quantity', 'Production, measured in cwt'],
    ['CORN, GRAIN - YIELD', 'BU / ACRE', 'TONS / ACRE', 'Yield', 'Yield, measured in tons / acre'],
    ['PEPPERS, NEW - SALES', 'CWT', 'LB', 'Sales quantity', 'Sales, measured in lb'],
    ['UNHEARD OF - STOCKS', 'LB', 'TONS', 'Stocks', 'Stocks, measured in tons'],
  ])(
    'in a second unit are series of their own, in any order of imports: %s',
    async (what, usual, second, shared, own) => {
      const first = table([measured(what, usual, '8')], 'usual.txt');
      const other = table([measured(what, second, '9')], 'second.txt');
      const read = async (files: string[]) => {
        const all = await collect(nass, { files });
        expect(all.rejected).toEqual([]);
        return inWords(all).map(({ metric, value }) => `${metric} ${value}`);
      };
      const expected = [`${shared} 8`, `${own} 9`];
      expect(await read([first, other])).toEqual(expected);
      expect(await read([other, first])).toEqual(expected.toReversed());
      expect([...(await read([first])), ...(await read([other]))]).toEqual(expected);
    },
  );

  it('of counties without a code are of those that their names say, and of others only where they are others', async () => {
    const county = (COUNTY_NAME: string, COUNTY_CODE: string): Fields => ({
      ...place('COUNTY', 'CALIFORNIA', '06'),
      ASD_CODE: '50',
      ASD_DESC: 'CENTRAL COAST',
      COUNTY_CODE,
      COUNTY_NAME,
    });
    const { points, entities } = await read([
      county('MONTEREY', ''),
      county('MONTEREY & SANTA CRUZ', '998'),
      county('OTHER (COMBINED) COUNTIES', '998'),
      county('OTHER COUNTIES', ''),
      county('', ''),
    ]);
    const others = 'Other counties, Central Coast agricultural district, California';
    expect(points.map(({ region_id }) => entities.regions.get(region_id)!.name)).toEqual([
      'Monterey County, California',
      'Monterey & Santa Cruz County, California',
      ...[others, others, others],
    ]);
    expect(points[0]!.region_id).toBe(106_053);
  });
});

describe('the bulk file', () => {
  it('has weeks, months, quarters and years as their frequencies', async () => {
    const all = await collect(nass, { files: [BULK] });
    const frequency = (metric: string, item: string, region: string) =>
      series(all, metric, item, region)[0]!.frequency_id;
    expect(frequency('Progress, measured in pct planted', 'Corn', 'Iowa')).toBe(3);
    expect(frequency('Price', 'Corn', 'Iowa')).toBe(6);
    expect(frequency('Stocks', 'Corn', 'United States')).toBe(6);
    expect(frequency('Pig crop, measured in head', 'Hogs', 'United States')).toBe(7);
    expect(frequency('Average farm price', 'Corn', 'Iowa')).toBe(9);
  });

  it('has surveys and censuses as two sources', async () => {
    const all = await collect(nass, { files: [BULK] });
    const areas = pointsOf(all, { metric: 'Area harvested', item: 'Corn', region: 'Iowa' });
    expect(areas.map(({ source_id, value }) => [source_id, value]).sort()).toEqual([
      [SURVEY, 13_700_000],
      [CENSUS, 13_709_408],
    ]);
  });

  it('has counties with their short names and their places', async () => {
    const { entities } = await collect(nass, { files: [BULK] });
    const county = named(entities.regions, 'Buena Vista County, Iowa');
    expect(county.aliases).toContain('Buena Vista, IA');
    expect(county.latitude).toBeCloseTo(42.7, 1);
  });

  it('adds a county to every district that it has been in', async () => {
    const county = {
      AGG_LEVEL_DESC: 'COUNTY',
      STATE_FIPS_CODE: '19',
      STATE_NAME: 'IOWA',
      COUNTY_CODE: '021',
      COUNTY_NAME: 'BUENA VISTA',
      ASD_CODE: '10',
    };
    const path = table([county, { ...county, ASD_CODE: '90', YEAR: '1950' }]);
    const store = await newStore();
    expect(await importDataset(store, nass, { files: [path] })).toMatchObject({ added: 2, rejectedRows: 0 });
    const [series] = await allStoredSeries(store);
    const [region] = await store.lookup('regions', [series!.region_id]);
    expect(region!.belongsTo.filter((id) => id >= 20_000 && id < 30_000)).toHaveLength(2);
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
    'header.tsv has a header but no rows',
  ]);
  const importing = importDataset(await newStore(), nass, { files: [path] });
  await expect(importing).rejects.toThrow('there are no rows in header.tsv, so nothing was imported');
});

it('the web export has the same series as the bulk file, without reporting dates', async () => {
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
