import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frame } from '../../src/frame/frame.js';
import { DATASETS } from '../../src/ingest/datasets.js';
import { DOCUMENT_NAMES } from '../../src/ingest/document/documents.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { ImportReport } from '../../src/ingest/importer.js';
import type { RowAccount } from '../../src/model/importing/outcome.js';
import type { Store } from '../../src/store/store.js';
import { someOf } from '../endurance.js';
import { openRegionStore } from '../store-templates.js';
import { temporaryFiles } from '../temporary-files.js';
import { datasetFixtures, importerOfFixture } from './fixtures.js';
import { zipped } from './zipped.js';

const { file } = temporaryFiles();
let store: Store;
beforeAll(async () => {
  store = await openRegionStore();
});
afterAll(async () => {
  await store?.close();
});

const fixture = (name: string): string => join('test/fixtures', name);
const text = (name: string): string => readFileSync(fixture(name), 'utf8');
const ANY = { maxRejectedShare: 1, maxConflicts: Number.MAX_SAFE_INTEGER };

/** The figures of a report that add up, with the reasons and kinds as objects. */
function account(report: RowAccount): unknown {
  const { rows, points, nulls, duplicates, conflicts, rejectedBy, notRead } = report;
  const kinds = (list: RowAccount['notRead']) =>
    Object.fromEntries(list.map(({ kind, count }) => [kind, count]));
  return { rows, points, nulls, duplicates, conflicts, rejected: kinds(rejectedBy), notRead: kinds(notRead) };
}

function sumOf(report: RowAccount): number {
  const { points, nulls, duplicates, conflicts, rejectedBy, notRead } = report;
  return [...rejectedBy, ...notRead].reduce(
    (sum, { count }) => sum + count,
    points + nulls + duplicates + conflicts,
  );
}

async function imported(dataset: string, files: readonly string[]): Promise<ImportReport> {
  const report = await importDataset(store, await importerOfFixture(dataset), { ...ANY, files });
  expect(report.added + report.unchanged).toBe(report.points + report.nulls);
  return report;
}

/** Lines below the header. */
const dataLines = (name: string): number => text(name).trimEnd().split('\n').length - 1;

async function cornParquet(): Promise<string> {
  const columns = {
    year: Int32Array.of(1988, 1988, 1989),
    state: ['Iowa', 'Atlantis', 'Iowa'],
    acres: [1, 2, 3],
    yield: [4, 5, 6],
    remark: ['a', 'b', 'c'],
  };
  return file('corn.parquet', await frame(tableFromArrays(columns)).toParquet());
}

/** The bulk file's rows as an answer of the API; a row with other columns becomes one without value. */
function apiAnswer(): string {
  const [header, ...rows] = text('nass/quick-stats.tsv').trimEnd().split('\n');
  const keys = header!.toLowerCase().split('\t');
  const records = rows.map((row) =>
    Object.fromEntries(row.split('\t').map((field, i) => [keys[i] ?? 'more', field])),
  );
  return file('answer.json', JSON.stringify({ data: records }));
}

/** Values of a line of those files that have several, and lines that have none, where that is not one header. */
const VALUES: Readonly<Record<string, readonly [values: number, others?: number]>> = {
  'ghcnd/small.dly': [31, 0],
  'ghcnd/by-year.csv': [1, 0],
  // PRCP, SNOW, TMAX, TMIN and WT01; PRCP, TMAX and TMIN.
  'cdo/cdo-standard.csv': [5],
  'cdo/cdo-metric.csv': [3],
  'power/power.csv': [5, 14],
  'power/power-by-month.csv': [1, 6],
  // Area, production and yield.
  'conab/SerieHistoricaGraos.txt': [3],
  'ecb/eurofxref-hist.csv': [5],
  // None and five categories; in the last file, also a column that is not read.
  'usdm/county-ByAreaPercent.csv': [6],
  'usdm/county-ByArea.csv': [6],
  'usdm/state-ByPopulation.csv': [7],
  // 129 columns, of which 11 describe the row; 191 columns, of which 13 do.
  'cot/annual.txt': [118],
  'cot/f_year.txt': [178],
};

/** The rows, or values, of a fixture; null for a document whose values a line are not listed. */
function rowsOf(dataset: string, path: string): number | null {
  const content = readFileSync(path, 'utf8');
  if (DOCUMENT_NAMES.includes(dataset) && !(path.replace('test/fixtures/', '') in VALUES)) return null;
  if (path.endsWith('.xml')) return content.match(/cell_value\d*=/g)!.length;
  const [values, others = 1] = VALUES[path.replace('test/fixtures/', '')] ?? [1];
  return values * (content.trimEnd().split('\n').length - others);
}

