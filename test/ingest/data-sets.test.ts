import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defineDataset, documentImporter } from '../../src/ingest/document/define-dataset.js';
import { readDocument } from '../../src/ingest/document/documents.js';
import { parseDataSet } from '../../src/ingest/document/parse-form.js';
import { dryRun } from '../../src/ingest/dry-run.js';
import { ITEMS } from '../../src/ingest/vocabulary/items.js';
import { METRICS } from '../../src/ingest/vocabulary/metrics.js';
import { findUnitId } from '../../src/ingest/vocabulary/units.js';
import { temporaryFiles } from '../temporary-files.js';
import { type Collected, collect } from './collect.js';
import { zipped } from './zipped.js';

const SDMX = 'test/fixtures/eurostat-crops/apro_cpsh1.csv';
const TSV = 'test/fixtures/eurostat-crops/apro_cpsh1.tsv';
const CANADA = 'test/fixtures/statistics-canada-crops/32100359.csv';
const WORLD_BANK = 'test/fixtures/world-bank-cereals/API_AG.YLD.CREL.KG_DS2_en_csv_v2.csv';
const { file } = temporaryFiles();

/** The names of a document that ships, by the texts of its columns. */
function namesOf(document: string): Record<'metric' | 'item' | 'unit' | 'region', Record<string, string>> {
  const keys = readDocument(document) as Record<string, { readonly names?: Record<string, string> }>;
  const names = (key: string) => keys[key]?.names ?? {};
  return { metric: names('metric'), item: names('item'), unit: names('unit'), region: names('region') };
}

const read = (file: string, document: string | object): Promise<Collected> =>
  collect(typeof document === 'string' ? documentImporter(document) : defineDataset(document), {
    files: [file],
  });

function figures({ points, entities }: Collected): unknown[] {
  const rows = points.map((point) => [
    entities.metrics.get(point.metric_id)!.name,
    entities.items.get(point.item_id)!.name,
    entities.regions.get(point.region_id)!.name,
    `${point.start}/${point.end}`,
    point.value,
    entities.units.get(point.unit_id)!.abbreviation,
    point.metadata,
  ]);
  return rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

describe("Eurostat's crop production", () => {
  it('is read as SDMX-CSV, with its flags; sums, mixtures and other measures are not read', async () => {
    const all = await read(SDMX, 'eurostat-crops');
    expect(all.rejected).toEqual([]);
    expect(figures(all)).toEqual([
      ['Area harvested', 'Corn', 'France', '2022-01-01/2022-12-31', 1457.09, 'kha', null],
      ['Area harvested', 'Corn', 'France', '2023-01-01/2023-12-31', 1312.4, 'kha', { flag: 'p' }],
      ['Production quantity', 'Corn', 'France', '2022-01-01/2022-12-31', 10_876.3, 'kt', null],
      ['Production quantity', 'Corn', 'France', '2023-01-01/2023-12-31', null, 'kt', { flag: 'c' }],
      ['Yield', 'Barley', 'Greece', '2022-01-01/2022-12-31', 2.61, 't/ha', { flag: 'e' }],
    ]);
  });

  it('has the same points as TSV, with a column for each year', async () => {
    const [tsv, sdmx] = [await read(TSV, 'eurostat-crops'), await read(SDMX, 'eurostat-crops')];
    expect(tsv.rejected).toEqual([]);
    expect(figures(tsv)).toEqual(figures(sdmx));
  });

  it('has the same points without flags where the linear CSV has no column of them', async () => {
    const lines = readFileSync(SDMX, 'utf8').replaceAll(/(,[^,]*){2}$/gm, '');
    const plain = figures(await read(file('linear.csv', lines), 'eurostat-crops')) as unknown[][];
    const flagged = figures(await read(SDMX, 'eurostat-crops')) as unknown[][];
    const valued = flagged.filter((point) => point[4] !== null);
    expect(plain).toEqual(valued.map((point) => [...point.slice(0, -1), null]));
  });

  it('reads a column once whose date another one repeats, and says so', async () => {
    const path = file('repeated.tsv', readFileSync(TSV, 'utf8').replace('2023', '2022'));
    const report = await dryRun(documentImporter('eurostat-crops'), { files: [path] });
    expect(report).toMatchObject({ rows: 12, points: 3, nulls: 0 });
    expect(report.notRead).toContainEqual({ kind: '2022 (column 6)', count: 6 });
  });

  it('rejects a row whose key has other parts', async () => {
    const path = file('odd.tsv', `${readFileSync(TSV, 'utf8')}A,C1500,FR\t1 \t2 \n`);
    const { rejected } = await read(path, 'eurostat-crops');
    expect(rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [8, 'the key "A,C1500,FR" has 3 parts, but "freq,crops,strucpro,geo" has 4'],
    ]);
  });
});

