import { describe, expect, it } from 'vitest';
import { defineDataset } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { temporaryFiles } from '../../temporary-files.js';
import { type Collected, collect, named, type PlainPoint } from '../collect.js';
import { clientOf } from '../serving.js';
import { newStore } from '../stores.js';

const { file } = temporaryFiles();

const read = (document: object, text: string): Promise<Collected> =>
  collect(defineDataset(document), { files: [file('table.csv', text)] });

const FORECASTS = {
  source: { name: 'Forecasts' },
  region: { name: 'Iowa', level: 'province' },
  metric: { name: 'Production quantity' },
  item: { name: 'Corn' },
  unit: { name: 't' },
  start_date: { column: 'year', format: 'YYYY' },
  reporting_date: 'said',
  values: 'tonnes',
};

const { reporting_date: _, ...FIGURES } = FORECASTS;

const reasons = ({ rejected }: Collected): string[] => rejected.map(({ reason }) => reason);

describe('figures with full dates', () => {
  const periods = async (more: object, dates = '2012-10-04,2013-09-30') => {
    const files = [file('harvests.csv', `day,until,tonnes\n${dates},70\n`)];
    const document = { ...FIGURES, start_date: 'day', frequency: 'annual', ...more };
    const { points, rejected } = await collect(defineDataset(document), { files });
    return [...points.map(({ start, end }) => `${start} ${end}`), ...rejected.map(({ reason }) => reason)];
  };

  it.each([
    ['the calendar year', {}, '2012-01-01 2012-12-31'],
    ['the marketing year that the document says', { first_month: 9 }, '2012-09-01 2013-08-31'],
    ['a year from each date, where it says so', { first_month: 'of_date' }, '2012-10-04 2013-10-03'],
    ['the period of two columns', { end_date: 'until' }, '2012-10-04 2013-09-30'],
  ])('are of %s', async (_, more, period) => {
    expect(await periods(more)).toEqual([period]);
  });

  it.each([
    ['month', { frequency: 'monthly' }, '2015-01-31', '2015-01-01 2015-01-31'],
    ['quarter', { frequency: 'quarterly' }, '2015-02-15', '2015-01-01 2015-03-31'],
    ['dekad', { frequency: '10-day' }, '2012-02-21', '2012-02-21 2012-02-29'],
    ['8 days', { frequency: '8-day' }, '2011-12-27', '2011-12-27 2011-12-31'],
    ['week from the date', { frequency: 'weekly' }, '2020-01-06', '2020-01-06 2020-01-12'],
    [
      'week to the date',
      { frequency: 'weekly', start_date: { column: 'day', last_day: true } },
      '2020-01-05',
      '2019-12-30 2020-01-05',
    ],
    [
      'days from a month to a month',
      { start_date: { column: 'day', format: 'YYYY-MM' }, end_date: { column: 'until', format: 'YYYY-MM' } },
      '2020-01,2020-03',
      '2020-01-01 2020-03-31',
    ],
    [
      'days of two columns',
      { frequency: '10-day', end_date: 'until' },
      '2012-02-15,2012-02-24',
      '2012-02-15 2012-02-24',
    ],
    [
      'marketing year, unless that may be one of two',
      { first_month: 9 },
      '2021-03-01',
      'the date 2021-03-01 may belong to the year that begins in 2020 or to the year that begins in 2021; set "first_month": "of_date", or provide only years',
    ],
  ])('are of the %s', async (_, more, dates, expected) => {
    expect(await periods(more, dates.includes(',') ? dates : `${dates},`)).toEqual([expected]);
  });
});

it('rejects an integer whose digits a number cannot keep', async () => {
  const { points, rejected } = await read(
    FORECASTS,
    'year,said,tonnes\n2012,2012-01-01,9007199254740993\n2013,2013-01-01,9007199254740992\n',
  );
  expect(points.map(({ value }) => value)).toEqual([9_007_199_254_740_992]);
  expect(rejected.map(({ reason }) => reason)).toEqual([
    'the tonnes "9007199254740993" has more digits than can be stored exactly',
  ]);
});

it.each([
  ['in the header', 'year,tonnes,"note\n(long)"\n2001,1,a\n2002,2,b\n'],
  ['in the header, of another kind', 'year,tonnes,"note\n(long)"\r\n2001,1,a\r\n2002,2,b\r\n'],
  ['in the first row', 'year,tonnes,note\r\n2001,1,"a\r\nb"\r\n2002,2,c\r\n'],
  ['in the first row, of another kind', 'year,tonnes,note\n2001,1,"a\r\nb"\n2002,2,c\n'],
  ['in a later row', 'year,tonnes,note\r\n2001,1,a\r\n2002,2,"c\nd"\r\n'],
])('line ends in quotes lose no row: %s', async (_, text) => {
  const { points } = await read(FIGURES, text);
  expect(points.map(({ start, value }) => [start, value])).toEqual([
    ['2001-01-01', 1],
    ['2002-01-01', 2],
  ]);
});

