import { expect, it } from 'vitest';
import { defineDataset } from '../../../src/ingest/document/define-dataset.js';
import type { Hook } from '../../../src/ingest/document/hook.js';
import { parseForm } from '../../../src/ingest/document/parse-form.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect } from '../collect.js';
import { COMMON_KEYS } from './common-keys.js';

const { file } = temporaryFiles();

/** The year and value of each point, and the years of the cells that are no point. */
async function read(keys: object, text: string): Promise<string> {
  const document = { ...COMMON_KEYS, delimiter: ';', decimal: '.', other_columns: 'ignore', ...keys };
  const { points, notRead, rejected } = await collect(defineDataset(document), {
    files: [file('table.csv', text)],
  });
  const figures = points.map(({ start, value, metadata }) => {
    return `${start.slice(0, 4)} ${value}${metadata === null ? '' : JSON.stringify(metadata)}`;
  });
  const left = [...notRead].map(([what, count]) => `${count} ${what}`);
  return [...figures.sort(), ...left, ...rejected.map(({ line }) => `line ${line}`)].join(', ');
}

const ROWS = 'year;k;v\n2020;a;99\n2021;a;(D)\n2022;b;99\n2023;b;(D)\n2024;a;5\n';
const inCase = (missing: unknown) => ({ cases: [{ when: { k: 'a' }, missing }] });

it.each([
  ['missing of a case', inCase(['99', '(D)']), ROWS, '2020 null, 2021 null, 2022 99, 2024 5, line 5'],
  [
    'missing of a case that means no point',
    inCase({ 99: 'no point', '(D)': 'no point' }),
    ROWS,
    '2022 99, 2024 5, 1 missing values (99), 1 missing values ((D)), line 5',
  ],
  [
    'missing of a case in place of that of the document',
    { missing: ['99', '(D)'], ...inCase({ '(D)': 'no point' }) },
    ROWS,
    '2020 99, 2022 null, 2023 null, 2024 5, 1 missing values ((D))',
  ],
  [
    'missing of a case before flags',
    { flag: { after_value: true }, ...inCase(['(D)', '99']) },
    'year;k;v\n2020;a;(D) x\n2021;a;99 x\n2022;b;99 x\n',
    '2020 null{"flag":"x"}, 2021 null{"flag":"x"}, 2022 99{"flag":"x"}',
  ],
  [
    'missing by the decimal separator of the value',
    { values: [{ column: 'v', decimal: ',', missing: ['99,9'] }] },
    'year;v\n2020;99,9\n2021;99,90\n2022;9,9\n',
    '2020 null, 2021 null, 2022 9.9',
  ],
  ['zero with numbers', { zero: ['-1'] }, 'year;v\n2020;-1\n2021;-1.0\n2022;5\n', '2020 0, 2021 0, 2022 5'],
  [
    'remarks of cells that are numbers',
    { remarks: { code: { cell: '^99$' } } },
    'year;v\n2020;99\n2021;5\n',
    '2020 null{"code":"99"}, 2021 5',
  ],
  [
    'withhold with a field that is the same in all rows',
    { file: '^(?<all>table)', withhold: { column: 'all' } },
    'year;v\n2020;7\n',
    '2020 null{"withheld":7}',
  ],
  [
    'withhold with a template that is never empty',
    { withhold: { column: 'of {k}' } },
    'year;k;v\n2020;;7\n',
    '2020 null{"withheld":7}',
  ],
  [
    'withhold when a field has a text',
    { withhold: { column: 'q', when: { k: 'a' } } },
    'year;k;q;v\n2020;a;x;7\n2021;b;x;8\n2022;a;;9\n',
    '2020 null{"withheld":7}, 2021 8, 2022 9',
  ],
  [
    'clear of the column of figures',
    { clear: { v: { column: 'v', of: 'k', texts: ['a'] } } },
    ROWS,
    '2022 99, 3 empty cells, line 5',
  ],
  [
    'clear that makes the column of figures',
    { values: 'w', clear: { w: { column: 'v', of: 'k', texts: ['a'] } } },
    ROWS,
    '2022 99, 3 empty cells, line 5',
  ],
  [
    'others of a case, for its rows alone',
    {
      cases: [
        { when: { k: 'a' }, item: { column: 'i', names: { x: 'Corn' }, others: 'skip' } },
        { when: { i: 'Oats' }, item: { name: 'Oats' } },
      ],
    },
    'year;k;i;v\n2020;a;x;1\n2021;a;Oats;2\n2022;b;Oats;3\n2023;b;y;4\n',
    '2020 1, 2022 3, 2023 4, 1 i Oats',
  ],
  [
    'others of an item, except where a case has another',
    {
      values: [{ column: 'v', item: { column: 'i', names: { x: 'Corn' }, others: 'skip' } }, { column: 'w' }],
      cases: [{ when: { k: 'a' }, item: { name: 'Oats' } }],
    },
    'year;k;i;v;w\n2020;b;x;1;\n2021;a;y;2;\n2022;b;y;3;4\n',
    '2020 1, 2021 2, 2022 4, 2 empty cells, 1 i y',
  ],
  [
    'marks that are also part of numbers',
    { unit: { name: '°C' }, metric: { name: 'Temperature' }, marks: { '-': 'revised', 1: 'note 1' } },
    'year;v\n2020;-5\n2021;-1,200\n2022;5-\n2023;51\n2024;5 1\n',
    '2020 -5, 2022 5{"flag":"revised"}, 2023 51, 2024 5{"flag":"note 1"}, line 3',
  ],
  [
    'texts with blanks around them',
    {
      cases: [{ when: { k: 'a ' }, divide_by: 10 }],
      missing: ['- '],
      skip: { k: ' b' },
      item: { column: 'i', names: { 'c ': 'Corn' } },
    },
    'year;k;i;v\n2020;a ;c;50\n2021; b;c;1\n2022;c;c ;- \n',
    '2020 5, 2022 null, 1 k b',
  ],
  [
    'clear by a cell with blanks',
    { clear: { q: { column: 'k', texts: 'a' } }, withhold: { column: 'q' } },
    'year;k;v\n2020;a ;5\n2021;b;6\n',
    '2020 5, 2021 null{"withheld":6}',
  ],
  [
    'clear by a part of a key',
    {
      ...{ delimiter: '\t', values: undefined, start_date: { header: 'YYYY' } },
      ...{ clear: { q: { column: 'crops', of: 'freq', texts: 'Q' } }, withhold: { column: 'q' } },
    },
    'freq,crops,geo\\TIME_PERIOD\t2020\t2021\nA,C1,IA\t5\t6\nQ,C1,IA\t7\t8\n',
    '2020 7, 2020 null{"withheld":5}, 2021 8, 2021 null{"withheld":6}',
  ],
])('%s', async (_, keys, text, expected) => {
  expect(await read(keys, text)).toBe(expected);
});

