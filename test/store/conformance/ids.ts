import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IdRedirect, Store } from '../../../src/store/store.js';
import type { OpenEmptyStore } from './sample-data.js';

export function describeIds(open: OpenEmptyStore): void {
  describe('ids', () => {
    let store: Store;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());

    it('redirects are stored by field, old id and source; the last one is used', async () => {
      const redirect = (newId: number, sourceId: number | null): IdRedirect => ({
        field: 'metric_id',
        oldId: 14,
        newId,
        sourceId,
      });
      const put = async (redirects: IdRedirect[]) => {
        const transaction = await store.begin();
        await transaction.record({ redirects });
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

    it('identities are kept with entities', async () => {
      const put = await store.begin();
      await put.putEntities('items', [
        { id: 50, name: 'Hogs', definition: '', belongsTo: [], identity: 'nass:item:HOGS' },
        { id: 51, name: 'Pigs', definition: '', belongsTo: [] },
      ]);
      await put.commit();
      expect(await store.identities()).toEqual([{ type: 'items', id: 50, identity: 'nass:item:HOGS' }]);
    });
  });
}