describe('available_date', () => {
  it('equal to the reporting date, lets at_time find what was known', async () => {
    const files = [
      file('forecasts.csv', 'year,tonnes,said\n2012,70,2012-05-10\n2012,55,2012-08-10\n2012,48,2013-01-11\n'),
    ];
    const document = { ...FORECASTS, available_date: { after: 'reporting_date' } };
    const store = await newStore();
    expect(await importDataset(store, defineDataset(document), { files })).toMatchObject({ added: 3 });
    expect(await importDataset(store, defineDataset(document), { files })).toMatchObject({ added: 0 });
    const client = clientOf(store);
    const source_id = named(
      (await collect(defineDataset(document), { files })).entities.sources,
      'Forecasts',
    ).id;
    const valuesAt = async (at_time?: string) => {
      const series = await client.getDataSeries({ source_id });
      expect(series).toHaveLength(1);
      const points = await client.getDataPoints({ ...series[0], at_time });
      return points.map(({ value }) => value);
    };
    expect(await valuesAt('2012-05-09')).toEqual([]);
    expect(await valuesAt('2012-06-01')).toEqual([70]);
    expect(await valuesAt('2012-12-31')).toEqual([55]);
    expect(await valuesAt()).toEqual([48]);
  });

  it('is a column with times, the end of the period, or the time of the import, which is the maximum', async () => {
    const lines = [
      '2012,70,2012-05-10,12.05.2012',
      '2025,55,2026-01-03,',
      '2013,60,2013-05-10,12.05.2013 20:00-05:00',
    ];
    const available = async (available_date: unknown) => {
      const { points } = await read(
        { ...FORECASTS, available_date },
        ['year,tonnes,said,since', ...lines, ''].join('\n'),
      );
      return points.map((point) => point.available).join(' ');
    };
    const columns = { column: 'since', format: 'DD.MM.YYYY' };
    expect(await available(columns)).toBe('2012-05-12 2026-01-02 2013-05-13');
    expect(await available({ column: 'year', format: 'YYYY' })).toBe('2012-12-31 2025-12-31 2013-12-31');
    expect(await available({ after: 'end_date' })).toBe('2012-12-31 2025-12-31 2013-12-31');
    expect(await available({ after: 'reporting_date' })).toBe('2012-05-10 2026-01-02 2013-05-10');
    expect(await available(undefined)).toBe('2026-01-02 2026-01-02 2026-01-02');
  });

  it('of the future rejects its row', async () => {
    const document = { ...FORECASTS, available_date: 'since' };
    const { rejected } = await read(document, 'year,tonnes,said,since\n2012,70,2012-05-10,2102-05-10\n');
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'the available date 2102-05-10 is later than the import date',
    ]);
  });
});

it('a name that nobody could search for is refused, of a row and of the document', async () => {
  const long = 'n'.repeat(501);
  const places = { station: 'id', name: 'name', latitude: 42, longitude: -93 };
  const document = { ...FIGURES, values: 'rain', start_date: 'day', region: places, frequency: 'daily' };
  const { points, rejected } = await read(
    document,
    `day,id,name,rain\n2020-01-01,G1,${long},1\n2020-01-01,G2,short,2\n`,
  );
  expect([points.length, rejected.map(({ reason }) => reason)]).toEqual([
    1,
    [expect.stringMatching(/^the name "n+…" has 501 characters/)],
  ]);
  const source = { ...document, source: { name: long } };
  expect(() => defineDataset(source)).toThrow('source.name has more than 500 characters');
});

it('a column that is called "column" says which rows are read, like any other', async () => {
  const document = { ...FORECASTS, only: { column: ['a'] } };
  const { points } = await read(document, 'year,column,tonnes,said\n2012,a,1,\n2013,b,2,\n');
  expect(points.map(({ value }) => value)).toEqual([1]);
});

it('stations with the same code are told apart by the identity that the document gives them', async () => {
  const within = { column: 'US-{state}', code: 'iso' };
  const region = { station: 'id', identity: '{state}-{id}', latitude: 'lat', longitude: 'lon', within };
  const document = { ...FIGURES, values: 'rain', start_date: 'day', region, frequency: 'daily' };
  const rows = ['IA,,,1', 'OH,,,2', 'KS,38,-98,3', 'NE,41,-98,4'].map((row) => `2020-01-01,1,${row}`);
  const { points, rejected } = await read(document, ['day,id,state,lat,lon,rain', ...rows, ''].join('\n'));
  expect([new Set(points.map(({ region_id }) => region_id)).size, rejected]).toEqual([4, []]);
});

