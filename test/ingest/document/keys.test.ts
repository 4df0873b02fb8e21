import { expect, it } from 'vitest';
import { defineDataset } from '../../../src/ingest/document/define-dataset.js';
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
])('%s', async (_, keys, text, expected) => {
  expect(await read(keys, text)).toBe(expected);
});
