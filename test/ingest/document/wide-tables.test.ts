import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defineDataset, documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect } from '../collect.js';

const nass = documentImporter('nass');

const { file } = temporaryFiles();
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

const DOCUMENT = {
  source: { name: 'Trials' },
  region: 'place',
  metric: { name: 'Yield' },
  unit: { name: 't/ha' },
  start_date: { column: 'day', format: 'YYYY-MM-DD' },
};
const read = (name: string, lines: readonly string[], document: object) =>
  collect(defineDataset({ ...DOCUMENT, ...document }), { files: [file(name, lines.join('\n'))] });

describe('a table with many columns', () => {
  it('has a value in each, with the faults of its own', async () => {
    const columns = numbers(300).map((i) => `v${i}`);
    const { points, rejected } = await read(
      'many.csv',
      [
        ['place', 'day', ...columns].join(),
        ['Iowa', '2020-01-01', ...columns.keys()].join(),
        ['Ohio', '2020-01-02', ...numbers(300).map((i) => (i === 7 ? 'x' : i))].join(),
        ['Utah', '2020-01-03', ...numbers(300).map((i) => (i === 7 ? '' : i))].join(),
      ],
      {
        item: { name: 'Corn' },
        values: columns.map((column) => ({ column, metric: { name: column } })),
        define: {
          metrics: Object.fromEntries(columns.map((name) => [name, { definition: `The figure ${name}.` }])),
        },
      },
    );
    expect(rejected).toMatchObject([
      { line: 3, reason: expect.stringContaining('the v7 "x" is not a number') },
    ]);
    expect(points).toHaveLength(300 + 299);
    expect(
      points
        .map(({ value }) => value)
        .sort((a, b) => a! - b!)
        .slice(-2),
    ).toEqual([299, 299]);
  });

  it('is refused by name when they are too many to be read', async () => {
    const values = numbers(1501).map((i) => `v${i}`);
    await expect(
      read('values.csv', [['place', 'day', ...values].join(), 'Iowa'], {
        item: { name: 'Corn' },
        values: values.map((column) => ({ column })),
      }),
    ).rejects.toThrow(
      'values.csv has 1,501 value columns, but at most 1500 can be read; split the table, or put each value in a row of its own',
    );
    const lines = readFileSync('test/fixtures/nass/quick-stats.tsv', 'utf8').trimEnd().split('\n');
    const wide = lines
      .map(
        (line) =>
          line +
          numbers(16_384)
            .map((i) => `\tx${i}`)
            .join(''),
      )
      .join('\n');
    await expect(collect(nass, { files: [file('wide.tsv', wide)] })).rejects.toThrow(
      'wide.tsv has 16,423 columns, but at most 16,384 can be read; remove columns',
    );
  });
});

describe('files with byte order marks that were joined', () => {
  const HEADERS = ['place,day,corn', '"place","day","corn"', 'corn,place,day'];

  it.each(HEADERS)('are read, and their headers rejected: %s', async (header) => {
    const [first, second] = header.startsWith('corn')
      ? ['1,Iowa,2020-01-01', '2,Ohio,2020-01-01']
      : ['Iowa,2020-01-01,1', 'Ohio,2020-01-01,2'];
    const quote = (line: string) => (header.startsWith('"') ? line.replaceAll(/[^,]+/g, '"$&"') : line);
    const lines = [
      `\ufeff${header}`,
      quote(first),
      `\ufeff${header}`,
      quote(second),
      `\ufeff${quote(first.replace('01-01', '01-02'))}`,
    ];
    const { points, rejected } = await read('joined.csv', lines, { item: { name: 'Corn' }, values: 'corn' });
    expect(points.map(({ start, value }) => [start, value])).toEqual(
      expect.arrayContaining([
        ['2020-01-01', 1],
        ['2020-01-01', 2],
        ['2020-01-02', 1],
      ]),
    );
    expect(points).toHaveLength(3);
    expect(rejected.map(({ line }) => line)).toEqual([3]);
  });

  it('are read by agencies’ data sets', async () => {
    const text = `\ufeff${readFileSync('test/fixtures/nass/web-export.csv', 'utf8')}`;
    const [once, twice] = [
      await collect(nass, { files: [file('once.csv', text)] }),
      await collect(nass, { files: [file('twice.csv', text + text)] }),
    ];
    expect(twice.points).toHaveLength(2 * once.points.length);
    expect(twice.rejected).toHaveLength(2 * once.rejected.length + 1);
  });
});