it('a station for all rows has its identifier, name and coordinates from the document', async () => {
  const document = {
    source: { name: 'My gauge' },
    delimiter: ';',
    decimal: ',',
    region: { station: { name: 'G1' }, name: { name: 'Home field' }, latitude: 42.03, longitude: -93.8 },
    metric: { name: 'precipitation' },
    item: { name: 'rainfall' },
    unit: { name: 'mm' },
    start_date: { column: 'week', format: 'YYYYWnn' },
    values: 'mm',
  };
  const { entities, points, rejected } = await read(
    document,
    'week;mm\n2020-W53;3,5\n2021-W01;0\n2021-W53;1\n',
  );
  const station = named(entities.regions, 'Home field');
  expect(station).toMatchObject({
    belongsTo: [119_015],
    aliases: ['G1'],
    latitude: 42.03,
    longitude: -93.8,
  });
  expect(points.map(({ region_id, start, end, value }) => [region_id, start, end, value])).toEqual([
    [station.id, '2020-12-28', '2021-01-03', 3.5],
    [station.id, '2021-01-04', '2021-01-10', 0],
  ]);
  expect(rejected.map(({ reason }) => reason)).toEqual(['the date "2021-W53" is not in the calendar']);
});

it('a field of names for another one is a part of templates, and empty for other texts', async () => {
  const lookup = { fips: { column: 'state', names: { 13: '19' } }, unused: { column: 'none', names: {} } };
  const region = { column: '{fips}{county}', code: 'fips' };
  const document = { ...FIGURES, lookup, region };
  const { points, rejected } = await read(
    document,
    'year,state,county,tonnes\n2001,13,169,1\n2002,99,169,2\n',
  );
  expect(points.map(({ region_id, value }) => [region_id, value])).toEqual([[119_169, 1]]);
  expect(rejected.map(({ reason }) => reason)).toEqual([
    'there is no US state or county with the FIPS code "169"',
  ]);
});

it.each(['42.03', '42,03', '42.034', '42,034'])(
  'degrees of a station have either decimal mark: %s',
  async (latitude) => {
    const region = { station: 'id', latitude: 'lat', longitude: -93.8 };
    const document = { ...FIGURES, delimiter: ';', decimal: ',', region, values: 'mm' };
    const { entities, points } = await read(document, `id;lat;year;mm\nG1;${latitude};2020;3,5\n`);
    expect(points.map(({ value }) => value)).toEqual([3.5]);
    expect(named(entities.regions, 'G1').latitude).toBeCloseTo(42.03, 2);
  },
);

describe('codes of regions', () => {
  it('are FIPS codes of states and counties, and others are rejected', async () => {
    const codes = '19,1,01,19169,01001,1001,19000,09190,9110,46113,2270,19998,153,00000,IA,'.split(',');
    const rows = codes.map((code, i) => `${2000 + i},${code},1\n`).join('');
    const region = { column: 'where', code: 'fips' };
    const { points, rejected } = await read({ ...FIGURES, region }, `year,where,tonnes\n${rows}`);
    const ids = points.sort((a, b) => a.start.localeCompare(b.start)).map(({ region_id }) => region_id);
    expect(ids).toEqual([
      10_019, 10_001, 10_001, 119_169, 101_001, 101_001, 10_019, 109_190, 109_110, 146_113, 102_270,
    ]);
    expect(rejected.map(({ reason }) => reason)).toEqual(
      ['19998', '153', '00000', 'IA', ''].map(
        (code) => `there is no US state or county with the FIPS code "${code}"`,
      ),
    );
  });

  it('of partner regions are read likewise', async () => {
    const files = [file('trade.csv', 'year,where,from,tonnes\n2012,19,17031,1\n2013,19,Illinois,1\n')];
    const region = { column: 'where', code: 'fips' };
    const document = { ...FIGURES, region, partner_region: { column: 'from', code: 'fips' } };
    const { points, rejected } = await collect(defineDataset(document), { files });
    expect(points.map((point) => [point.region_id, point.partner_region_id])).toEqual([[10_019, 117_031]]);
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'there is no US state or county with the FIPS code "Illinois"',
    ]);
  });
});

