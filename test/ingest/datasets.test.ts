import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { recogniseDatasets } from '../../src/ingest/datasets.js';
import { zipped } from './zipped.js';

const folder = mkdtempSync(join(tmpdir(), 'cropframe-recognise-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, bytes: string | Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

describe('recogniseDatasets', () => {
  it.each([
    ['nass/quick-stats.tsv', ['nass']],
    ['nass/web-export.csv', ['nass']],
    ['wasde/wasde1212.xml', ['wasde']],
    ['psd/grains.csv', ['psd']],
    ['faostat/web-export.csv', ['faostat']],
    ['faostat/bulk-new.csv', ['faostat']],
    ['faostat/bulk-old.csv', ['faostat']],
    ['weather/small.dly', ['ghcnd']],
    ['weather/by-year.csv', ['ghcnd']],
    ['weather/cdo-standard.csv', ['cdo']],
    ['weather/power.csv', ['power']],
    ['usdm/county-ByAreaPercent.csv', ['usdm']],
    ['usdm/state-ByPopulation.csv', ['usdm']],
    ['cot/annual.txt', ['cot']],
    ['conab/SerieHistoricaGraos.txt', ['conab']],
    ['cot/f_year.txt', ['cot']],
    ['csv/corn.tsv', []],
    ['csv/corn.mapping.json', []],
  ])('recognises %s, also compressed', async (name, datasets) => {
    const path = join('test/fixtures', name);
    expect(await recogniseDatasets(path)).toEqual(datasets);
    const bytes = readFileSync(path);
    expect(await recogniseDatasets(file('a.gz', gzipSync(bytes)))).toEqual(datasets);
    const archive = zipped({ 'readme.txt': 'see the other', 'data.txt': bytes.toString() });
    expect(await recogniseDatasets(file('a.zip', archive))).toEqual(datasets);
  });

  it('recognises Parquet, and nothing in empty or missing files', async () => {
    expect(await recogniseDatasets(file('a.parquet', 'PAR1...'))).toEqual(['csv']);
    expect(await recogniseDatasets(file('empty', ''))).toEqual([]);
    expect(await recogniseDatasets(join(folder, 'nowhere'))).toEqual([]);
    expect(await recogniseDatasets(folder)).toEqual([]);
  });
});
