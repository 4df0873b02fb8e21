import { describe, expect, it } from 'vitest';
import { defineDataset } from '../../../src/ingest/document/define-dataset.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect, figureLines } from '../collect.js';
import { COMMON_KEYS } from './common-keys.js';

const { file } = temporaryFiles();

/** Metric, item, region, period, value and unit of each point, and the reasons of rejected rows. */
async function read(keys: object, text: string, name = 'table.csv'): Promise<string[]> {
  const document = { ...COMMON_KEYS, ...keys };
  const all = await collect(defineDataset(document), { files: [file(name, text)] });
  return [...figureLines(all), ...all.rejected.map(({ reason }) => reason)];
}

const PRODUCED = 'Production quantity | Corn | Iowa | 2020-01-01/2020-12-31 |';

const PREAMBLE = { preamble: '^Crop: (?<crop>.+)$', item: 'crop' };

describe('a field', () => {
  it.each([
    ['of the name of the file', { file: '^(?<crop>\\w+)-', item: 'crop' }, 'year,v\n2020,1\n', 'corn-1.csv'],
    [
      'of the lines before the header',
      { header_line: 3, preamble: '^Crop: (?<crop>.+)$', item: 'crop' },
      'Crop: Corn\nother\nyear,v\n2020,1\n',
    ],
    [
      'of a part of a column',
      { split: { product: '^(?<crop>\\w+) \\((?<measure>.+)\\)$' }, item: 'crop', metric: 'measure' },
      'year,product,v\n2020,Corn (Production quantity),1\n',
    ],
    [
      'of the names of columns',
      { values: [{ columns: '^(?<crop>\\w+) in (?<unit>\\w+)$', item: 'crop', unit: 'unit' }] },
      'year,Corn in t\n2020,1\n',
    ],
    [
      'made of others',
      { item: { column: '{a:lower}-{b}', names: { 'x-1': 'Corn' } } },
      'year,a,b,v\n2020,X,1,1\n',
    ],
    [
      'with part of a date in the header',
      {
        values: [{ columns: '^(?<part>A|B)$' }],
        split: { year: '^(?<first>\\d{4})' },
        start_date: { column: 'first', format: 'YYYY' },
        skip: { part: 'B' },
      },
      'year,A,B\n2020/21,1,2\n',
    ],
  ])('%s', async (_, keys, text, name?: string) => {
    expect(await read(keys, text, name)).toEqual([`${PRODUCED} 1 t`]);
  });

  it('that a pattern does not find is named', async () => {
    const keys = { header_line: 2, preamble: '^Crop: (?<crop>.+)$', item: 'crop' };
    await expect(read(keys, 'Crops\nyear,v\n2020,1\n')).rejects.toThrow(
      'the lines before the header of table.csv do not match ^Crop: (?<crop>.+)$',
    );
  });

  it.each([
    ['describes one table of two', { header_line: '^year,', ...PREAMBLE }, 'year,v', 'the lines before each'],
    ['describes one of two by its line', { header_line: 2, ...PREAMBLE }, 'year,v', 'the lines before each'],
    ['names the columns of one of two', {}, 'year,w', 'its columns differ'],
  ])('that %s tables is refused', async (_, keys, second, why) => {
    const text = `Crop: Corn\nyear,v\n2020,1\nCrop: Oats\n${second}\n2020,2\n`;
    await expect(read({ header_line: 2, ...keys }, text)).rejects.toThrow(
      `line 5 of table.csv is the header of another table; split the file, because ${why}`,
    );
  });
});

it.each([
  ['divided by blanks', { delimiter: 'blanks', header_line: 2 }, 'Title\nyear   v\n 2020     1\n'],
  [
    'of fixed width',
    {
      columns: [
        { name: 'year', from: 1, to: 4 },
        { name: 'v', from: 6, to: 9 },
      ],
    },
    '2020   1\n',
  ],
  ['without a header', { header: ['year', 'v'] }, '2020,1\n'],
  ['after one that matches', { header_line: '^year,' }, 'Title, of the table\n\nyear,v\n2020,1\n'],
  ['before one that matches', { end: '^Notes' }, 'year,v\n2020,1\nNotes: 1 is one\n2021,2\n'],
  ['without comments', { comment: '#' }, '# a\nyear,v\n# b\n2020,1\n'],
  ['under a header of two', { header_rows: 2, values: 'v | (t)' }, 'year,v\n,(t)\n2020,1\n'],
])('the lines of a table %s are read', async (_, keys, text) => {
  expect(await read(keys, text)).toEqual([`${PRODUCED} 1 t`]);
});

describe('figures', () => {
  it.each([
    ['a text that means 0', { zero: ['-'] }, 'year,v\n2020,-\n', '0 t'],
    ['a divisor', { divide_by: 10 }, 'year,v\n2020,15\n', '1.5 t'],
    [
      'a divisor by a column',
      { cases: [{ when: { k: ['a'] }, divide_by: 4 }] },
      'year,k,v\n2020,a,6\n',
      '1.5 t',
    ],
    [
      'a divisor, and a separator that the engine does not read',
      { divide_by: 2 },
      'year,v\n2020,"3,000"\n',
      '1500 t',
    ],
    [
      'a unit of their own case',
      { cases: [{ when: { k: 'b' }, unit: { name: 'kt' }, divide_by: 2 }] },
      'year,k,v\n2020,b,3\n',
      '1.5 kt',
    ],
  ])('have %s', async (_, keys, text, figure) => {
    expect(await read(keys, text)).toEqual([`${PRODUCED} ${figure}`]);
  });

  it('divided are within the bounds of their unit', async () => {
    const keys = { metric: { name: 'Temperature' }, item: { name: 'Temperature max' }, unit: { name: '°C' } };
    expect(await read({ ...keys, divide_by: 10 }, 'year,v\n2020,305\n2021,-2990\n')).toEqual([
      'Temperature | Temperature max | Iowa | 2020-01-01/2020-12-31 | 30.5 °C',
      expect.stringContaining('the v "-2990"'),
    ]);
  });
});

