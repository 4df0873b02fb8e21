import { gzipSync } from 'node:zlib';
import { tableFromArrays } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { frame } from '../../src/frame/frame.js';
import { defineDataset, documentImporter } from '../../src/ingest/document/define-dataset.js';
import { dryRun } from '../../src/ingest/dry-run.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { RejectedRow } from '../../src/ingest/importer.js';
import { temporaryFiles } from '../temporary-files.js';
import { newStore, storedPoints } from './stores.js';
import { zipped } from './zipped.js';

const psd = documentImporter('psd');
const { file } = temporaryFiles();

const HEADER =
  'Commodity_Code,Commodity_Description,Country_Code,Country_Name,Market_Year,Calendar_Year,Month,Attribute_ID,' +
  'Attribute_Description,Unit_ID,Unit_Description,Value';

interface Figure {
  readonly value: number | string;
  readonly year?: number;
  readonly unit?: string;
  readonly country?: string;
}

const row = ({ value, year = 2012, unit = '(1000 MT)', country = 'United States' }: Figure): string =>
  `440000,Corn,US,${country},${year},2014,1,28,Production,8,${unit},${value}`;

const table = (figures: readonly Figure[]): string => `${[HEADER, ...figures.map(row)].join('\n')}\n`;

/** Imports with any number of conflicts, and collects them. */
async function settled(files: readonly string[], maxConflicts = Number.MAX_SAFE_INTEGER) {
  const store = await newStore();
  const conflicts: RejectedRow[] = [];
  const onConflicts = (rows: readonly RejectedRow[]) => void conflicts.push(...rows);
  const report = await importDataset(store, psd, { files, maxConflicts, onConflicts });
  return { store, report, conflicts };
}

describe('contradictory rows of one import', () => {
  it('are both reported with file, line and text, and neither is stored', async () => {
    const files = [
      file('a.csv', table([{ value: 1 }, { value: 2, year: 2013 }, { value: '', year: 2014 }])),
      file('b.csv', table([{ value: 1 }, { value: 7, year: 2015 }, { value: 3, year: 2013 }])),
    ];
    const { store, report, conflicts } = await settled(files);
    expect(report).toMatchObject({ rows: 6, points: 2, nulls: 1, duplicates: 1, conflicts: 2, added: 3 });
    const reason = (here: number, there: number, place: string) =>
      'conflict: Production quantity, Corn, United States, 2013-09-01 to 2014-08-31 is ' +
      `${here} kt here, and ${there} kt in ${place}`;
    expect(conflicts).toEqual([
      {
        file: 'a.csv',
        line: 3,
        reason: reason(2, 3, 'line 4 of b.csv'),
        text: row({ value: 2, year: 2013 }),
      },
      {
        file: 'b.csv',
        line: 4,
        reason: reason(3, 2, 'line 3 of a.csv'),
        text: row({ value: 3, year: 2013 }),
      },
    ]);
    const years = (await storedPoints(store)).map((point) => JSON.parse(point).start.slice(0, 4));
    expect(years).toEqual(['2012', '2014', '2015']);
  });

  it.each<[string, Figure, Figure]>([
    ['a figure and none', { value: 5 }, { value: '' }],
    ['figures in two units', { value: 5 }, { value: 5, unit: '(MT)' }],
  ])('are also %s', async (_, one, other) => {
    const { report } = await settled([file('pair.csv', table([one, other]))]);
    expect(report).toMatchObject({ points: 0, nulls: 0, duplicates: 0, conflicts: 2 });
  });

  it('leave what the store has as it is', async () => {
    const { store } = await settled([file('first.csv', table([{ value: 4 }]))]);
    const before = await storedPoints(store);
    const files = [file('second.csv', table([{ value: 5 }, { value: 6 }]))];
    const report = await importDataset(store, psd, { files, maxConflicts: 2 });
    expect(report).toMatchObject({ added: 0, unchanged: 0, conflicts: 2 });
    expect(await storedPoints(store)).toEqual(before);
  });

  it('are found in gzip files and archives, by name and line', async () => {
    const files = [
      file('a.csv.gz', gzipSync(table([{ value: 1 }, { value: 2, year: 2013 }]))),
      file('b.zip', zipped({ 'x.csv': table([{ value: 2, year: 2013 }]), 'y.csv': table([{ value: 9 }]) })),
    ];
    const { conflicts, report } = await settled(files);
    expect(report.duplicates).toBe(1);
    expect(conflicts.map(({ file, line, text }) => [file, line, text])).toEqual([
      ['a.csv.gz', 2, row({ value: 1 })],
      ['b.zip/y.csv', 2, row({ value: 9 })],
    ]);
  });

  it('are found in a file of several chunks that has no rejected row', async () => {
    const same = Array.from({ length: 20_000 }, () => ({ value: 1 }));
    const figures = [...same, { value: 2, year: 2013 }, { value: 3, year: 2013 }];
    const { conflicts } = await settled([file('long.csv', table(figures))]);
    expect(conflicts.map(({ line, text }) => [line, text])).toEqual([
      [20_002, row({ value: 2, year: 2013 })],
      [20_003, row({ value: 3, year: 2013 })],
    ]);
  });

  it('are found in Parquet files by the number of the row, of which the header is the first', async () => {
    const columns = {
      year: Int32Array.of(1988, 1988),
      state: ['Iowa', 'Iowa'],
      acres: [1, 2],
      yield: [4, 4],
    };
    const files = [file('corn.parquet', await frame(tableFromArrays(columns)).toParquet())];
    const conflicts: RejectedRow[] = [];
    const report = await importDataset(await newStore(), defineDataset({ ...DOCUMENT }), {
      files,
      maxConflicts: 2,
      onConflicts: (rows) => void conflicts.push(...rows),
    });
    expect(report).toMatchObject({ rows: 4, points: 1, duplicates: 1, conflicts: 2 });
    expect(conflicts.map(({ line, text }) => [line, text])).toEqual([
      [2, '1988,Iowa,1,4'],
      [3, '1988,Iowa,2,4'],
    ]);
  });

  it('are found in two columns of a row, and equal figures there are one point', async () => {
    const values = DOCUMENT.values.map((value) => ({ ...DOCUMENT.values[0], column: value.column }));
    const files = [file('columns.csv', 'year,state,acres,yield\n1988,Iowa,1,1\n1989,Iowa,2,3\n')];
    const store = await newStore();
    const report = await importDataset(store, defineDataset({ ...DOCUMENT, values }), {
      files,
      maxConflicts: 2,
    });
    expect(report).toMatchObject({ rows: 4, points: 1, duplicates: 1, conflicts: 2, added: 1, revised: 0 });
    expect(await storedPoints(store)).toHaveLength(1);
  });

  it('are found by a dry run', async () => {
    const files = [
      file(
        'dry.csv',
        table([{ value: 1 }, { value: 1 }, { value: 2, year: 2013 }, { value: 3, year: 2013 }]),
      ),
    ];
    const conflicts: RejectedRow[] = [];
    const onConflicts = (rows: readonly RejectedRow[]) => void conflicts.push(...rows);
    const report = await dryRun(psd, { files, maxConflicts: 2, onConflicts });
    expect(report).toMatchObject({ rows: 4, points: 1, duplicates: 1, conflicts: 2 });
    expect(conflicts.map(({ line }) => line)).toEqual([4, 5]);
    await expect(dryRun(psd, { files })).rejects.toThrow(/contradict/);
  });
});