describe('field crops of Statistics Canada', () => {
  it('are read in metric units, with their flags, from the archive without its metadata', async () => {
    const path = file(
      '32100359-eng.zip',
      zipped({ '32100359.csv': readFileSync(CANADA, 'utf8'), '32100359_MetaData.csv': '"Cube Title"\n' }),
    );
    const expected = [
      ['Area harvested', 'Durum wheat', 'Quebec', '2023-01-01/2023-12-31', null, 'ha', { flag: '..' }],
      ['Area planted', 'Canola', 'Canada', '2023-01-01/2023-12-31', 8_812_300, 'ha', null],
      ['Production quantity', 'Corn', 'Ontario', '2023-01-01/2023-12-31', 9_021_400, 't', null],
      ['Yield', 'Spring wheat', 'Saskatchewan', '2023-01-01/2023-12-31', 2411, 'kg/ha', null],
      ['Yield', 'Spring wheat', 'Saskatchewan', '2024-01-01/2024-12-31', 2688, 'kg/ha', { flag: 'E' }],
    ];
    for (const file of [CANADA, path]) {
      const all = await read(file, 'statistics-canada-crops');
      expect([all.rejected, figures(all)]).toEqual([[], expected]);
    }
  });

  it('name provinces that the region tree has', async () => {
    const [header, first] = readFileSync(CANADA, 'utf8').split('\n');
    const places = Object.keys(namesOf('statistics-canada-crops').region);
    const path = file(
      'provinces.csv',
      [header, ...places.map((name) => first!.replace('Canada', name))].join('\n'),
    );
    const all = await read(path, 'statistics-canada-crops');
    expect(all.rejected).toEqual([]);
    expect(new Set(all.points.map(({ region_id }) => region_id)).size).toBe(places.length);
  });
});

describe('cereals of the World Bank', () => {
  const YIELDS = [
    ['Yield', 'Cereals', 'Brazil', '2021-01-01/2021-12-31', 4539.6, 'kg/ha', null],
    ['Yield', 'Cereals', 'Brazil', '2022-01-01/2022-12-31', 5241.1, 'kg/ha', null],
    ['Yield', 'Cereals', 'South Korea', '2021-01-01/2021-12-31', 6940, 'kg/ha', null],
    ['Yield', 'Cereals', 'South Korea', '2022-01-01/2022-12-31', 7018.4, 'kg/ha', null],
  ];

  it('are read from below the title, without groups of countries', async () => {
    const all = await read(WORLD_BANK, 'world-bank-cereals');
    expect([all.rejected, figures(all)]).toEqual([[], YIELDS]);
  });

  it('are read from the archive, without its files of notes', async () => {
    const notes = '"Country Code","Region","IncomeGroup","SpecialNotes","TableName",\n';
    const text = readFileSync(WORLD_BANK, 'utf8');
    const archive = zipped({
      'Metadata_Country_API_AG.YLD.CREL.KG_x.csv': notes,
      'API_AG.YLD.CREL.KG_x.csv': text,
    });
    const path = file('API_AG.YLD.CREL.KG_DS2_en_csv_v2.zip', archive);
    expect(figures(await read(path, 'world-bank-cereals'))).toEqual(YIELDS);
  });
});

describe('a document that ships', () => {
  it('names only what the vocabulary and the region tree have', async () => {
    const has = (known: readonly { readonly name: string }[]) => new Set(known.map(({ name }) => name));
    for (const document of ['eurostat-crops', 'statistics-canada-crops', 'world-bank-cereals']) {
      const { metric, item, unit } = namesOf(document);
      for (const name of Object.values(metric)) expect(has(METRICS)).toContain(name);
      for (const name of Object.values(item)) expect(has(ITEMS)).toContain(name);
      for (const name of Object.values(unit)) expect(findUnitId(name)).toBeTypeOf('number');
    }
    const [header, first] = readFileSync(SDMX, 'utf8').split('\n');
    const rows = Object.keys(namesOf('eurostat-crops').region).map((code) =>
      first!.replace(',FR,', `,${code},`),
    );
    const path = file('countries.csv', [header, ...rows].join('\n'));
    const all = await read(path, 'eurostat-crops');
    expect(all.rejected).toEqual([]);
    expect(new Set(all.points.map(({ region_id }) => region_id)).size).toBe(rows.length);
  });

  it('can be extended by keys of one’s own', async () => {
    const document = { extends: 'eurostat-crops', only: { freq: 'A', geo: ['EL', 'DE'] } };
    expect(figures(await read(SDMX, document))).toHaveLength(1);
    const [all] = parseDataSet({ extends: 'world-bank-cereals', skip: null }).forms;
    expect(all).toMatchObject({ filters: [], start_date: { header: 'YYYY' } });
  });
});
