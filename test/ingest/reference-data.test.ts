import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { demo } from '../../src/ingest/demo/demo.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { Importer } from '../../src/ingest/importer.js';
import { readReferenceData } from '../../src/ingest/reference-data.js';
import { SHAPES_VERSION } from '../../src/ingest/regions/atlas.js';
import { CENTRES_VERSION } from '../../src/ingest/regions/centre.js';
import { loadRegionTree } from '../../src/ingest/regions/tree.js';
import type { Store, StoreTransaction } from '../../src/store/store.js';
import { newStore } from './stores.js';

const IOWA = 'Adams County, Iowa';

/** The store, which notes the names of the entities and the number of shapes that imports put into it. */
function watched(store: Store): { store: Store; put: (string | number)[] } {
  const put: (string | number)[] = [];
  const begin = async () => {
    const transaction = await store.begin();
    const watching: StoreTransaction = {
      ...bound(transaction),
      putEntities(type, entities) {
        put.push(...entities.map(({ name }) => name));
        return transaction.putEntities(type, entities);
      },
      putShapes(shapes) {
        put.push(shapes.length);
        return transaction.putShapes(shapes);
      },
    };
    return watching;
  };
  return { store: { ...store, begin }, put };
}

function bound(transaction: StoreTransaction): StoreTransaction {
  return {
    putEntities: (type, entities) => transaction.putEntities(type, entities),
    putShapes: (shapes) => transaction.putShapes(shapes),
    putOnce: (digest, put) => transaction.putOnce(digest, put),
    putIdRedirects: (redirects) => transaction.putIdRedirects(redirects),
    putImportedSources: (imported) => transaction.putImportedSources(imported),
    putPoints: (points) => transaction.putPoints(points),
    putFetch: (fetch) => transaction.putFetch(fetch),
    removeFetch: (fetch) => transaction.removeFetch(fetch),
    settle: (options) => transaction.settle(options),
    commit: (options) => transaction.commit(options),
    rollback: () => transaction.rollback(),
  };
}

it('is compared with a store once, and again when an import has replaced some of it', async () => {
  const { store, put } = watched(await newStore());
  await importDataset(store, demo);
  for (const one of ['Area harvested', 'Corn', IOWA, 7036]) expect(put.includes(one), String(one)).toBe(true);
  put.length = 0;
  expect(await importDataset(store, demo)).toMatchObject({ entities: 0 });
  expect(put).not.toContain(IOWA);
  expect(put).not.toContain('Corn');
  expect(put.filter((one) => typeof one === 'number')).toEqual([]);
  const corn = (await store.searchDocuments('items')).find(({ name }) => name === 'Corn')!;
  const renaming: Importer = {
    dataset: 'renaming',
    summary: '',
    needsFiles: false,
    async *read() {
      yield* readReferenceData([]);
      yield { entities: { items: [{ id: corn.id, name: 'Renamed', definition: '', belongsTo: [] }] } };
    },
  };
  put.length = 0;
  expect(await importDataset(store, renaming)).toMatchObject({ entities: 1 });
  expect(put).toEqual(['Renamed']);
  put.length = 0;
  expect(await importDataset(store, demo)).toMatchObject({ entities: 1 });
  expect(put).toContain('Corn');
  expect(put).not.toContain(IOWA);
  expect(await store.lookup('items', [corn.id])).toMatchObject([{ name: 'Corn' }]);
});

it('has a version for the centres that are found in the atlases', async () => {
  const { centred } = await loadRegionTree();
  const centres = centred.map(({ id, latitude, longitude }) => [id, latitude, longitude]);
  const content = createHash('sha256').update(JSON.stringify(centres)).digest('hex');
  // Increment CENTRES_VERSION when the content changes: stores that have the older centres then get the new ones.
  expect({ version: CENTRES_VERSION, content }).toEqual({
    version: 1,
    content: '19f9058d329f290ef85b17e372085faf6d3fd193974cefb154e6b3f5bd9c6a1a',
  });
});

it('has a version for the shapes that are made of the atlases', async () => {
  const { shapes } = await loadRegionTree();
  const content = createHash('sha256').update(JSON.stringify(shapes)).digest('hex');
  // Increment SHAPES_VERSION when the content changes: stores that have the older shapes then get the new ones.
  expect({ version: SHAPES_VERSION, content }).toEqual({
    version: 1,
    content: 'b8b6554a1ec8d840b89ee5ba4a0ab855c0303b6a490cf7bb5e2292f6b1cd506a',
  });
});
