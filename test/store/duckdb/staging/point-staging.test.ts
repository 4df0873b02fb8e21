import { describe, expect, it } from 'vitest';
import { openStore } from '../../../../src/store/open.js';
import type { Store } from '../../../../src/store/store.js';
import { newPoints, putSampleEntities, readRows, type Vintage } from '../../conformance/sample-data.js';

/** Imports each list in a part of its own. */
async function importParts(store: Store, parts: readonly (readonly Vintage[])[]): Promise<void> {
  const transaction = await store.begin();
  await putSampleEntities(transaction);
  for (const part of parts) await transaction.putPoints(newPoints(part));
  await transaction.commit();
}

describe('points of an import into new series', () => {
  it('keep a remark of their own each, however many they are', async () => {
    const count = 100_500;
    const vintages = Array.from({ length: count }, (_, day) => ({
      of: { region_id: day % 2 === 0 ? 21 : 22 },
      day: count - day,
      value: day,
      metadata: `{"n":${day}}`,
    }));
    const store = await openStore(':memory:');
    await importParts(store, [
      vintages.slice(0, 50_000),
      vintages.slice(50_000, 100_400),
      vintages.slice(100_400),
    ]);
    const rows = await readRows(store);
    expect(rows.length).toBe(count);
    expect(
      rows.every(({ day, value, metadata }) => day === count - value! && metadata === `{"n":${value}}`),
    ).toBe(true);
    await store.close();
  });
});
