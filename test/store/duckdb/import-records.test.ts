import { describe, expect, it } from 'vitest';
import type { StoredFetch } from '../../../src/store/import-records.js';
import type { Store, StoreTransaction } from '../../../src/store/store.js';
import { newStore } from '../../ingest/stores.js';

const FILE = { address: 'https://agency.example/a', etag: '"1"', lastModified: null, bytes: 3, sha256: 'ab' };
const NASS: StoredFetch = {
  dataset: 'nass',
  request: 'crops',
  settings: '{"maxRejects":3}',
  files: [FILE],
  fetchedMs: Date.UTC(2026, 10, 22, 4, 30, 1, 7),
};
const PSD: StoredFetch = { ...NASS, dataset: 'psd', request: 'alldata', files: [] };

async function commit(store: Store, work: (transaction: StoreTransaction) => Promise<void>): Promise<void> {
  const transaction = await store.begin();
  await work(transaction);
  await transaction.commit();
}

describe('what was fetched', () => {
  it('is remembered with the import, one of each data set and request', async () => {
    const store = await newStore();
    expect(await store.fetches()).toEqual([]);
    await commit(store, async (transaction) => {
      await transaction.record({ fetched: PSD });
      await transaction.record({ fetched: NASS });
    });
    expect(await store.fetches()).toEqual([NASS, PSD]);
    const newer = {
      ...NASS,
      files: [{ ...FILE, etag: null, lastModified: 'Sun, 22 Nov 2026 04:30:00 GMT' }],
    };
    await commit(store, (transaction) => transaction.record({ fetched: newer }));
    expect(await store.fetches()).toEqual([newer, PSD]);
    await commit(store, (transaction) => transaction.record({ forgotten: newer }));
    expect(await store.fetches()).toEqual([PSD]);
  });

  it('is forgotten with an import that is rolled back', async () => {
    const store = await newStore();
    const transaction = await store.begin();
    await transaction.record({ fetched: NASS });
    expect(await store.fetches()).toEqual([]);
    await transaction.rollback();
    expect(await store.fetches()).toEqual([]);
  });
});