describe('marks of missing values', () => {
  const measured = (metric: string, unit: string) => {
    return { ...FIGURES, metric: { name: metric }, unit: { name: unit } };
  };
  const imported = (values: readonly string[], document: object) => {
    const rows = values.map((value, i) => `${1990 + i},${value}\n`);
    return collect(defineDataset(document), {
      files: [file('marks.csv', `year,tonnes\n${rows.join('')}`)],
    });
  };

  it.each([
    ['Temperature', '°C', ['12', '-9999', '1e20', '31'], 'is below absolute zero'],
    ['Temperature', '°F', ['54', '-999.9', '88'], 'is below absolute zero'],
    ['Temperature', 'K', ['285', '9999', '300'], 'is not a possible air temperature'],
    ['Relative humidity', '%', ['50', '-99', '999', '80'], 'is less than 0'],
    ['Crop progress', 'ratio', ['0.5', '99', '1'], 'is more than one hundred percent'],
    ['Area harvested', 'ha', ['5', '-9999.0', '7'], 'is less than 0'],
    ['Precipitation quantity', 'mm', ['0', '-99.9', '4'], 'is less than 0'],
  ])('that %s in %s cannot be are null, with a note', async (metric, unit, values, fault) => {
    const { points, rejected, notes } = await imported(values, measured(metric, unit));
    expect(rejected).toEqual([]);
    expect(points.filter(({ value }) => value === null)).toHaveLength(values.length - 2);
    expect(notes[0]).toBe(
      `the tonnes "${Number(values[1])}" ${fault}, and was read as "no value"; to confirm, set "missing": ["NA","${Number(values[1])}"] in the document`,
    );
  });

  it.each([
    ['Temperature', '°C', '-300', 'is below absolute zero'],
    ['Temperature', '°C', '150', 'is not a possible air temperature'],
    ['Relative humidity', '%', '120', 'is more than one hundred percent'],
    ['Yield', 't/ha', '-5', 'is less than 0'],
  ])(
    'are not other values that %s in %s cannot be, which are rejected: %s',
    async (metric, unit, value, fault) => {
      const { points, rejected } = await imported(['1', value, '2'], measured(metric, unit));
      expect(points).toHaveLength(2);
      expect(rejected.map(({ line, reason, text }) => [line, reason, text])).toEqual([
        [
          3,
          `the tonnes "${value}" ${fault}; correct it or, if it means "no value", set "missing": ["NA","${value}"] in the document`,
          `1991,${value}`,
        ],
      ]);
    },
  );

  it('have the bounds of the unit and the metric of their row', async () => {
    const rows =
      '2001,Temperature,°C,-40\n2002,Temperature,°F,-40\n2003,Relative humidity,pct,120\n2004,Yield,t/ha,120\n2005,Price,USD,-5\n';
    const document = { ...FIGURES, metric: 'm', unit: { column: 'u', names: { pct: '%' } }, values: 'v' };
    const { points, rejected } = await read(document, `year,m,u,v\n${rows}`);
    expect(points.map(({ value }) => value).sort()).toEqual([-40, -40, -5, 120]);
    expect(rejected.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('the v "120" is more than one hundred percent'),
    ]);
  });

  it.each([
    ['joins columns', { column: '{s}{u}', names: { deg: '°C', degrees: '°F' } }, {}],
    ['gives all other texts one name', { column: 'u', names: { rees: '°F' }, others: { name: '°C' } }, {}],
    ['is overridden by a case', { name: '°F' }, { cases: [{ when: { u: '' }, unit: { name: '°C' } }] }],
    [
      'is overridden by a case of several columns',
      { name: '°F' },
      { cases: [{ when: { '{s}{u}': 'deg' }, unit: { name: '°C' } }] },
    ],
    [
      'is overridden by a case of a cleared column',
      { name: '°F' },
      {
        clear: { x: { column: 's', of: 'u', texts: [''] } },
        cases: [{ when: { x: '' }, unit: { name: '°C' } }],
      },
    ],
    [
      'is overridden by a case, and its metric by another',
      { name: '°F' },
      {
        metric: { name: 'Price' },
        cases: [
          { when: { u: '' }, unit: { name: '°C' } },
          { when: { s: 'deg' }, metric: { name: 'Temperature' } },
        ],
      },
    ],
  ])('have the bounds of a unit that %s', async (_what, unit, more) => {
    const document = { ...FIGURES, metric: { name: 'Temperature' }, unit, values: 'v', ...more };
    const rows = '2001,deg,,20\n2002,deg,,120\n2003,deg,rees,120\n2004,deg,rees,-300\n';
    const { points, rejected } = await read(document, `year,s,u,v\n${rows}`);
    expect(points.map(({ value }) => value)).toEqual([20, 120]);
    expect(rejected.map(({ line }) => line)).toEqual([3, 5]);
  });

  it('have the bounds of a unit that is followed by blanks', async () => {
    const document = { ...FIGURES, metric: { name: 'Temperature' }, unit: { column: 'u' }, values: 'v' };
    const rows = '2001,°C,-300\n2002,°C\u00a0,-300\n2003,"°C\t",-300\n';
    const { points, rejected } = await read(document, `year,u,v\n${rows}`);
    expect([points.length, rejected.length]).toEqual([0, 3]);
  });

  it('have the bounds of their unit after division', async () => {
    const document = {
      ...FIGURES,
      metric: { name: 'Temperature' },
      unit: { name: 'K' },
      values: 'v',
      cases: [{ when: { d: 'tenths' }, divide_by: 10 }],
    };
    const { points, rejected } = await read(
      document,
      'year,d,v\n2001,tenths,2931\n2002,,300\n2003,tenths,500\n',
    );
    expect(points.map(({ value }) => value)).toEqual([293.1, 300]);
    expect(rejected.map(({ line }) => line)).toEqual([4]);
  });

  it('reject a whole row, whose other cells are then not counted as left out', async () => {
    const document = {
      ...FIGURES,
      metric: { name: 'Yield' },
      values: ['a', 'b', 'c'].map((column) => ({ column })),
      missing: { '..': 'no point' },
    };
    const { points, rejected, notRead } = await read(document, 'year,a,b,c\n2001,..,-5,-6\n2002,..,1,2\n');
    expect(points.map(({ value }) => value)).toEqual([1, 2]);
    expect(rejected.map(({ line, reason }) => [line, reason.slice(0, 28)])).toEqual([
      [2, 'the b "-5" is less than 0; c'],
    ]);
    expect(notRead).toEqual(new Map([['missing values (..)', 1]]));
  });

  it('may have NUL characters in the header', async () => {
    const { points, rejected } = await read({ ...FIGURES, values: 'to\0nnes' }, 'year,to\0nnes\n2001,5\n');
    expect([points.map(({ value }) => value), rejected]).toEqual([[5], []]);
  });

  it('have no notes on listed names that no row has', async () => {
    const unit = { column: 'u', names: { b: 'bu', t: 't' } };
    const { points, notes } = await read({ ...FIGURES, unit, values: 'v' }, 'year,u,v\n2001,t,5\n');
    expect([points.length, notes]).toEqual([1, []]);
  });

  it.each([
    ['a list', { names: { rh: 'Relative humidity', yd: 'Yield' }, others: 'skip' }],
    [
      'a list and definitions',
      { names: { rh: 'relative humidity', yd: 'Yield' }, define: { definition: 'x' } },
    ],
    ['a list with templates', { names: { rh: '{long}', yd: 'Yield' } }],
  ])('have the bounds of a metric named by %s', async (_what, metric) => {
    const document = {
      ...FIGURES,
      metric: { column: 'm', ...metric },
      unit: { column: '{s}{u}', names: { pct: '%' } },
      values: 'v',
    };
    const rows =
      '2001,rh,Relative humidity,pc,t,50\n2002,rh,Relative humidity,pc,t,120\n2003,yd,Yield,t/h,a,120\n';
    const { points, rejected } = await read(document, `year,m,long,s,u,v\n${rows}`);
    expect(points.map(({ value }) => value).sort()).toEqual([120, 50]);
    expect(rejected.map(({ line }) => line)).toEqual([3]);
  });

  it.each([
    ['far outside', ['21.5', '-99', '22.5'], '-99 once, while its other values range from 21.5 to 22.5'],
    ['that repeat', ['10', '99.9', '30', '99.9', '60', '80'], '99.9 twice'],
    ['with one exponent', ['1', '2', '1e20'], '100000000000000000000 once'],
  ])('%s are kept, with a note and a proposal', async (_what, values, said) => {
    const { points, notes } = await imported(values, measured('Price', 'USD'));
    expect(points.filter(({ value }) => value !== null)).toHaveLength(values.length);
    expect(notes.join()).toContain(`"tonnes" has ${said}`);
    expect(notes.join()).toContain('if that means "no value", set "missing": ["NA","');
  });

  it('are none among values that are near, or that the document names in another form', async () => {
    const near = await imported(['97', '98', '99', '100', '60'], measured('Price', 'USD'));
    const named = await imported(['1', '-9999.0', '-9999', '2'], {
      ...measured('Price', 'USD'),
      missing: ['-9999'],
    });
    expect([...near.notes, ...named.notes]).toEqual([]);
    expect(named.points.filter(({ value }) => value === null)).toHaveLength(2);
  });
});

