import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { Importer } from '../../src/ingest/importer.js';
import { readReferenceData } from '../../src/ingest/reference-data.js';
import { loadRegionTree } from '../../src/ingest/regions/tree.js';
import type { Store, StoreTransaction } from '../../src/store/store.js';
import { readAllShapes } from './regions/read-shapes.js';
import { newEmptyStore } from './stores.js';

/** The store, which notes the names of the entities that imports put into it. */
function watched(store: Store): { store: Store; put: string[] } {
  const put: string[] = [];
  const begin = async () => {
    const transaction = await store.begin();
    const watching: StoreTransaction = {
      ...bound(transaction),
      putEntities(type, entities) {
        put.push(...entities.map(({ name }) => name));
        return transaction.putEntities(type, entities);
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
    putRegionFile: (path) => transaction.putRegionFile(path),
    putOnce: (digest, put) => transaction.putOnce(digest, put),
    record: (records) => transaction.record(records),
    putRows: (rows, options) => transaction.putRows(rows, options),
    putPoints: (points) => transaction.putPoints(points),
    settle: (options) => transaction.settle(options),
    commit: (options) => transaction.commit(options),
    rollback: () => transaction.rollback(),
  };
}

it('is compared with a store once, and again when an import has replaced some of it', async () => {
  const { store, put } = watched(await newEmptyStore());
  await importDataset(store, documentImporter('demo'));
  for (const one of ['Area harvested', 'Corn']) expect(put.includes(one), one).toBe(true);
  put.length = 0;
  expect(await importDataset(store, documentImporter('demo'))).toMatchObject({ entities: 0 });
  expect(put).not.toContain('Corn');
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
  expect(await importDataset(store, documentImporter('demo'))).toMatchObject({ entities: 1 });
  expect(put).toContain('Corn');
  expect(await store.lookup('items', [corn.id])).toMatchObject([{ name: 'Corn' }]);
});

const sha256 = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

it('never changes the centres of regions', async () => {
  const { regions } = await loadRegionTree();
  const centres = regions.map(({ id, latitude, longitude }) => [id, latitude, longitude]);
  expect(sha256(centres)).toBe('619cd65f102393087d71d6f11520d20e194329e7fbb175ffe8f15f64b2dd116f');
});

it('never changes the shapes of regions', async () => {
  const content = (await readAllShapes()).map(({ region_id, detail, geojson }) => [
    region_id,
    detail,
    geojson,
  ]);
  expect(sha256(content)).toBe('4bcd4bde724dce6e88ccfa54e388db486562c4bc0fc12e6ea522b954c0c3a6d9');
});
