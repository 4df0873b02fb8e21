import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IdChange } from '../../../src/store/id-change.js';
import type { IdRedirect, Store } from '../../../src/store/store.js';
import {
  allSeries,
  importVintages,
  newPoints,
  type OpenEmptyStore,
  putSampleEntities,
  readRows,
} from './sample-data.js';

async function changeIds(store: Store, changes: readonly IdChange[]): Promise<void> {
  const transaction = await store.begin();
  await transaction.changeIds(changes);
  await transaction.commit();
}

export function describeIdChanges(open: OpenEmptyStore): void {
  let store: Store;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  describe('changed ids', () => {
    it('update series, points and containment, and leave a redirect from the old id', async () => {
      await importVintages(store, [
        { day: 1, value: 5 },
        { of: { metric_id: 2 }, day: 1, value: 6 },
      ]);
      const [before, version] = [await readRows(store), await store.version()];
      await changeIds(store, [
        { type: 'items', from: 2, to: 900 },
        { type: 'metrics', from: 1, to: 901 },
      ]);
      expect(await store.version()).not.toBe(version);
      const keys = (await allSeries(store)).map(({ metric_id, item_id }) => [metric_id, item_id]);
      expect(keys).toEqual([
        [901, 900],
        [2, 900],
      ]);
      expect(await readRows(store)).toEqual(before);
      expect(await store.lookup('items', [1, 2, 900])).toMatchObject([
        { id: 1, contains: [3, 900] },
        { id: 900, name: 'Corn', belongsTo: [1] },
      ]);
      expect(await store.lookup('metrics', [2])).toMatchObject([{ belongsTo: [901] }]);
      expect(await store.lookup('sources', [1, 2])).toHaveLength(2);
      expect(await store.idRedirects()).toEqual([
        { field: 'item_id', oldId: 2, newId: 900, sourceId: null },
        { field: 'metric_id', oldId: 1, newId: 901, sourceId: null },
      ]);
    });

    it('of regions update their shapes and the series that have them as partner', async () => {
      const first = await store.begin();
      await putSampleEntities(first);
      await first.putShapes([{ region_id: 21, detail: 'full', geojson: '{}' }]);
      const trade = { of: { region_id: 22, partner_region_id: 21 }, day: 1, value: 1 };
      await first.putPoints(newPoints([{ day: 1, value: 5 }, trade]));
      await first.commit();
      await changeIds(store, [{ type: 'regions', from: 21, to: 900 }]);
      const keys = (await allSeries(store)).map((one) => [one.region_id, one.partner_region_id]);
      expect(keys).toEqual([
        [900, 0],
        [22, 900],
      ]);
      expect(await store.shapes([900], 'full')).toEqual([{ region_id: 900, geojson: '{}' }]);
      expect(await store.lookup('regions', [211])).toMatchObject([{ belongsTo: [900] }]);
      expect((await store.idRedirects()).map(({ field, newId }) => [field, newId])).toEqual([
        ['partner_region_id', 900],
        ['region_id', 900],
      ]);
    });

    it('update the units of points, and existing redirects', async () => {
      const history = [
        { day: 1, value: 5, reported: 2 },
        { day: 1, value: 6, reported: 3 },
      ];
      await importVintages(store, history);
      const earlier = await store.begin();
      await earlier.putIdRedirects([
        { field: 'item_id', oldId: 77, newId: 2, sourceId: 1 },
        { field: 'metric_id', oldId: 78, newId: 2, sourceId: null },
      ]);
      await earlier.commit();
      await changeIds(store, [
        { type: 'units', from: 1, to: 900 },
        { type: 'sources', from: 1, to: 901 },
        { type: 'items', from: 2, to: 902 },
      ]);
      const rows = await readRows(store, { history: 'complete' });
      expect(rows.map(({ unit, value }) => [unit, value])).toEqual([
        [900, 5],
        [900, 6],
      ]);
      expect(await allSeries(store)).toMatchObject([{ unit_id: 900, source_id: 901, item_id: 902 }]);
      expect(await store.allowedUnits([1], null)).toContain(900);
      expect(await store.idRedirects()).toEqual([
        { field: 'item_id', oldId: 2, newId: 902, sourceId: null },
        { field: 'item_id', oldId: 77, newId: 902, sourceId: 901 },
        { field: 'metric_id', oldId: 78, newId: 2, sourceId: null },
        { field: 'source_id', oldId: 1, newId: 901, sourceId: null },
      ]);
    });

    it('update what the same import has staged, without a redirect for an id that was never committed', async () => {
      const transaction = await store.begin();
      await putSampleEntities(transaction);
      await transaction.putPoints(newPoints([{ day: 1, value: 5 }]));
      await transaction.changeIds([
        { type: 'items', from: 2, to: 900 },
        { type: 'units', from: 1, to: 901 },
        { type: 'items', from: 900, to: 902 },
      ]);
      await transaction.putPoints(newPoints([{ of: { item_id: 902 }, day: 2, value: 6, unit: 901 }]));
      expect(await transaction.commit()).toMatchObject({ added: 2, series: 1 });
      expect(await allSeries(store)).toMatchObject([{ item_id: 902, unit_id: 901, pointCount: 2 }]);
      expect(await store.idRedirects()).toEqual([]);
    });

    it('are undone by a rollback, and refused when the new id is taken', async () => {
      await importVintages(store, [{ day: 1, value: 5 }]);
      const before = [await allSeries(store), await store.list('items', 10)];
      const broken = await store.begin();
      await broken.changeIds([{ type: 'items', from: 2, to: 900 }]);
      await broken.rollback();
      await expect(changeIds(store, [{ type: 'items', from: 2, to: 3 }])).rejects.toThrow(
        'item 2 cannot get the id 3: "Wheat" has it',
      );
      expect([await allSeries(store), await store.list('items', 10)]).toEqual(before);
      expect(await store.idRedirects()).toEqual([]);
    });
  });

  describe('id redirects', () => {
    it('are stored by field, old id and source; the last one is used', async () => {
      const redirect = (newId: number, sourceId: number | null): IdRedirect => ({
        field: 'metric_id',
        oldId: 14,
        newId,
        sourceId,
      });
      const put = async (redirects: IdRedirect[]) => {
        const transaction = await store.begin();
        await transaction.putIdRedirects(redirects);
        await transaction.commit();
      };
      await put([redirect(15, null), redirect(16, 2)]);
      await put([redirect(17, null), { ...redirect(3, null), field: 'item_id' }]);
      expect(await store.idRedirects()).toEqual([
        { ...redirect(3, null), field: 'item_id' },
        redirect(17, null),
        redirect(16, 2),
      ]);
    });
  });

  describe('identities', () => {
    it('are kept with their ids, also when an id changes', async () => {
      const put = await store.begin();
      await put.putEntities('items', [
        { id: 50, name: 'Hogs', definition: '', belongsTo: [], identity: 'nass:item:HOGS' },
        { id: 51, name: 'Pigs', definition: '', belongsTo: [] },
      ]);
      await put.commit();
      expect(await store.identities('items')).toEqual([{ id: 50, identity: 'nass:item:HOGS' }]);
      await changeIds(store, [{ type: 'items', from: 50, to: 60 }]);
      expect(await store.identities('items')).toEqual([{ id: 60, identity: 'nass:item:HOGS' }]);
      expect(await store.identities('regions')).toEqual([]);
    });
  });
}