it.each([
  ['YYYY-MM', '2020-02', '2020-02-01 2020-02-29'],
  ['YYYY', '2020', '2020-01-01 2020-12-31'],
  ['DD/MM/YYYY', '05/01/2020', '2020-01-05 2020-01-05'],
])('last_day of a header %s', async (header, name, period) => {
  const document = { ...COMMON_KEYS, values: undefined, start_date: { header, last_day: true } };
  const { points } = await collect(defineDataset(document), {
    files: [file('last.csv', `k,${name}\nx,1\n`)],
  });
  expect(points.map(({ start, end }) => `${start} ${end}`)).toEqual([period]);
});

it.each([
  ['a lag after its reporting date', { after: 'reporting_date', days: 2 }, '2020-01-07'],
  ['a lag', { after: 'end_date', days: 9 }, '2020-01-10'],
  ['a column', 'day', '2020-02-03'],
  ['its available date', undefined, '2020-03-01'],
])('the available date of a hook, by %s', async (_, available_date, available) => {
  const startMs = Date.UTC(2020, 0, 1);
  const period = { startMs, endMs: startMs, reportingMs: Date.UTC(2020, 0, 5) };
  const dated: Hook = {
    takes: [],
    answers: ['start_date', 'reporting_date'],
    prepare: async () => () => period,
  };
  const loaded: Hook = {
    takes: [],
    answers: ['available_date'],
    prepare: async () => () => ({ availableMs: Date.UTC(2020, 2, 1) }),
  };
  const hooks = new Map(Object.entries({ dated, loaded }));
  const own = { start_date: undefined, frequency: 'daily', hooks: [{ hook: 'loaded' }, { hook: 'dated' }] };
  const files = [file('dated.csv', 'day,v\n2020-02-03,1\n')];
  const { points } = await collect(defineDataset({ ...COMMON_KEYS, ...own, available_date }, hooks), {
    files,
  });
  expect(points).toMatchObject([{ start: '2020-01-01', reported: '2020-01-05', available }]);
});