describe('marks beside figures', () => {
  it.each([
    ['13.6*', {}, 13.6, 'estimated'],
    ['* 1,013.6 #', {}, 1013.6, 'estimated; another sensor'],
    ['<31', {}, null, '<31'],
    ['0.3', {}, 0.3, undefined],
    ['13.6*', { flag: 'note' }, 13.6, 'estimated; checked'],
    ['*', { missing: ['*'] }, null, undefined],
    ['12 e', { flag: { after_value: true } }, 12, 'e'],
    ['12', { values: [{ column: 'tonnes', flag: 'note' }] }, 12, 'checked'],
  ])('of %s with %j are its flag', async (cell, more, value, flag) => {
    const marks = { '*': 'estimated', '#': 'another sensor', '<': null };
    const document = { ...FIGURES, marks, ...more };
    const { points } = await read(document, `year,tonnes,note\n2012,"${cell}",checked\n`);
    expect(points.map((point) => [point.value, (point.metadata as { flag: string } | null)?.flag])).toEqual([
      [value, flag],
    ]);
  });

  it.each([
    ['', [[null, 'checked']], ['-999']],
    ['-999.0', [], { '-999': 'no point' }],
    ['-999', [[null, 'checked']], { '-999': null }],
  ])('make an empty cell null, but no text that means no point: "%s"', async (cell, expected, missing) => {
    const document = { ...FIGURES, flag: 'note', missing };
    const { points } = await read(document, `year,tonnes,note\n2012,${cell},checked\n`);
    expect(points.map(({ value, metadata }) => [value, (metadata as { flag: string }).flag])).toEqual(
      expected,
    );
  });

  it('are rejected where the document does not name them', async () => {
    const { points, rejected } = await read(FIGURES, 'year,tonnes\n2012,13.6*\n2013,<31\n');
    expect([points.length, rejected.length]).toEqual([0, 2]);
  });
});

/** Returns the period of a point as in ISO 8601, without what its end has in common with its start. */
const shortPeriod = ({ start, end }: PlainPoint): string => {
  if (start === end) return start;
  const same = [8, 5, 0].find((length) => start.startsWith(end.slice(0, length)))!;
  return `${start}/${end.slice(same)}`;
};

