import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadRegionTree, REGION_FILE } from '../../../src/ingest/regions/tree.js';
import { FREQUENCIES } from '../../../src/model/frequency.js';
import type { NewShape, Store, StoreTransaction } from '../../../src/store/store.js';
import { readAllShapes } from '../../ingest/regions/read-shapes.js';
import { temporaryFolder } from '../../temporary-files.js';
import { runSql } from '../duckdb/run-sql.js';
import {
  ITEMS,
  importVintages,
  METRICS,
  type OpenEmptyStore,
  REGIONS,
  SOURCES,
  UNITS,
} from './sample-data.js';

export function describeEntities(open: OpenEmptyStore): void {
  describe('entities', () => {
    let store: Store;
    beforeAll(async () => {
      store = await open();
      await importVintages(store, [
        { day: 0, value: 1 },
        { day: 1, value: 2 },
      ]);
    });
    afterAll(() => store.close());

    it('have the same containment however many are read', async () => {
      const ids = Array.from({ length: 300 }, (_, id) => id);
      for (const type of ['regions', 'items', 'metrics'] as const) {
        const together = await store.lookup(type, ids);
        const alone: unknown[] = [];
        for (const { id } of together) alone.push(...(await store.lookup(type, [id])));
        const whole = await store.lookup(type, null, { limit: 100 });
        expect(whole.some(({ contains }) => contains.length > 1 || type === 'metrics')).toBe(true);
        expect(together).toEqual(whole);
        expect(alone).toEqual(whole);
        expect(await store.lookup(type, ids)).toEqual(whole);
      }
    });

    it('have exactly the fields of their type, with containment in both directions', async () => {
      expect(await store.lookup('regions', [29, 0, 21])).toEqual([
        { ...bare(REGIONS[0]!), contains: [10, 11] },
        { ...bare(REGIONS[3]!), contains: [211], belongsTo: [10, 11, 29] },
        { ...bare(REGIONS[5]!), contains: [21, 22] },
      ]);
      expect(await store.lookup('metrics', [1, 2])).toEqual([
        { ...bare(METRICS[0]!), contains: [2] },
        { ...bare(METRICS[1]!), contains: [] },
      ]);
      expect(await store.lookup('items', [1])).toEqual([{ ...bare(ITEMS[0]!), contains: [2, 3] }]);
      expect(await store.lookup('sources', [1, 2])).toEqual(SOURCES);
      expect(await store.lookup('units', [1, 2, 3, 4, 5, 6])).toEqual(UNITS.map(bare));
    });

    it('include the frequencies in every store', async () => {
      expect(await store.lookup('frequencies', null, { limit: 100 })).toEqual(FREQUENCIES);
    });

    it('are absent when the id does not exist or is invalid', async () => {
      expect(await store.lookup('items', [99, -1, 1.5, Number.NaN, 2 ** 40])).toEqual([]);
      expect(await store.lookup('items', [])).toEqual([]);
      const many = Array.from({ length: 3_000 }, (_, id) => id);
      expect((await store.lookup('items', many)).map(({ id }) => id)).toEqual([1, 2, 3]);
    });

    it('have the same names when only those are read', async () => {
      for (const type of ['metrics', 'items', 'regions', 'sources', 'frequencies', 'units'] as const) {
        const whole = await store.lookup(type, null, { limit: 100 });
        const ids = [99, ...whole.map(({ id }) => id).reverse(), 1.5];
        const names = whole.map((entity) => ({
          id: entity.id,
          name: entity.name,
          historical: 'historical' in entity && entity.historical,
        }));
        expect(await store.names(type, ids)).toEqual(names);
      }
    });

    it('are historical where they say so', async () => {
      const regions = await store.lookup('regions', null, { limit: 10_000 });
      const historical = regions.filter((region) => region.historical).map(({ id }) => id);
      expect((await store.names('regions', 'historical')).map(({ id }) => id)).toEqual(historical);
      expect(historical.length).toBeGreaterThan(0);
    });

    it('are listed by ascending id, up to the limit', async () => {
      expect((await store.lookup('regions', null, { limit: 3 })).map(({ id }) => id)).toEqual([0, 10, 11]);
      expect(await store.lookup('regions', null, { limit: 0 })).toEqual([]);
    });

    it('have search documents with aliases and point counts', async () => {
      expect(await store.searchDocuments('items')).toEqual([
        { id: 1, name: 'Cereals', aliases: [], pointCount: 0, level: null, historical: false },
        { id: 2, name: 'Corn', aliases: ['Maize'], pointCount: 2, level: null, historical: false },
        { id: 3, name: 'Wheat', aliases: [], pointCount: 0, level: null, historical: false },
      ]);
      const regions = await store.searchDocuments('regions');
      expect(regions.find(({ id }) => id === 21)).toMatchObject({
        pointCount: 2,
        level: 3,
        historical: false,
      });
      expect(regions.find(({ id }) => id === 29)).toMatchObject({ pointCount: 0, historical: true });
      expect(regions[0]).toMatchObject({ id: 0, aliases: ['Globe', 'Earth'], level: 1 });
    });

    it('are refused when a parent does not exist', async () => {
      const transaction = await store.begin();
      await transaction.putEntities('items', [{ id: 7, name: 'Rye', definition: '', belongsTo: [77] }]);
      await expect(transaction.commit()).rejects.toThrow(/item 7 belongs to 77, but there is no item 77/);
      expect(await store.lookup('items', [7])).toEqual([]);
    });

    it('are replaced by an entity with the same id, which adds to their containment', async () => {
      const transaction = await store.begin();
      await transaction.putEntities('items', [
        { id: 3, name: 'Soft wheat', definition: 'new', belongsTo: [2] },
        { id: 2, ...pick(ITEMS[1]!) },
      ]);
      expect((await transaction.commit()).entities).toBe(1);
      expect(await store.lookup('items', [1, 3])).toEqual([
        { ...bare(ITEMS[0]!), contains: [2, 3] },
        { id: 3, name: 'Soft wheat', definition: 'new', contains: [], belongsTo: [1, 2] },
      ]);
    });

    describe('traverse', () => {
      const whole = { distance: null, level: null, includeHistorical: true };

      it('can exclude historical regions, and with them what is reached only through them', async () => {
        const current = { ...whole, includeHistorical: false };
        expect((await store.traverse('regions', 'contains', [10], current)).get(10)).toEqual([21, 211]);
        expect((await store.traverse('regions', 'contains', [10], whole)).get(10)).toEqual([21, 22, 29, 211]);
        expect((await store.traverse('regions', 'contains', [29], current)).get(29)).toEqual([21, 22, 211]);
        expect((await store.traverse('regions', 'belongs-to', [22], current)).get(22)).toEqual([0, 11]);
      });

      it('ignores unknown ids, and ends when containment is circular', async () => {
        expect(await store.traverse('metrics', 'contains', [99], whole)).toEqual(new Map());
        const transaction = await store.begin();
        await transaction.putEntities('metrics', [{ ...METRICS[0]!, belongsTo: [2] }]);
        await transaction.commit();
        expect(await store.traverse('metrics', 'contains', [1], whole)).toEqual(new Map([[1, [2]]]));
      });
    });

    it('keep their identities', async () => {
      const transaction = await store.begin();
      const hogs = { id: 50, name: 'Hogs', definition: '', belongsTo: [] };
      await transaction.putEntities('items', [{ ...hogs, identity: 'nass:item:HOGS' }]);
      await transaction.putEntities('metrics', [{ ...hogs, id: 51 }]);
      await transaction.commit();
      expect(await store.identities()).toEqual([{ type: 'items', id: 50, identity: 'nass:item:HOGS' }]);
    });

    describe('shapes', () => {
      it('have the requested detail, or else the other one, and are replaced one by one', async () => {
        const put = async (shapes: readonly NewShape[]) => {
          const transaction = await store.begin();
          await transaction.putShapes(shapes);
          await transaction.commit();
        };
        await put([
          { region_id: 21, detail: 'full', geojson: '{"old":1}' },
          { region_id: 21, detail: 'simple', geojson: '{"s":1}' },
          { region_id: 22, detail: 'full', geojson: '{"f":2}' },
          { region_id: 21, detail: 'full', geojson: '{"f":1}' },
        ]);
        expect(await store.shapes([22, 21, 99], 'full')).toEqual([
          { region_id: 21, geojson: '{"f":1}' },
          { region_id: 22, geojson: '{"f":2}' },
        ]);
        await put([{ region_id: 21, detail: 'full', geojson: '{"new":1}' }]);
        expect(await store.shapes([21], 'full')).toEqual([{ region_id: 21, geojson: '{"new":1}' }]);
        expect(await store.shapes([21, 22], 'simple')).toEqual([
          { region_id: 21, geojson: '{"s":1}' },
          { region_id: 22, geojson: '{"f":2}' },
        ]);
      });
    });
  });
}

