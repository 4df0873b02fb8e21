import { expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import { dropStore, newStoreAddress, queryNode } from '../fresh-store.js';

const ITEMS = 10_000;

it('removes rows that were replaced more than a day ago, the oldest first, and no other', async () => {
  const address = await newStoreAddress();
  const store = await openStore(address);
  try {
    const importNames = async (version: number) => {
      const transaction = await store.begin();
      await transaction.putEntities(
        'items',
        Array.from({ length: ITEMS }, (_, i) => ({
          id: i + 1,
          name: `Item ${i} of version ${version}`,
          definition: '',
          belongsTo: [],
        })),
      );
      await transaction.commit();
    };
    const versionsStored = async () =>
      (await queryNode(address, 0, `SELECT DISTINCT extract(name, '[0-9]+$') AS v FROM item ORDER BY v`))
        .trim()
        .split('\n');
    const ageCommits = () =>
      queryNode(address, 0, 'ALTER TABLE import_log UPDATE at_ms = at_ms - 90000000 WHERE true');
    for (const version of [1, 2, 3]) await importNames(version);
    expect(await versionsStored()).toEqual(['1', '2', '3']);
    await ageCommits();
    await importNames(4);
    expect(await versionsStored()).toEqual(['2', '3', '4']);
    await importNames(5);
    expect(await versionsStored()).toEqual(['3', '4', '5']);
    await importNames(6);
    expect(await versionsStored()).toEqual(['3', '4', '5', '6']);
    expect(await store.lookup('items', [1])).toMatchObject([{ name: 'Item 0 of version 6' }]);
    expect(await store.findFaults()).toEqual([]);
  } finally {
    await store.close();
    await dropStore(address);
  }
});
