import { describe, expect, it } from 'vitest';
import type { ImportCounts } from '../../../src/model/importing/outcome.js';
import { openStore } from '../../../src/store/open.js';
import type { NewEntity, Store, StoreTransaction } from '../../../src/store/store.js';
import { newPoints, putSampleEntities, REGIONS, type Vintage } from '../../store/conformance/sample-data.js';
import { dropStore, newStoreAddress } from '../fresh-store.js';
import { contentOf } from './two-imports.js';

type Import = (transaction: StoreTransaction) => Promise<void>;

const item = (id: number, name: string, belongsTo: number[] = []): NewEntity<'items'> => ({
  id,
  name,
  definition: '',
  belongsTo,
});
const region = (id: number, name: string, belongsTo: number[]): NewEntity<'regions'> => ({
  ...REGIONS[1]!,
  id,
  name,
  belongsTo,
});
const days = (of: Vintage['of'], first: number, value: number): Vintage[] =>
  Array.from({ length: 400 }, (_, i) => ({
    of: of!,
    day: first + i,
    value: value + i,
    available: 10 + value,
  }));

/** A data set with a region and an item of its own, and another name for an item that all know. */
const crops: Import = async (transaction) => {
  await transaction.putEntities('items', [item(2, 'Maize', [1]), item(4, 'Rye', [1])]);
  await transaction.putEntities('regions', [region(30, 'Prairie', [21])]);
  await transaction.putOnce('crops', () => transaction.putEntities('regions', [region(31, 'Steppe', [21])]));
  await transaction.putShapes([{ region_id: 21, detail: 'full', geojson: '{"of":"crops"}' }]);
  await transaction.putFetch({ dataset: 'crops', request: 'all', settings: '{}', files: [], fetchedMs: 5 });
  await transaction.putImportedSources({ dataset: 'crops', sourceIds: [1], importedMs: 7 });
  await transaction.putPoints(
    newPoints([...days({ region_id: 30, item_id: 4 }, 0, 1), ...days({ region_id: 21 }, 0, 2)]),
  );
};

/** Another one, which revises some of the same points, and renames what the other one renames and what it does not. */
const trade: Import = async (transaction) => {
  await transaction.putEntities('items', [
    item(2, 'Corn (grain)', [1]),
    item(3, 'Soft wheat', [1]),
    item(5, 'Oats', [1]),
  ]);
  await transaction.putEntities('regions', [region(40, 'Delta', [22])]);
  await transaction.putOnce('trade', () => transaction.putEntities('items', [item(6, 'Barley', [1])]));
  await transaction.putShapes([{ region_id: 22, detail: 'full', geojson: '{"of":"trade"}' }]);
  await transaction.putFetch({ dataset: 'trade', request: 'all', settings: '{}', files: [], fetchedMs: 6 });
  await transaction.putImportedSources({ dataset: 'trade', sourceIds: [2], importedMs: 8 });
  await transaction.putPoints(
    newPoints([
      ...days({ region_id: 40, item_id: 5, source_id: 2 }, 0, 3),
      ...days({ region_id: 21 }, 200, 4),
    ]),
  );
};

const basis: Import = async (transaction) => {
  await putSampleEntities(transaction);
  await transaction.putPoints(newPoints(days({ region_id: 21 }, 100, 0)));
};

async function runOne(store: Store, put: Import): Promise<ImportCounts> {
  const transaction = await store.begin();
  await put(transaction);
  return transaction.commit();
}

async function describeStore(store: Store): Promise<unknown> {
  return {
    ...(await contentOf(store)),
    items: await store.list('items', 99),
    regions: await store.list('regions', 99),
    shapes: await store.shapes([21, 22], 'full'),
    sources: await store.sourceImports(),
    fetches: await store.fetches(),
    faults: await store.findFaults(),
  };
}

/** What a file has after imports one after another, and what each counted. */
async function oneAfterAnother(...imports: Import[]): Promise<{ content: unknown; counts: ImportCounts[] }> {
  const store = await openStore(':memory:');
  try {
    const counts: ImportCounts[] = [];
    for (const put of [basis, ...imports]) counts.push(await runOne(store, put));
    return { content: await describeStore(store), counts: counts.slice(1) };
  } finally {
    await store.close();
  }
}

/** Whether a batch is left out when it is put again. */
async function isKnown(store: Store, digest: string): Promise<boolean> {
  const transaction = await store.begin();
  let isPut = false;
  await transaction.putOnce(digest, async () => {
    isPut = true;
  });
  await transaction.rollback();
  return !isPut;
}

/** Runs a test on one store that two importers have opened, with the data that both begin with. */
async function withTwo(test: (stores: readonly [Store, Store]) => Promise<void>): Promise<void> {
  const address = await newStoreAddress();
  const [one, other] = [await openStore(address), await openStore(address)];
  try {
    await runOne(one, basis);
    await test([one, other]);
  } finally {
    await Promise.all([one.close(), other.close()]);
    await dropStore(address);
  }
}

/** Begins two imports and puts what they have, before either commits. */
async function begun(
  [one, other]: readonly [Store, Store],
  imports: readonly [Import, Import],
): Promise<readonly [StoreTransaction, StoreTransaction]> {
  const both = [await one.begin(), await other.begin()] as const;
  await Promise.all(both.map((transaction, i) => imports[i]!(transaction)));
  return both;
}

describe('two importers of different data that begin before either commits', () => {
  it.each([
    ['crops, then trade', [crops, trade]],
    ['trade, then crops', [trade, crops]],
  ] as const)(
    'leave what they leave one after the other: %s',
    (_, imports) =>
      withTwo(async (stores) => {
        const [first, second] = await begun(stores, imports);
        const counts = [await first.commit(), await second.commit()];
        const wanted = await oneAfterAnother(...imports);
        expect(counts).toEqual(wanted.counts);
        for (const store of stores) expect(await describeStore(store)).toEqual(wanted.content);
        // Both replaced items, so that the batch with an item counts as unknown; nobody replaced a region.
        expect(await isKnown(stores[0], 'crops')).toBe(true);
        expect(await isKnown(stores[1], 'trade')).toBe(false);
      }),
    120_000,
  );

  it(
    'leave one of the two orders when they commit at the same time',
    () =>
      withTwo(async (stores) => {
        const both = await begun(stores, [crops, trade]);
        await Promise.all(both.map((transaction) => transaction.commit()));
        const orders = [await oneAfterAnother(crops, trade), await oneAfterAnother(trade, crops)];
        expect(orders.map(({ content }) => content)).toContainEqual(await describeStore(stores[1]));
      }),
    120_000,
  );
});