export function describeRegionFile(open: OpenEmptyStore): void {
  describe('shapes and regions', () => {
    const file = join(temporaryFolder(), 'regions.parquet');

    it('of the file of regions are put as its rows would be, also over regions that differ', async () => {
      await runSql(
        ':memory:',
        `COPY (FROM '${REGION_FILE}' WHERE level <= 3) TO '${file}' (FORMAT parquet, KV_METADATA {version: 'few'})`,
      );
      const regions = (await loadRegionTree()).regions.filter(({ level }) => level !== null && level <= 3);
      const ids = new Set(regions.map(({ id }) => id));
      const shapes = (await readAllShapes()).filter(({ region_id }) => ids.has(region_id));
      const shaped = shapes.map(({ region_id }) => region_id);
      const at = regions.findIndex(({ id }) => id === shaped[0]);
      const known = regions
        .slice(0, at + 1)
        .map((region, i) => (i === at ? { ...region, name: 'Other' } : region));
      const contentOf = async (put: (transaction: StoreTransaction) => Promise<void>) => {
        const store = await open();
        const importBy = async (work: (transaction: StoreTransaction) => Promise<void>) => {
          const transaction = await store.begin();
          await work(transaction);
          return (await transaction.commit()).entities;
        };
        const content = [
          await importBy(async (transaction) => {
            await transaction.putEntities('regions', known);
            await transaction.putShapes([{ region_id: shaped[0]!, detail: 'full', geojson: '{}' }]);
          }),
          await importBy(put),
          await importBy(put),
          await store.lookup('regions', null, { limit: regions.length + 1 }),
          await store.searchDocuments('regions'),
          await store.shapes(shaped, 'simple'),
          await store.shapes(shaped, 'full'),
        ];
        await store.close();
        return content;
      };
      const expected = await contentOf(async (transaction) => {
        await transaction.putEntities('regions', regions);
        await transaction.putShapes(shapes);
      });
      expect(expected.slice(0, 3)).toEqual([at + 1, regions.length - at, 0]);
      expect(await contentOf((transaction) => transaction.putRegionFile(file))).toEqual(expected);
    });
  });
}

function bare<Entity extends { aliases?: unknown }>(entity: Entity) {
  const { aliases: _aliases, ...rest } = entity;
  return rest;
}

function pick({ name, definition, belongsTo, aliases }: (typeof ITEMS)[number]) {
  return { name, definition, belongsTo, ...(aliases && { aliases }) };
}