const DOCUMENT = {
  source: { name: 'Corn by state' },
  region: { column: 'state', level: 'province' },
  item: { name: 'maize' },
  start_date: { column: 'year', format: 'YYYY' },
  values: [
    { column: 'acres', metric: { name: 'Area harvested' }, unit: { name: 'acres' } },
    { column: 'yield', metric: { name: 'Yield' }, unit: { name: 'bu/ac (corn)' } },
  ],
};

describe('many contradictory rows', () => {
  const COUNTRIES = 100;
  const figures = (count: number, add: (i: number) => number): Figure[] =>
    Array.from({ length: count }, (_, i) => ({
      value: i + add(i),
      year: 1900 + Math.floor(i / COUNTRIES),
      country: `Region ${i % COUNTRIES}`,
    }));
  /** The second file contradicts each of the first 5,000 rows of the first one, and repeats the next 1,000. */
  const files = [
    file('many.csv', table(figures(8_000, () => 0))),
    file('more.csv', table(figures(6_000, (i) => (i < 5_000 ? 1 : 0)))),
  ];

  it('are all found and reported, in the order of the files', async () => {
    const { report, conflicts, store } = await settled(files, 10_000);
    expect(report).toMatchObject({ rows: 14_000, points: 3_000, duplicates: 1_000, conflicts: 10_000 });
    const lines = Array.from({ length: 5_000 }, (_, i) => i + 2);
    expect(conflicts.slice(0, 5_000).map(({ file, line }) => [file, line])).toEqual(
      lines.map((line) => ['many.csv', line]),
    );
    expect(conflicts.slice(5_000).map(({ file, line }) => [file, line])).toEqual(
      lines.map((line) => ['more.csv', line]),
    );
    expect(conflicts[7_777]).toMatchObject({ text: row(figures(3_000, () => 1)[2_777]!) });
    expect(await storedPoints(store)).toHaveLength(3_000);
  });

  it('fail the import, which then stores nothing, when they are more than 0.1 % or than allowed', async () => {
    const store = await newStore();
    const files = [
      file('some.csv', table(figures(80, () => 0))),
      file('others.csv', table(figures(60, (i) => (i < 50 ? 1 : 0)))),
    ];
    const failure = (maxConflicts?: number) => importDataset(store, psd, { files, maxConflicts });
    await expect(failure()).rejects.toThrow(
      '100 of 140 rows contradict other rows, which is more than 0.1 %, so nothing was imported; the first is line 2 of ' +
        'some.csv: conflict: Production quantity, Corn, Region 0',
    );
    await expect(failure(99)).rejects.toMatchObject({ code: 'ingest', file: 'some.csv', row: 2 });
    expect(await storedPoints(store)).toEqual([]);
    const few = [
      file('few.csv', table([...figures(3_000, () => 0), { value: 1, year: 1901, country: 'Region 0' }])),
    ];
    expect(await importDataset(store, psd, { files: few })).toMatchObject({ points: 2_999, conflicts: 2 });
  });
});
