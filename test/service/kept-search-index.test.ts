import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SearchIndexes } from '../../src/service/search.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { countRuns } from '../endurance.js';
import { temporaryFolder } from '../temporary-files.js';

/** So many names that their index is worth keeping. */
const NAMES = ['Kazakhstan', ...Array.from({ length: 5_000 }, (_, i) => `Station ${i}`)];

const folder = temporaryFolder();
let path: string;
let keptFile: string;
let other: Store;

async function putRegions(store: Store, names: readonly string[], firstId: number): Promise<void> {
  const standard = { definition: '', belongsTo: [], level: 8, historical: false };
  const transaction = await store.begin();
  await transaction.putEntities(
    'regions',
    names.map((name, i) => ({ ...standard, id: firstId + i, name, latitude: null, longitude: null })),
  );
  await transaction.commit();
}

beforeAll(async () => {
  other = await openStore(':memory:');
  await putRegions(other, ['Elsewhere'], 1);
  path = join(folder, 'data.duckdb');
  keptFile = `${path}.search-regions`;
  const store = await openStore(path);
  await putRegions(store, NAMES, 1).finally(() => store.close());
});
afterAll(async () => {
  await other?.close();
});
beforeEach(() => rmSync(keptFile, { force: true, recursive: true }));

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
  const found = new SearchIndexes(watched).searchNames('regions', text).finally(() => store.close());
  return [(await found)[0]?.name, isNew];
}

it('is built once and kept beside the store, also of a store that is open for reading only', async () => {
  const files = readdirSync(folder);
  expect(await searchAfterStart('Kazakhstan', { read_only: true })).toEqual(['Kazakhstan', true]);
  expect(readdirSync(folder).sort()).toEqual([...files, 'data.duckdb.search-regions'].sort());
  expect(await searchAfterStart('Kazakstan')).toEqual(['Kazakhstan', false]);
});

it('is built again when names have changed', async () => {
  await searchAfterStart('Kazakhstan');
  const store = await openStore(path);
  await putRegions(store, ['Zanzibar'], 10_000).finally(() => store.close());
  expect(await searchAfterStart('Zanzibar')).toEqual(['Zanzibar', true]);
  expect(await searchAfterStart('Zanzibar')).toEqual(['Zanzibar', false]);
});

it('never answers from a file that is damaged', async () => {
  await searchAfterStart('Kazakhstan');
  const whole = readFileSync(keptFile);
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
      writeFileSync(keptFile, bytes);
      const [found, isNew] = await searchAfterStart('Kazakhstan');
      expect(found).toBe('Kazakhstan');
      // The four bytes after the checksum are padding.
      expect(isNew || Buffer.from(bytes).fill(0, 12, 16).equals(whole)).toBe(true);
    }),
    { numRuns: countRuns({ quick: 3, all: 30 }) },
  );
});

it('is done without where it cannot be kept', async () => {
  mkdirSync(keptFile);
  expect(await searchAfterStart('Kazakhstan')).toEqual(['Kazakhstan', true]);
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
});
