import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FREQUENCIES } from '../../../src/model/frequency.js';
import type { Store } from '../../../src/store/store.js';
import { ITEMS, importVintages, METRICS, type OpenEmpty, REGIONS, SOURCES, UNITS } from './world.js';

export function describeEntities(open: OpenEmpty): void {
  describe('entities', () => {
    const opened = async (): Promise<Store> => {
      const filled = await open();
      await importVintages(filled, [
        { day: 0, value: 1 },
        { day: 1, value: 2 },
      ]);
      return filled;
    };
    let store: Store;
    beforeAll(async () => {
      store = await opened();
    });
    afterAll(() => store.close());

    it('are returned exactly in their shape, containment in both directions and ascending', async () => {
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

    it('every store knows the frequencies', async () => {
      expect(await store.list('frequencies', 100)).toEqual(FREQUENCIES);
    });

    it('are absent where an id does not exist, or is no id at all', async () => {
      expect(await store.lookup('items', [99, -1, 1.5, Number.NaN, 2 ** 40])).toEqual([]);
      expect(await store.lookup('items', [])).toEqual([]);
      const many = Array.from({ length: 3_000 }, (_, id) => id);
      expect((await store.lookup('items', many)).map(({ id }) => id)).toEqual([1, 2, 3]);
    });

    it('are listed by id, at most as many as wanted', async () => {
      expect((await store.list('regions', 3)).map(({ id }) => id)).toEqual([0, 10, 11]);
      expect(await store.list('regions', 0)).toEqual([]);
    });

    it('are replaced by a put of the same id, which adds to their containment', async () => {
      const own = await opened();
      const transaction = await own.begin();
      await transaction.putEntities('items', [
        { id: 3, name: 'Soft wheat', definition: 'new', belongsTo: [2] },
        { id: 2, ...pick(ITEMS[1]!) },
      ]);
      expect((await transaction.commit()).entities).toBe(1);
      expect(await own.lookup('items', [1, 3])).toEqual([
        { ...bare(ITEMS[0]!), contains: [2, 3] },
        { id: 3, name: 'Soft wheat', definition: 'new', contains: [], belongsTo: [1, 2] },
      ]);
      await own.close();
    });

    it('are described for search with aliases and the points that carry them', async () => {
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

    it('refuses an entity that belongs to one that is nowhere', async () => {
      const transaction = await store.begin();
      await transaction.putEntities('items', [{ id: 7, name: 'Rye', definition: '', belongsTo: [77] }]);
      await expect(transaction.commit()).rejects.toThrow(/item 7 belongs to 77, but there is no item 77/);
      expect(await store.lookup('items', [7])).toEqual([]);
    });
  });

  describe('reach', () => {
    let store: Store;
    const whole = { distance: null, level: null, includeHistorical: true };
    beforeAll(async () => {
      store = await open();
      await importVintages(store, []);
    });
    afterAll(() => store.close());

    it('walks all levels, the world among the ancestors, each id once and without the start', async () => {
      expect(await store.traverse('regions', 'belongs-to', [211, 0], whole)).toEqual(
        new Map([
          [211, [0, 10, 11, 21, 29]],
          [0, []],
        ]),
      );
      expect(await store.traverse('regions', 'contains', [0], whole)).toEqual(
        new Map([[0, [10, 11, 21, 22, 29, 211]]]),
      );
      expect(await store.traverse('items', 'contains', [1], whole)).toEqual(new Map([[1, [2, 3]]]));
    });

    it('stops at a distance, which wins over a level', async () => {
      const reach = async (distance: number | null, level: number | null) =>
        (await store.traverse('regions', 'contains', [0], { distance, level, includeHistorical: true })).get(
          0,
        );
      expect(await reach(0, null)).toEqual([]);
      expect(await reach(1, null)).toEqual([10, 11]);
      expect(await reach(2, 4)).toEqual([10, 11, 21, 22, 29]);
      expect(await reach(null, 4)).toEqual([211]);
      expect(await reach(null, 3)).toEqual([21, 22, 29]);
    });

    it('leaves historical regions out together with what only they lead to', async () => {
      const current = { ...whole, includeHistorical: false };
      expect((await store.traverse('regions', 'contains', [10], current)).get(10)).toEqual([21, 211]);
      expect((await store.traverse('regions', 'contains', [10], whole)).get(10)).toEqual([21, 22, 29, 211]);
      expect((await store.traverse('regions', 'contains', [29], current)).get(29)).toEqual([21, 22, 211]);
      expect((await store.traverse('regions', 'belongs-to', [22], current)).get(22)).toEqual([0, 11]);
    });

    it('has nothing to say of an unknown id, and ends where containment goes round in a circle', async () => {
      expect(await store.traverse('metrics', 'contains', [99], whole)).toEqual(new Map());
      const own = await open();
      await importVintages(own, []);
      const transaction = await own.begin();
      await transaction.putEntities('metrics', [{ ...METRICS[0]!, belongsTo: [2] }]);
      await transaction.commit();
      expect(await own.traverse('metrics', 'contains', [1], whole)).toEqual(new Map([[1, [2]]]));
      await own.close();
    });
  });
}

function bare<Entity extends { aliases?: unknown; dimension?: unknown }>(entity: Entity) {
  const { aliases: _aliases, dimension: _dimension, ...rest } = entity;
  return rest;
}

function pick({ name, definition, belongsTo, aliases }: (typeof ITEMS)[number]) {
  return { name, definition, belongsTo, ...(aliases && { aliases }) };
}
