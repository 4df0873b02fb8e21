import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.js';
import { newPoints, type OpenEmptyStore, putSampleEntities } from './sample-data.js';

export function describeInspection(open: OpenEmptyStore): void {
  let store: Store;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  async function importDay(
    day: number,
    { source = 1, vocabulary }: { source?: number; vocabulary?: number },
  ) {
    const transaction = await store.begin();
    await putSampleEntities(transaction);
    await transaction.putPoints(newPoints([{ of: { source_id: source }, day, value: day }]));
    if (vocabulary !== undefined) {
      const imported = { dataset: 'crops', sourceIds: [source], vocabulary, importedMs: day };
      await transaction.putImportedSources(imported);
    }
    await transaction.commit();
  }

  describe('the sources of a store', () => {
    it('are none at first', async () => {
      expect(await store.sourceImports()).toEqual([]);
    });

    it('have the vocabulary of their import, also while others have another', async () => {
      await importDay(1, { vocabulary: 3 });
      await importDay(2, { source: 2, vocabulary: 5 });
      expect(await store.sourceImports()).toEqual([
        { sourceId: 1, series: 1, points: 1, dataset: 'crops', vocabulary: 3, importedMs: 1 },
        { sourceId: 2, series: 1, points: 1, dataset: 'crops', vocabulary: 5, importedMs: 2 },
      ]);
    });

    it('keep the oldest vocabulary of their imports, as their points do', async () => {
      await importDay(1, { vocabulary: 3 });
      await importDay(2, { vocabulary: 4 });
      expect(await store.sourceImports()).toMatchObject([{ points: 2, vocabulary: 3, importedMs: 2 }]);
    });

    it('have the vocabulary 0 when they were imported before that was recorded', async () => {
      await importDay(1, {});
      expect(await store.sourceImports()).toMatchObject([{ dataset: null, vocabulary: 0, importedMs: null }]);
      await importDay(2, { vocabulary: 4 });
      expect(await store.sourceImports()).toMatchObject([{ dataset: 'crops', vocabulary: 0 }]);
    });

    it('are not recorded by an import that is rolled back', async () => {
      await importDay(1, { vocabulary: 3 });
      const transaction = await store.begin();
      await transaction.putImportedSources({
        dataset: 'x',
        sourceIds: [1],
        vocabulary: 1,
        importedMs: 9,
      });
      await transaction.rollback();
      expect(await store.sourceImports()).toMatchObject([{ dataset: 'crops', vocabulary: 3 }]);
    });
  });

  it('finds no faults in what was imported', async () => {
    await importDay(1, { vocabulary: 3 });
    await importDay(2, { source: 2 });
    expect(await store.findFaults()).toEqual([]);
  });
}