const YEAR_OR_MONTH = { start_date: { column: 'year', format: ['YYYY', 'YYYY-MM'] } };
const after = (lag: object) => ({ reporting_date: { after: 'end_date', ...lag } });
const DAYS = { hour: 'year', figures: [{ columns: 'v', functions: ['mean'] }] };
const PERIODS = [{ hook: 'cot-day', columns: { whole: 'a', short: 'b' } }];
const MEASURES = [{ hook: 'faostat-measure', columns: { element: 'a', unit: 'b' } }];

it.each([
  [{ ...YEAR_OR_MONTH, first_month: { 'YYYY-M': 9 } }, 'first_month.YYYY-M is not a format of start_date'],
  [{ ...YEAR_OR_MONTH, first_month: { 'YYYY-MM': 9 } }, 'first_month applies only to years'],
  [
    { start_date: { column: 'year', format: 'YYYY', last_day: true }, first_month: 9 },
    'start_date must not be the last day of the period if there is an end_date or first_month',
  ],
  [
    { start_date: { year: 'year', quarter: 'q', first_month: 9 } },
    'start_date.first_month applies only to a date with a month',
  ],
  [after({ after: 'reporting_date' }), 'reporting_date is after itself'],
  [after({ days: 5, dates: { '2020-12-31': '2021-01-01' } }), 'reporting_date must not have both "dates"'],
  [after({ days: 5, holidays: 'US' }), 'reporting_date must not have both "dates"'],
  [{ item: { column: 'k', others: 'skip' } }, 'item has "others": "skip" without "names"'],
  [{ region: { name: 'US', code: 'iso', level: 'country' } }, '"level" is not a key of region'],
  [
    { region: { column: 'k', within: { column: 's', define: {} } } },
    '"define" is not a key of region.within',
  ],
  [{ unit: { column: 'k', define: { aliases: ['x'] } } }, 'unit.define.aliases has no effect'],
  [{ region: { column: 'k', define: { abbreviation: 'x' } } }, 'region.define.abbreviation has no effect'],
  [{ item: { column: 'k', define: { abbreviation: 'x' } } }, 'item.define.abbreviation has no effect'],
  [{ flag: 'k', remarks: { flag: 'q' } }, 'remarks.flag has the name of the remark of "flag"'],
  [{ cases: [{ when: {}, missing: ['{k:uper}'] }] }, 'missing has {k:uper}; did you mean "upper"?'],
  [{ days: DAYS, values: [{ column: 'v mean', missing: ['-9'] }] }, 'days needs "decimal" and "missing"'],
  [{ days: DAYS, missing: ['{none}'] }, 'days needs "decimal" and "missing"'],
  [
    { start_date: undefined, hooks: [...PERIODS, ...PERIODS] },
    'start_date is provided by a hook, so neither',
  ],
  [{ line: '^2' }, 'line applies only to lines of fixed width'],
  [{ repeat: { from: 1, to: 2, times: 3, number: 'n' } }, 'repeat applies only to lines of fixed width'],
  [{ legend: '^(?<code>.)' }, 'legend describes no columns'],
  [{ hooks: PERIODS }, 'start_date is provided by a hook, so neither'],
  [{ hooks: MEASURES, metric: undefined }, 'unit is provided by a hook, so neither'],
  [
    {
      metric: undefined,
      unit: undefined,
      hooks: MEASURES,
      cases: [{ when: { k: 'a' }, unit: { name: 't' } }],
    },
    'unit is provided by a hook, so neither',
  ],
  [
    { start_date: undefined, frequency: 'weekly', hooks: PERIODS, end_date: 'k' },
    'end_date applies only to a start_date, but a hook provides the periods',
  ],
  [
    { hooks: [{ hook: 'cot-positions', columns: { stated: 'a', stats: 'b' } }] },
    'hooks.cot-positions does not read "stats"; its fields are stated',
  ],
])('refuses a key without effect: %j', (keys, message) => {
  expect(() => parseForm({ ...COMMON_KEYS, ...keys })).toThrow(`document: ${message}`);
});
