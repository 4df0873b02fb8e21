import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.js';
import { newPoints, type OpenEmptyStore, putSampleEntities } from './sample-data.js';

export function describeInspection(open: OpenEmptyStore): void {
  describe('the sources of a store', () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    async function importDay(day: number, { source = 1, isRecorded = true } = {}) {
      const transaction = await store.begin();
      await putSampleEntities(transaction);
      await transaction.putPoints(newPoints([{ of: { source_id: source }, day, value: day }]));
      if (isRecorded)
        await transaction.record({ imported: { dataset: 'crops', sourceIds: [source], importedMs: day } });
      await transaction.commit();
    }

    it('are none at first', async () => {
      expect(await store.sourceImports()).toEqual([]);
    });

    it('have their last import, also while others have another', async () => {
      await importDay(1);
      await importDay(2, { source: 2 });
      await importDay(3);
      expect(await store.sourceImports()).toEqual([
        { sourceId: 1, series: 1, points: 2, dataset: 'crops', importedMs: 3 },
        { sourceId: 2, series: 1, points: 1, dataset: 'crops', importedMs: 2 },
      ]);
    });

    it('have no data set when no import recorded it', async () => {
      await importDay(1, { isRecorded: false });
      expect(await store.sourceImports()).toMatchObject([{ dataset: null, importedMs: null }]);
    });

    it('are not recorded by an import that is rolled back', async () => {
      await importDay(1);
      const transaction = await store.begin();
      await transaction.record({ imported: { dataset: 'x', sourceIds: [1], importedMs: 9 } });
      await transaction.rollback();
      expect(await store.sourceImports()).toMatchObject([{ dataset: 'crops', importedMs: 1 }]);
    });

    it('finds no faults in what was imported', async () => {
      await importDay(1);
      await importDay(2, { source: 2 });
      expect(await store.findFaults()).toEqual([]);
    });
  });
}
