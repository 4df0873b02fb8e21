import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { newPoints, putSampleEntities, type Vintage } from '../../store/conformance/sample-data.js';
import { openNewStore } from '../fresh-store.js';
import { contentOf } from './two-imports.js';

const vintage: fc.Arbitrary<Vintage> = fc.record({
  of: fc.record({ region_id: fc.constantFrom(21, 22, 29), metric_id: fc.constantFrom(1, 2) }),
  day: fc.integer({ min: 0, max: 5 }),
  value: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  unit: fc.constantFrom(1, 2),
  reported: fc.option(fc.integer({ min: 4, max: 6 }), { nil: null }),
  available: fc.integer({ min: 5, max: 9 }),
  metadata: fc.option(fc.constantFrom('{"f":1}', '{"ä":"ü"}'), { nil: null }),
});

const imports = fc.array(
  fc.record({
    vintages: fc.array(vintage, { maxLength: 15 }),
    source: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Runs imports. @returns what each said */
async function run(
  store: Store,
  batches: typeof imports extends fc.Arbitrary<infer Value> ? Value : never,
): Promise<unknown> {
  const said: unknown[] = [];
  for (const [i, { vintages, source }] of batches.entries()) {
    const transaction = await store.begin();
    await putSampleEntities(transaction);
    await transaction.putPoints(newPoints(vintages));
    if (source !== undefined)
      await transaction.record({ imported: { dataset: 'x', sourceIds: [1], importedMs: i } });
    said.push(await transaction.settle(), await transaction.commit());
  }
  return [
    said,
    await contentOf(store),
    await store.idRedirects(),
    await store.sourceImports(),
    await store.lookup('items', null, { limit: 99 }),
    await store.lookup('units', null, { limit: 99 }),
    await store.findFaults(),
  ];
}

describe('the same random imports', () => {
  it('give equal stores on DuckDB and on servers', async () => {
    await fc.assert(
      fc.asyncProperty(imports, async (batches) => {
        const [file, servers] = [await openStore(':memory:'), await openNewStore()];
        try {
          expect(await run(servers, batches)).toEqual(await run(file, batches));
        } finally {
          await Promise.all([file.close(), servers.close()]);
        }
      }),
      { numRuns: 8, seed: 18 },
    );
  }, 180_000);
});
