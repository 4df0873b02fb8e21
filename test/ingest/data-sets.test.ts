import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defineDataset, documentImporter } from '../../src/ingest/document/define-dataset.js';
import { readDocument } from '../../src/ingest/document/documents.js';
import { parseDataSet } from '../../src/ingest/document/parse-form.js';
import { dryRun } from '../../src/ingest/dry-run.js';
import { temporaryFiles } from '../temporary-files.js';
import { type Collected, collect, figureLines } from './collect.js';
import { zipped } from './zipped.js';

const SDMX = 'test/fixtures/eurostat-crops/apro_cpsh1.csv';
const TSV = 'test/fixtures/eurostat-crops/apro_cpsh1.tsv';
const CANADA = 'test/fixtures/statistics-canada-crops/32100359.csv';
const WORLD_BANK = 'test/fixtures/world-bank-cereals/API_AG.YLD.CREL.KG_DS2_en_csv_v2.csv';
const { file } = temporaryFiles();

const read = (file: string, document: string | object): Promise<Collected> =>
  collect(typeof document === 'string' ? documentImporter(document) : defineDataset(document), {
    files: [file],
  });

describe("Eurostat's crop production", () => {
  it('has the same points as TSV, with a column for each year', async () => {
    const [tsv, sdmx] = [await read(TSV, 'eurostat-crops'), await read(SDMX, 'eurostat-crops')];
    expect(tsv.rejected).toEqual([]);
    expect(figureLines(tsv).sort()).toEqual(figureLines(sdmx).sort());
    const remarks = ({ points }: Collected) => points.map(({ metadata }) => JSON.stringify(metadata)).sort();
    expect(remarks(tsv)).toEqual(remarks(sdmx));
  });

  it('has the same points without flags where the linear CSV has no column of them', async () => {
    const lines = readFileSync(SDMX, 'utf8').replaceAll(/(,[^,]*){2}$/gm, '');
    const [plain, flagged] = [
      await read(file('linear.csv', lines), 'eurostat-crops'),
      await read(SDMX, 'eurostat-crops'),
    ];
    expect(plain.points.filter(({ metadata }) => metadata !== null)).toEqual([]);
    expect(figureLines(plain)).toEqual(figureLines(flagged).filter((line) => !line.includes('null')));
  });

  it('reads a column once whose date another one repeats, and says so', async () => {
    const path = file('repeated.tsv', readFileSync(TSV, 'utf8').replace('2023', '2022'));
    const report = await dryRun(documentImporter('eurostat-crops'), { files: [path] });
    expect(report).toMatchObject({ rows: 12, points: 3, nulls: 0 });
    expect(report.notRead).toContainEqual({ kind: '2022 (column 6)', count: 6 });
  });
});

describe('a document that ships', () => {
  it.each([
    ['statistics-canada-crops', CANADA, '32100359_MetaData.csv', '"Cube Title"\n'],
    ['world-bank-cereals', WORLD_BANK, 'Metadata_Country_API_x.csv', '"Country Code","Region",\n'],
  ])('reads the archive without its notes: %s', async (name, path, notes, text) => {
    const entries = { [notes]: text, [path.split('/').at(-1)!]: readFileSync(path, 'utf8') };
    const all = await read(file('archive.zip', zipped(entries)), name);
    expect([all.rejected, all.points]).toEqual([[], (await read(path, name)).points]);
  });

  it.each([
    ['statistics-canada-crops', CANADA, (row: string, name: string) => row.replace('Canada', name)],
    ['eurostat-crops', SDMX, (row: string, name: string) => row.replace(',FR,', `,${name},`)],
  ])('names regions that the region tree has: %s', async (document, path, rename) => {
    const [header, row] = readFileSync(path, 'utf8').split('\n');
    const { region } = readDocument(document) as { readonly region: { readonly names: object } };
    const names = Object.keys(region.names);
    const lines = [header, ...names.map((name) => rename(row!, name))];
    const all = await read(file('regions.csv', lines.join('\n')), document);
    expect(all.rejected).toEqual([]);
    expect(new Set(all.points.map(({ region_id }) => region_id)).size).toBe(names.length);
  });

  it('can be extended by keys of one’s own', async () => {
    const document = { extends: 'eurostat-crops', only: { freq: 'A', geo: ['EL', 'DE'] } };
    expect((await read(SDMX, document)).points).toHaveLength(1);
    const [all] = parseDataSet({ extends: 'world-bank-cereals', skip: null }).forms;
    expect(all).toMatchObject({ filters: [], start_date: { header: 'YYYY' } });
  });
});