type Files = readonly [dataset: string, files: readonly string[], rows: number | null];

/** The fixtures of every data set, and more forms of some. */
const FORMATS: readonly Files[] = [
  ...(await datasetFixtures())
    .filter(([, path]) => !path.endsWith('ghcnd-stations.txt'))
    .map(([dataset, path]): Files => [dataset, [path], rowsOf(dataset, path)]),
  ['nass', [apiAnswer()], dataLines('nass/quick-stats.tsv')],
  [
    'faostat',
    [
      file(
        'bulk.zip',
        zipped({ 'a.csv': text('faostat/bulk-new.csv'), 'b.csv': text('faostat/bulk-old.csv') }),
      ),
    ],
    dataLines('faostat/bulk-new.csv') + dataLines('faostat/bulk-old.csv'),
  ],
  // Two columns of values.
  ['csv', [fixture('csv/corn.tsv')], 2 * dataLines('csv/corn.tsv')],
  // Two columns of values and one that is not mapped.
  ['csv', [await cornParquet()], 3 * 3],
  // Two columns of values, a second one with the name of the first, and one without a name.
  ['csv', [file('twice.tsv', 'year\tstate\tacres\tyield\tAcres\t\n1988\tIowa\t1\t2\t3\t4\n')], 4],
  ['demo', [], 8908],
];

describe('the account of an import', () => {
  it.each(someOf(FORMATS, 6))(
    'of %s, %j, adds up to its rows, also when they are imported twice at once',
    async (dataset, files, rows) => {
      const report = await imported(dataset, files);
      expect([report.rows, sumOf(report)]).toEqual([rows ?? report.rows, report.rows]);
      if (files.length === 0) return;
      const twice = await imported(dataset, [...files, ...files]);
      expect([twice.rows, sumOf(twice)]).toEqual([2 * report.rows, 2 * report.rows]);
      expect(twice.points + twice.nulls).toBe(report.points + report.nulls);
      const repeated = report.points + report.nulls + 2 * report.duplicates;
      expect([twice.duplicates, twice.conflicts]).toEqual([repeated, 2 * report.conflicts]);
    },
  );

  it('covers every data set', () => {
    expect(new Set(FORMATS.map(([dataset]) => dataset))).toEqual(new Set([...DATASETS, 'csv']));
  });

  it('counts what is rejected by reason, and what is not read by kind', async () => {
    const { rejectedBy, rejectedRows } = await imported('nass', [fixture('nass/quick-stats.tsv')]);
    expect(rejectedRows).toBe(4);
    expect(rejectedBy).toEqual(
      expect.arrayContaining([
        { kind: 'the VALUE "…" is neither a number nor a remark, "…"', count: 1 },
        { kind: 'the state FIPS code … is unknown', count: 1 },
      ]),
    );
    expect(account(await imported('ghcnd', [fixture('ghcnd/small.dly')]))).toEqual({
      rows: 279,
      points: 8,
      nulls: 1,
      duplicates: 0,
      conflicts: 0,
      rejected: { 'the line does not have the form that the data set describes': 93 },
      notRead: { 'missing values (-9999)': 146, WT01: 31 },
    });
    expect(account(await imported('cdo', [fixture('cdo/cdo-standard.csv')]))).toEqual({
      rows: 20,
      points: 5,
      nulls: 1,
      duplicates: 0,
      conflicts: 0,
      rejected: { 'the date "…" is not in the calendar': 5, 'the TMAX "…" is not a number': 5 },
      notRead: { 'empty cells': 2, WT01: 2 },
    });
    const twice = file('twice.tsv', 'year\tstate\tacres\tyield\tAcres\t\n1988\tIowa\t1\t2\t3\t4\n');
    expect((await imported('csv', [twice])).notRead).toEqual([
      { kind: 'Acres (column 5)', count: 1 },
      { kind: 'column 6', count: 1 },
    ]);
    expect(account(await imported('csv', [await cornParquet()]))).toEqual({
      rows: 9,
      points: 4,
      nulls: 0,
      duplicates: 0,
      conflicts: 0,
      rejected: { 'there is no region at the level "…" called "…"': 3 },
      notRead: { remark: 2 },
    });
  });

  it('fails when rows are lost', async () => {
    const importer = {
      dataset: 'lossy',
      summary: '',
      needsFiles: false,
      async *read() {
        yield { read: 3, notRead: new Map([['notes', 2]]) };
      },
    };
    await expect(importDataset(store, importer)).rejects.toThrow('the report accounts for 2 of 3 rows');
  });
});