describe('dates in several columns', () => {
  it.each([
    ['year,day_of_year', ['2020,60', '2020,366', '2021,366'], '2020-02-29 | 2020-12-31', '2021-366'],
    ['year,month,day', ['2020,2,29', '2020,FEB,1.0', '2020,2,30'], '2020-02-29 | 2020-02-01', '2020-2-30'],
    ['year,month', ['2020,2', '2020,March', '2020,Mars'], '2020-02-01/29 | 2020-03-01/31', '2020-Mars'],
    ['year,quarter', ['2020,Q2', '2021,1', '2021,5'], '2020-04-01/06-30 | 2021-01-01/03-31', '2021Q5'],
    ['year,week', ['2020,WEEK #53', '2021,1', '2021,53'], '2020-12-28/2021-01-03 | 2021-01-04/10', '2021W53'],
  ])('are read by the parts: %s', async (parts, dates, periods, refused) => {
    const rows = dates.map((date, i) => `${date},${i}\n`).join('');
    const start_date = Object.fromEntries(parts.split(',').map((part) => [part, `the ${part}`]));
    const document = { ...FIGURES, start_date };
    const all = await read(document, `${Object.values(start_date).join()},tonnes\n${rows}`);
    expect(
      all.points
        .sort((a, b) => a.value! - b.value!)
        .map(shortPeriod)
        .join(' | '),
    ).toBe(periods);
    expect(reasons(all)).toEqual([expect.stringContaining(`the date "${refused}"`)]);
  });

  it('of years that end in the next one begin in the month that the document gives', async () => {
    const document = { ...FIGURES, start_date: { column: 'year', format: 'YYYY/YY' }, first_month: 9 };
    const { points, rejected } = await read(document, 'year,tonnes\n2019/20,1\n2020/21,2\n2021/20,3\n');
    expect(points.map(({ start, end }) => `${start}/${end}`).sort()).toEqual([
      '2019-09-01/2020-08-31',
      '2020-09-01/2021-08-31',
    ]);
    expect(rejected.map(({ reason }) => reason)).toEqual(['the date "2021/20" is not in the calendar']);
  });

  it.each([
    ['YYYYSn', '2020-S2', '2020-07-01/2020-12-31', 8],
    ['YYYYBn', '2020-B1', '2020-01-01/2020-02-29', 11],
  ])(
    'of half years and of two months have a frequency of their own: %s',
    async (format, date, period, frequency) => {
      const document = { ...FIGURES, start_date: { column: 'when', format } };
      const [point] = (await read(document, `when,tonnes\n${date},1\n`)).points;
      expect([`${point!.start}/${point!.end}`, point!.frequency_id]).toEqual([period, frequency]);
    },
  );
});

describe('names for the texts of a column', () => {
  const rows = '2012,EL,1\n2013,Germany,2\n2014,FR,3\n2015,EU27,4\n';
  const countries = { column: 'geo', level: 'country', names: { EL: 'Greece' } };
  it.each([
    ['correct it, and unknown ones are rejected', {}, [300, 276, 250], ['EU27']],
    ['correct it, and "only" filters', { only: { geo: ['EL', 'FR'] } }, [300, 250], []],
    ['are all that is read, where the document says so', { others: 'skip' }, [300], []],
  ])('%s', async (_what, { others, ...more }: { others?: string; only?: object }, ids, unknown) => {
    const document = { ...FIGURES, ...more, region: { ...countries, others } };
    const { points, rejected } = await read(document, `year,geo,tonnes\n${rows}`);
    expect(points.map(({ region_id }) => region_id).sort()).toEqual(ids.sort());
    expect(rejected.map(({ reason }) => /called "(.*?)"/.exec(reason)?.[1])).toEqual(unknown);
  });
});

describe('regions within others', () => {
  const rows =
    'year,where,state,tonnes\n2012,Boone,Iowa,1\n2013,Boone,IL,2\n2014,Boone,Atlantis,3\n2015,Boone,,4\n';

  it('are told apart by the column of what contains them', async () => {
    const region = { column: 'where', within: 'state', level: 'district' };
    const { points, rejected } = await read({ ...FIGURES, region }, rows);
    expect(points.map(({ region_id }) => region_id).sort()).toEqual([117_007, 119_015]);
    expect(rejected.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('called "Boone, Atlantis"'),
      expect.stringMatching(
        /called "Boone"; .*; to identify the region, set its "within" in the document to the containing region/,
      ),
    ]);
  });

  it('may all be within one', async () => {
    const region = { column: 'where', within: { name: 'Iowa' }, level: 'district' };
    const { points } = await read({ ...FIGURES, region }, rows.slice(0, rows.indexOf('2013')));
    expect(points.map(({ region_id }) => region_id)).toEqual([119_015]);
  });
});

