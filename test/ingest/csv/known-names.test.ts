import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { csv } from '../../../src/ingest/csv/csv.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { readReferenceData } from '../../../src/ingest/reference-data.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { copyFilledStore } from '../../store-templates.js';

const MAPPING = {
  source: { name: 'Yields' },
  region: { column: 'place' },
  start_date: { column: 'year', format: 'YYYY' },
  metric: { name: 'Yield' },
  item: { name: 'Corn' },
  unit: { name: 'tonne' },
  value: 'yield',
  names: 'nearest',
};

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cropframe-names-'));
  const path = join(folder, 'data.duckdb');
  await copyFilledStore('regions', path, (empty) =>
    importDataset(empty, {
      dataset: 'test',
      summary: '',
      needsFiles: false,
      read: () => readReferenceData([]),
    }),
  );
  rmSync(`${path}.search-regions`);
  store = await openStore(path);
  // A name that no other store of this process has, whose index this one could use.
  const transaction = await store.begin();
  await transaction.putEntities('regions', [
    {
      ...{ id: -1, name: `Place of ${folder}`, definition: '', level: 8, belongsTo: [] },
      ...{ latitude: null, longitude: null, historical: false },
    },
  ]);
  await transaction.commit();
});
afterEach(async () => {
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

const hasIndex = () => existsSync(join(folder, 'data.duckdb.search-regions'));

async function importPlaces(...places: string[]) {
  const file = join(folder, 'yields.csv');
  writeFileSync(file, `place,year,yield\n${places.map((place) => `"${place}",2020,1`).join('\n')}\n`);
  const { notes } = await importDataset(store, csv, { files: [file], settings: { mapping: MAPPING } });
  const regions: number[] = [];
  for await (const series of store.series({ selection: {}, includeHistorical: true }))
    regions.push(...series.map(({ region_id }) => region_id));
  return { notes, regions: regions.sort((a, b) => a - b) };
}

it('are found as they are written without an index', async () => {
  const { notes, regions } = await importPlaces('Story County, Iowa', 'FRANCE', 'Cote d’Ivoire');
  expect(regions).toEqual([250, 384, 119_169]);
  expect(notes).toEqual([]);
  expect(hasIndex()).toBe(false);
});

it('are indexed when one is written otherwise, and the store keeps the index', async () => {
  const misspelt = await importPlaces('Kazakstan', 'France');
  expect(misspelt.regions).toEqual([250, 398]);
  expect(misspelt.notes).toEqual([expect.stringContaining('the nearest, Kazakhstan, Asia (398), was used')]);
  expect(hasIndex()).toBe(true);
});

it('are those of the index that the store keeps', async () => {
  await importPlaces('Kazakstan');
  const searched: string[] = [];
  const watched: Store = {
    ...store,
    searchDocuments(type) {
      searched.push(type);
      return store.searchDocuments(type);
    },
  };
  const file = join(folder, 'again.csv');
  writeFileSync(file, 'place,year,yield\nKazakhstan,2021,2\n');
  await importDataset(watched, csv, { files: [file], settings: { mapping: MAPPING } });
  expect(searched).not.toContain('regions');
});
