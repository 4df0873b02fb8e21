import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { Importer } from '../../src/ingest/importer.js';
import { SearchIndexes } from '../../src/service/search.js';
import { openStore } from '../../src/store/open.js';
import type { NewEntity, Store } from '../../src/store/store.js';
import { countRuns } from '../endurance.js';
import { copyRegionStore } from '../store-templates.js';

const importing = (read: Importer['read']): Importer => ({
  dataset: 'test',
  summary: '',
  needsFiles: false,
  read,
});
const region = (id: number, name: string): NewEntity<'regions'> => ({
  ...{
    id,
    name,
    definition: '',
    belongsTo: [],
    level: 8,
    latitude: null,
    longitude: null,
    historical: false,
  },
});

let folder: string;
let path: string;
let other: Store;

beforeAll(async () => {
  other = await openStore(':memory:');
  const transaction = await other.begin();
  await transaction.putEntities('regions', [region(1, 'Elsewhere')]);
  await transaction.commit();
});
afterAll(() => other?.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kept-'));
  path = join(folder, 'data.duckdb');
  await copyRegionStore(path);
  rmSync(keptFile(), { force: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const keptFile = () => `${path}.search-regions`;

/** Searches as a process that has just started. @returns the first name found, and whether the names were indexed anew */
async function searchAfterStart(text: string, options = {}): Promise<[string | undefined, boolean]> {
  // The process remembers its last index of regions: from now on, that of another store.
  await new SearchIndexes(other).searchNames('regions', 'Elsewhere');
  const store = await openStore(path, options);
  let isNew = false;
  const watched: Store = {
    ...store,
    searchDocuments(type) {
      isNew = true;
      return store.searchDocuments(type);
    },
  };
  try {
    return [(await new SearchIndexes(watched).searchNames('regions', text))[0]?.name, isNew];
  } finally {
    await store.close();
  }
}

it('is built once and kept beside the store, also of a store that is open for reading only', async () => {
  const files = readdirSync(folder);
  expect(await searchAfterStart('Kazakhstan', { read_only: true })).toEqual(['Kazakhstan', true]);
  expect(readdirSync(folder).sort()).toEqual([...files, 'data.duckdb.search-regions'].sort());
  expect(await searchAfterStart('Kazakstan')).toEqual(['Kazakhstan', false]);
  expect(await searchAfterStart('Adams County, Iowa')).toEqual(['Adams County, Iowa', false]);
});

it('is built again when names have changed', async () => {
  await searchAfterStart('Kazakhstan');
  const store = await openStore(path);
  await importDataset(
    store,
    importing(async function* () {
      yield { entities: { regions: [region(-1, 'Zanzibar Test Station')] } };
    }),
  );
  await store.close();
  expect(await searchAfterStart('Zanzibar Test Station')).toEqual(['Zanzibar Test Station', true]);
  expect(await searchAfterStart('Zanzibar Test Station')).toEqual(['Zanzibar Test Station', false]);
});

it('never answers from a file that is damaged', async () => {
  await searchAfterStart('Kazakhstan');
  const whole = readFileSync(keptFile());
  const damage = fc.oneof(
    fc.nat(whole.length - 1).map((length) => whole.subarray(0, length)),
    fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, mask]) => {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= mask;
      return damaged;
    }),
    fc.uint8Array({ maxLength: 100 }),
  );
  await fc.assert(
    fc.asyncProperty(damage, async (bytes) => {
      writeFileSync(keptFile(), bytes);
      const [found, isNew] = await searchAfterStart('Kazakhstan');
      expect(found).toBe('Kazakhstan');
      // The four bytes after the checksum are padding.
      expect(isNew || Buffer.from(bytes).fill(0, 12, 16).equals(whole)).toBe(true);
    }),
    { numRuns: countRuns({ quick: 3, all: 30 }) },
  );
});

it('is done without where it cannot be kept', async () => {
  mkdirSync(keptFile());
  expect(await searchAfterStart('Kazakhstan')).toEqual(['Kazakhstan', true]);
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
});
