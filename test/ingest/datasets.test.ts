import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tableFromArrays } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { frame } from '../../src/frame/frame.js';
import { DATASETS, recogniseDatasets } from '../../src/ingest/datasets.js';
import { someOf } from '../endurance.js';
import { temporaryFiles } from '../temporary-files.js';
import { zipped } from './zipped.js';

const { folder, file } = temporaryFiles();

/** The files in folders with the name of a data set. */
const FIXTURES = DATASETS.filter((dataset) => existsSync(join('test/fixtures', dataset))).flatMap((dataset) =>
  readdirSync(join('test/fixtures', dataset))
    .filter((name) => /\.(csv|dly|json|tsv|txt|xml)$/.test(name) && name !== 'expected.json')
    .map((name): [string, string[]] => [join(dataset, name), [dataset]]),
);

describe('recogniseDatasets', () => {
  it.each([...FIXTURES, ['csv/corn.tsv', []], ['csv/corn.json', []]])(
    'recognises %s',
    async (name, datasets) => {
      expect(await recogniseDatasets(join('test/fixtures', name))).toEqual(datasets);
    },
  );

  it.each(someOf(FIXTURES, 6))('recognises %s compressed', async (name, datasets) => {
    const bytes = readFileSync(join('test/fixtures', name));
    expect(await recogniseDatasets(file('a.gz', gzipSync(bytes)))).toEqual(datasets);
    const archive = zipped({ 'readme.txt': 'see the other', 'data.txt': bytes });
    expect(await recogniseDatasets(file('a.zip', archive))).toEqual(datasets);
  });

  it('recognises nothing in damaged, empty or missing files', async () => {
    expect(await recogniseDatasets(file('a.parquet', 'PAR1...'))).toEqual([]);
    expect(await recogniseDatasets(file('empty', ''))).toEqual([]);
    expect(await recogniseDatasets(join(folder, 'nowhere'))).toEqual([]);
    expect(await recogniseDatasets(folder)).toEqual([]);
  });

  it('recognises Parquet by the columns that identify a document, and never by a text alone', async () => {
    const columnsOf = (...names: string[]) =>
      frame(tableFromArrays(Object.fromEntries(names.map((name) => [name, ['1']])))).toParquet();
    const psd = await columnsOf('Commodity_Code', 'Market_Year', 'Attribute_ID', 'more');
    expect(await recogniseDatasets(file('psd.parquet', psd))).toEqual(['psd']);
    expect(await recogniseDatasets(file('own.parquet', await columnsOf('year', 'tonnes')))).toEqual([]);
  });
});
