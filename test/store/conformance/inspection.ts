import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.js';
import { newPoints, type OpenEmptyStore, putSampleEntities } from './sample-data.js';

export function describeInspection(open: OpenEmptyStore): void {
  describe('the sources of a store', () => {
    let store: Store;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());

    async function importDay(day: number, { source = 1, isRecorded = true } = {}) {
      const transaction = await store.begin();
      await putSampleEntities(transaction);
      await transaction.putPoints(newPoints([{ of: { source_id: source }, day, value: day }]));
      if (isRecorded)
        await transaction.record({ imported: { dataset: 'crops', sourceIds: [source], importedMs: day } });
      await transaction.commit();
    }

    it('have their last import, also while others have another; none is recorded by what is rolled back', async () => {
      expect(await store.sourceImports()).toEqual([]);
      await importDay(1, { isRecorded: false });
      expect(await store.sourceImports()).toMatchObject([{ dataset: null, importedMs: null }]);
      await importDay(2);
      await importDay(3, { source: 2 });
      await importDay(4);
      const transaction = await store.begin();
      await transaction.record({ imported: { dataset: 'x', sourceIds: [1], importedMs: 9 } });
      await transaction.rollback();
      expect(await store.sourceImports()).toEqual([
        { sourceId: 1, series: 1, points: 3, dataset: 'crops', importedMs: 4 },
        { sourceId: 2, series: 1, points: 1, dataset: 'crops', importedMs: 3 },
      ]);
      expect(await store.findFaults()).toEqual([]);
    });
  });
}
