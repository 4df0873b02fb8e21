import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.js';
import type { OpenEmptyStore } from './sample-data.js';

export function describeIds(open: OpenEmptyStore): void {
  describe('ids', () => {
    let store: Store;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());

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
