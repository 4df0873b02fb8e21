import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import type { StoreTransaction } from '../../../src/store/store.js';
import { ITEMS, METRICS, putSampleEntities } from '../conformance/sample-data.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'known-'));
  path = join(folder, 'data.duckdb');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Imports in a process's first use of the store. @returns how often the batch was put */
async function importOnce(
  work: (transaction: StoreTransaction) => Promise<unknown> = async () => {},
  { digest = 'items' } = {},
): Promise<number> {
  const store = await openStore(path);
  const transaction = await store.begin();
  let puts = 0;
  await transaction.putOnce(digest, async () => {
    puts++;
    await transaction.putEntities('items', ITEMS);
  });
  await work(transaction);
  await transaction.commit();
  await store.close();
  return puts;
}

it('puts a batch again only after something of it changed', async () => {
  expect(await importOnce(putSampleEntities)).toBe(1);
  expect(await importOnce()).toBe(0);
  expect(await importOnce(undefined, { digest: 'other items' })).toBe(1);
  const replacement = { ...ITEMS[2]!, name: 'Replaced' };
  expect(await importOnce((transaction) => transaction.putEntities('items', [replacement]))).toBe(0);
  expect(await importOnce()).toBe(1);
  expect(await importOnce((transaction) => transaction.putEntities('items', ITEMS))).toBe(0);
  const metric = { ...METRICS[0]!, name: 'Replaced' };
  expect(await importOnce((transaction) => transaction.putEntities('metrics', [metric]))).toBe(0);
});
