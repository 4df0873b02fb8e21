import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewEntity, Store, StoreTransaction } from '../../../src/store/store.js';
import { countRuns } from '../../endurance.js';
import { ITEMS, METRICS, type OpenEmptyStore, putSampleEntities, REGIONS } from './sample-data.js';

type Put = (transaction: StoreTransaction) => Promise<void>;

const regionNamed = (id: number, name: string): NewEntity<'regions'> => ({ ...REGIONS.at(-1)!, id, name });
const putRegions =
  (...regions: NewEntity<'regions'>[]): Put =>
  (transaction) =>
    transaction.putEntities('regions', regions);
const putShape =
  (geojson: string): Put =>
  (transaction) =>
    transaction.putShapes([{ region_id: 22, detail: 'full', geojson }]);

/** Batches with a digest, two of which contradict each other. */
const BATCHES: Readonly<Record<string, Put>> = {
  early: putRegions(regionNamed(22, 'Early'), regionNamed(23, 'Other')),
  late: putRegions(regionNamed(22, 'Late'), regionNamed(24, 'Another')),
  shapes: async (transaction) => {
    await putRegions(regionNamed(25, 'With a shape'))(transaction);
    await putShape('{"batch":1}')(transaction);
  },
};

/** What else an import may do to the same entities. */
const OTHERS: Readonly<Record<string, Put>> = {
  'replace a region': putRegions(regionNamed(22, 'Replaced')),
  'repeat a region': putRegions(regionNamed(22, 'Early')),
  'add a region': putRegions(regionNamed(26, 'Added')),
  'replace a shape': putShape('{"replaced":1}'),
};

const step = fc.oneof(
  fc.record({ once: fc.constantFrom(...Object.keys(BATCHES)) }),
  fc.record({ other: fc.constantFrom(...Object.keys(OTHERS)) }),
);
const anyImports = fc.array(
  fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 3 }), commits: fc.boolean() }),
  { maxLength: 6 },
);

/** Runs imports. An import whose step fails is rolled back. */
async function run(
  store: Store,
  imports: typeof anyImports extends fc.Arbitrary<infer Value> ? Value : never,
  putBatch: (transaction: StoreTransaction, name: string) => Promise<void>,
): Promise<unknown> {
  const first = await store.begin();
  await putSampleEntities(first);
  await first.commit();
  const counts: unknown[] = [];
  for (const { steps, commits } of imports) {
    const transaction = await store.begin();
    try {
      for (const one of steps) {
        if ('once' in one) await putBatch(transaction, one.once);
        else await OTHERS[one.other]!(transaction);
      }
      if (commits) counts.push(await transaction.commit());
      else await transaction.rollback();
    } catch {
      await transaction.rollback();
    }
  }
  return [await store.lookup('regions', null, { limit: 99 }), await store.shapes([22, 25], 'full'), counts];
}

export function describeKnownBatches(open: OpenEmptyStore): void {
  describe('batches that are put once', () => {
    it('leave what putting them every time leaves, whatever else is imported', async () => {
      await fc.assert(
        fc.asyncProperty(anyImports, async (imports) => {
          const [once, always] = [await open(), await open()];
          try {
            const expected = await run(always, imports, (transaction, name) => BATCHES[name]!(transaction));
            const found = await run(once, imports, (transaction, name) =>
              transaction.putOnce(name, () => BATCHES[name]!(transaction)),
            );
            expect(found).toEqual(expected);
          } finally {
            await Promise.all([once.close(), always.close()]);
          }
        }),
        { numRuns: countRuns({ quick: 1, all: 12 }) },
      );
    });

    it('are put again only after something of them changed', async () => {
      const store = await open();
      const importOnce = async (work: Put = async () => {}, digest = 'items') => {
        const transaction = await store.begin();
        let puts = 0;
        await transaction.putOnce(digest, async () => {
          puts++;
          await transaction.putEntities('items', ITEMS);
        });
        await work(transaction);
        await transaction.commit();
        return puts;
      };
      expect(await importOnce(putSampleEntities)).toBe(1);
      expect(await importOnce()).toBe(0);
      expect(await importOnce(undefined, 'other items')).toBe(1);
      const replace: Put = (transaction) =>
        transaction.putEntities('items', [{ ...ITEMS[2]!, name: 'Replaced' }]);
      expect(await importOnce(replace)).toBe(0);
      expect(await importOnce()).toBe(1);
      expect(await importOnce((transaction) => transaction.putEntities('items', ITEMS))).toBe(0);
      const metric = { ...METRICS[0]!, name: 'Replaced' };
      expect(await importOnce((transaction) => transaction.putEntities('metrics', [metric]))).toBe(0);
      expect(await importOnce()).toBe(0);
      await store.close();
    });
  });
}