it('a column without a name is called by its position', async () => {
  const document = { ...FIGURES, start_date: { column: 'column 1', format: 'YYYY' } };
  const { points, notes } = await read(document, ',tonnes,\n2001,70,x\n');
  expect(points.map(({ start, value }) => [start, value])).toEqual([['2001-01-01', 70]]);
  expect(notes.join()).not.toContain('column 1');
});

it('are read in hundreds of columns', async () => {
  const years = Array.from({ length: 400 }, (_, i) => 1600 + i);
  const values = [{ columns: '^Y(?<year>\\d{4})$' }];
  const document = { ...FIGURES, start_date: { column: '{year}', format: 'YYYY' }, values };
  const { points } = await read(document, `${years.map((year) => `Y${year}`)}\n${years}\n`);
  expect(points.map(({ value }) => value)).toEqual(years);
});

it('are read in each column by its own marks, flags and filters, and without optional columns', async () => {
  const files = [
    file('weather.csv', 'day,high,state,rain,how\n2020-01-01,999.9,*,99.99,G\n2020-01-02,9.9,,0,I\n'),
  ];
  const { metric: _, item: __, unit: ___, ...common } = FIGURES;
  const measured = (...names: readonly [metric: string, item: string, unit: string]) => {
    const [metric, item, unit] = names.map((name) => ({ name }));
    return { metric, item, unit };
  };
  const document = {
    ...common,
    start_date: 'day',
    optional: ['low'],
    missing: ['9.9'],
    values: [
      { column: 'high', ...measured('Sea-level pressure', 'Air', 'hPa'), flag: 'state' },
      { column: 'low', ...measured('Temperature', 'Temperature min', '°F') },
      {
        column: 'rain',
        ...measured('Precipitation quantity', 'Precipitation', 'in'),
        missing: ['99.99'],
        skip: { how: ['I'] },
      },
    ],
  };
  const { points, entities } = await collect(defineDataset(document), { files });
  expect(
    points.map(({ metric_id, start, value, metadata }) => [
      entities.metrics.get(metric_id)!.name,
      start,
      value,
      metadata,
    ]),
  ).toEqual([
    ['Precipitation quantity', '2020-01-01', null, null],
    ['Sea-level pressure', '2020-01-01', 999.9, { flag: '*' }],
    ['Sea-level pressure', '2020-01-02', null, null],
  ]);
});

describe('SDMX-CSV with labels', () => {
  const read = async (header: string, row: string, more: object = {}) => {
    const files = [file('labelled.csv', `${header},UNIT: Unit,TIME_PERIOD: Time period,OBS_VALUE\n${row}\n`)];
    const unit = { column: 'UNIT', names: { T_3: 'kt' } };
    const dated = { start_date: { column: 'TIME_PERIOD', format: 'SDMX' }, values: 'OBS_VALUE' };
    const document = { ...FIGURES, unit, only: { FREQ: 'A' }, other_columns: 'ignore', ...dated, ...more };
    const { points, entities } = await collect(defineDataset(document), { files });
    return points.map(({ start, value, unit_id }) => [
      start,
      value,
      entities.units.get(unit_id)?.abbreviation,
    ]);
  };

  it.each([
    ['DATAFLOW,FREQ: Frequency', 'X:CROPS(1.0),A: Annual,T_3: Thousand tonnes,2012,70'],
    [
      'STRUCTURE,STRUCTURE_ID,ACTION,FREQ:Frequency',
      'dataflow,X:CROPS(1.0),I,A:Annual,T_3:Tonnes: 10³,2012-01-01,70',
    ],
    [
      'STRUCTURE[;],STRUCTURE_ID,FREQ: Frequency',
      'dataflow,X:CROPS(1.0): Crops,A: Annual,T_3: Tonnes,2012,70',
    ],
    ['DATAFLOW,FREQ', 'X:CROPS(1.0),A,T_3,2012,70'],
  ])('is read by its codes: %s', async (header, row) => {
    expect(await read(header, row)).toEqual([['2012-01-01', 70, 'kt']]);
  });

  it('is read by its labels where the document names them', async () => {
    const unit = { column: 'UNIT: Unit', names: { 'T_3: Thousand tonnes': 'kt' } };
    const row = 'X:CROPS(1.0),A,T_3: Thousand tonnes,2012,70';
    expect(await read('DATAFLOW,FREQ', row, { unit })).toEqual([['2012-01-01', 70, 'kt']]);
  });

  it('is cut only in the columns that have labels', async () => {
    const more = { only: { NOTE: 'A: revised' } };
    const row = 'X:CROPS(1.0),A: revised,T_3: Thousand tonnes,2012,70';
    expect(await read('DATAFLOW,NOTE', row, more)).toEqual([['2012-01-01', 70, 'kt']]);
  });
});