it.each([
  [{ item: '{crops}' }, 'table.csv has no column "crops"; its columns are "year, crop, v"'],
  [
    { item: { column: 'crop', define: { definition: 'Of {txet}.' } } },
    'table.csv has no column "txet"; its columns are "year, crop, v"',
  ],
  [
    { missing: ['{mark}'] },
    '"missing" contains {mark}, but this field is not the same in all rows of table.csv',
  ],
])('is refused if the table does not have it: %o', async (keys, message) => {
  await expect(read(keys, 'year,crop,v\n2020,Corn,1\n')).rejects.toThrow(message);
});

describe('names of a column', () => {
  const TABLE = 'year,crop,season,v\n2020,MAIZE,1,1\n2020,TEFF,0,2\n2020,ALL,0,3\n';
  const names = { MAIZE: 'Corn' };
  const skip = { crop: 'ALL' };

  it('become entities of the source, have kinds, and may be left out', async () => {
    const variant = { column: 'season', names: { 0: '', 1: 'first crop' } };
    const item = { column: 'crop', names, define: { name: '{text:sentence}' }, variant };
    expect(await read({ item, skip }, TABLE)).toEqual([
      'Production quantity | Corn, first crop | Iowa | 2020-01-01/2020-12-31 | 1 t',
      'Production quantity | Teff | Iowa | 2020-01-01/2020-12-31 | 2 t',
    ]);
  });

  it('reject the others where the document says so', async () => {
    expect(await read({ item: { column: 'crop', names, others: 'reject' }, skip }, TABLE)).toEqual([
      `${PRODUCED} 1 t`,
      '"TEFF" is not listed in "names" for "crop"',
    ]);
  });

  it('of regions that are defined are noted if a country or a province has them', async () => {
    const notes = async (region: object) => {
      const document = { ...COMMON_KEYS, region: { column: 'place', ...region } };
      const files = [file('places.csv', 'year,place,v\n2020,Brazil,1\n2020,Maple Farm,2\n')];
      return (await collect(defineDataset(document), { files })).notes;
    };
    expect(await notes({ define: {} })).toEqual([
      'the region "Brazil" is added as a new region of the source, separate from Brazil, South America (76); to use the latter, remove "define" from the region; to keep both, set "level"',
    ]);
    expect(await notes({ define: {}, level: 'market' })).toEqual([]);
  });

  it('never become one entity by their own name and by that of another', async () => {
    const item = { column: 'crop', names: { Maize: 'Corn' }, define: {} };
    const [, own] = await read({ item }, 'year,crop,v\n2020,Maize,1\n2020,Corn,2\n');
    expect(own).toBe('Production quantity | Corn (Fields) | Iowa | 2020-01-01/2020-12-31 | 2 t');
  });

  it.each([
    ['iso', 'BR-SP', 'São Paulo'],
    ['iso', 'DEU', 'Germany'],
    ['m49', '276', 'Germany'],
    ['usps', 'IA', 'Iowa'],
    ['fips', '19', 'Iowa'],
  ])('of regions may be codes: %s %s', async (code, text, region) => {
    const skipped = { region: { column: 'place', code, others: 'skip' } };
    expect(await read(skipped, `year,place,v\n2020,${text},1\n2020,EU27,2\n`)).toEqual([
      `Production quantity | Corn | ${region} | 2020-01-01/2020-12-31 | 1 t`,
    ]);
  });
});

describe('periods', () => {
  it('of one column have the frequency of each text, also that of a column', async () => {
    const dates = ['2020', '2020-S2', '2020-Q3', '2020-02', '2020-W01', '2020-02-29'];
    const text = `year,v\n${dates.map((date, i) => `${date},${i}\n`).join('')}`;
    const periods = (await read({ start_date: { column: 'year', format: 'SDMX' } }, text)).map(
      (point) => point.split(' | ')[3],
    );
    expect(periods).toEqual([
      '2020-01-01/2020-12-31',
      '2020-07-01/2020-12-31',
      '2020-07-01/2020-09-30',
      '2020-02-01/2020-02-29',
      '2019-12-30/2020-01-05',
      '2020-02-29',
    ]);
  });

  it('are published after a lag of days, business days or months, at a time of a zone', async () => {
    const available = async (lag: object) => {
      const document = { ...COMMON_KEYS, start_date: 'day', available_date: lag };
      const files = [file('days.csv', 'day,v\n2020-01-31,1\n')];
      const { points } = await collect(defineDataset(document), { files });
      return points[0]!.available;
    };
    expect(await available({ after: 'end_date', days: 2 })).toBe('2020-02-02');
    expect(await available({ after: 'end_date', business_days: 3 })).toBe('2020-02-05');
    expect(await available({ after: 'start_date', months: 1 })).toBe('2020-02-29');
    expect(await available({ after: 'end_date', months: 1, day_of_month: 15 })).toBe('2020-02-15');
    expect(await available({ after: 'end_date', time: '20:00', zone: 'America/New_York' })).toBe(
      '2020-02-01',
    );
  });
});