it('reads columns that the lines before the header describe, with the missing mark and the place that they name', async () => {
  const legend = 'Site -33.80 (dry)\nMissing: -99\nrain: Rain in a day (mm)\nwet: Wetness of soil (1)\n';
  const files = [
    file('site.csv', `${legend}day,rain,wet,note\n2020-01-01,4,0.5,a\n2020-01-02,-99.0,0.6,b\n`),
  ];
  const document = {
    source: { name: 'Sites' },
    header_line: '^day,',
    preamble: ['^Site (?<latitude>[-.\\d]+)', 'Missing: (?<missing>.+)', '^Shade: (?<shade>.+)|^'],
    legend: '^(?<variable>\\w+): (?<title>.+) \\((?<unit>.+)\\)$',
    values: [{ columns: '^(?<variable>\\w+)$' }],
    missing: { '{missing}': 'no point' },
    metric: { column: 'variable', names: { rain: 'Precipitation quantity' }, others: { name: 'Weather' } },
    item: {
      column: 'variable',
      names: { rain: 'Precipitation' },
      define: { name: '{title}', definition: '{variable}[ in {shade}].' },
    },
    unit: { column: 'unit', define: {} },
    region: {
      station: '{latitude:number}[, {shade}]',
      latitude: 'latitude',
      longitude: 151,
      name: '{latitude:latitude}[, {shade}]',
      identity: 'site:{latitude:number}',
      definition: 'A site[ in the {shade}].',
      aliases: ['S{latitude}'],
    },
    start_date: 'day',
  };
  const { points, entities } = await collect(defineDataset(document), { files });
  expect(
    new Set(
      points.map(({ metric_id, item_id, unit_id, start, value }) => [
        entities.metrics.get(metric_id)!.name,
        entities.items.get(item_id)!.name,
        entities.units.get(unit_id)!.abbreviation,
        start,
        value,
      ]),
    ),
  ).toEqual(
    new Set([
      ['Precipitation quantity', 'Precipitation', 'mm', '2020-01-01', 4],
      ['Weather', 'Wetness of soil', '1', '2020-01-01', 0.5],
      ['Weather', 'Wetness of soil', '1', '2020-01-02', 0.6],
    ]),
  );
  expect(named(entities.regions, '33.8° S')).toMatchObject({ definition: 'A site.', aliases: ['S-33.80'] });
  expect(named(entities.items, 'Wetness of soil').definition).toBe('wet.');
});

describe('columns of figures by patterns', () => {
  const values = ['tonnes', 'kilograms'].map((columns, i) => ({ columns, unit: { name: ['t', 'kg'][i]! } }));
  const { unit: _, ...common } = FIGURES;
  const read = (header: string) =>
    collect(defineDataset({ ...common, values }), {
      files: [file('years.csv', `year,${header}\n2001,70\n`)],
    });

  it('are those of the patterns that a table has', async () => {
    expect((await read('kilograms')).points.map(({ value }) => value)).toEqual([70]);
    await expect(read('pounds')).rejects.toThrow('no column whose name matches tonnes, or kilograms');
  });
});

describe('months of marketing years', () => {
  const text = 'year,month,kind,tonnes\n2023,Sep,Q1,1\n2023,12,Q2,2\n2023,Mar,Q3,3\n2023,August,Q4,4\n';
  const read = async (first_month: unknown) => {
    const start_date = { year: 'year', month: 'month', first_month };
    const document = { ...FIGURES, start_date, frequency: 'quarterly', first_month: 'of_date' };
    const { points } = await collect(defineDataset(document), { files: [file('marketing.csv', text)] });
    return points.map(({ start, end }) => `${start.slice(0, 7)} ${end.slice(0, 7)}`);
  };

  it.each([
    ['the year that the document says', 9, ['2024-03 2024-05', '2024-08 2024-10']],
    [
      'the year that a column says',
      { column: 'kind', numbers: { Q3: 9 } },
      ['2024-03 2024-05', '2023-08 2023-10'],
    ],
  ])('are of %s', async (_, first_month, late) => {
    expect(await read(first_month)).toEqual(['2023-09 2023-11', '2023-12 2024-02', ...late]);
  });
});

it('reads each column of figures by its own decimal separator', async () => {
  const { unit: _, ...common } = FIGURES;
  const values = [
    { column: 'area', decimal: ',', metric: { name: 'Area planted' }, unit: { name: 'kha' } },
    { column: 'tonnes', unit: { name: 't' } },
  ];
  const document = { ...common, delimiter: ';', decimal: '.', thousands: '', values };
  const { points, rejected } = await read(
    document,
    'year;area;tonnes\n2001;4436,5;347937.25\n2002;1,5;1.234\n2003;1.234;2\n',
  );
  expect(points.map(({ value }) => value).sort()).toEqual([1.234, 1.5, 347_937.25, 4436.5]);
  expect(rejected.map(({ reason }) => reason).join()).toContain('the area "1.234" is not a number');
});

it('reads weeks that columns name by their last days', async () => {
  const { values: _, ...common } = FIGURES;
  const document = { ...common, frequency: 'weekly', start_date: { header: 'MM/DD/YY', last_day: true } };
  const { points } = await read(document, 'stub,1/10/20,1/3/20\nEthanol,70,60\n');
  expect(points.map(({ start, end, value }) => `${start} ${end} ${value}`).sort()).toEqual([
    '2019-12-28 2020-01-03 60',
    '2020-01-04 2020-01-10 70',
  ]);
});
