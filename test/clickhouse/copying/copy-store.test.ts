import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyStore } from '../../../src/store/copying/copy-store.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { importVintages } from '../../store/conformance/sample-data.js';
import { temporaryFolder } from '../../temporary-files.js';
import { dropStore, newStoreAddress } from '../fresh-store.js';
import { contentOf, importFirst, importSecond } from '../importing/two-imports.js';

const FETCH = { dataset: 'crops', request: 'all', settings: '{}', files: [], fetchedMs: 5 };

const folder = temporaryFolder();
let file: string;
let wanted: unknown;
const addresses: string[] = [];

beforeAll(async () => {
  file = join(folder, 'from.duckdb');
  const store = await openStore(file);
  await importFirst(store);
  await importSecond(store);
  // The vintage that was stored before now repeats the one that came later, and is older.
  await importVintages(store, [{ of: { region_id: 21 }, day: 1, value: 1 / 7, available: 5 }]);
  const more = await store.begin();
  await more.putShapes([{ region_id: 21, detail: 'full', geojson: '{"a":1}' }]);
  await more.record({ imported: { dataset: 'crops', sourceIds: [1], importedMs: 77 } });
  await more.record({ fetched: FETCH });
  await more.commit();
  await store.access.putUser({ email: 'a@b.example', passwordHash: 'x' });
  wanted = await describeStore(store);
  await store.close();
});

afterAll(async () => {
  await Promise.all(addresses.map(dropStore));
});

/** All that a copy keeps. */
async function describeStore(store: Store): Promise<unknown> {
  return {
    ...(await contentOf(store)),
    regions: await store.lookup('regions', null, { limit: 99 }),
    items: await store.lookup('items', null, { limit: 99 }),
    units: await store.lookup('units', null, { limit: 99 }),
    frequencies: await store.lookup('frequencies', null, { limit: 99 }),
    documents: await store.searchDocuments('regions'),
    shapes: await store.shapes([21], 'full'),
    sources: await store.sourceImports(),
    fetches: await store.fetches(),
  };
}

async function contentAt(location: string): Promise<unknown> {
  const store = await openStore(location, { read_only: true });
  try {
    expect(await store.findFaults()).toEqual([]);
    expect(await store.access.user('a@b.example')).toBeNull();
    return await describeStore(store);
  } finally {
    await store.close();
  }
}

async function newAddress(): Promise<string> {
  const address = await newStoreAddress();
  addresses.push(address);
  return address;
}

describe('a copy of a store', () => {
  it('has all of it, from a file onto servers, to other servers, back into a file, and into another one', async () => {
    const [first, second] = [await newAddress(), await newAddress()];
    const [third, fourth] = [join(folder, 'third.duckdb'), join(folder, 'fourth.duckdb')];
    for (const [from, to] of [
      [file, first],
      [first, second],
      [second, third],
      [third, fourth],
    ] as const) {
      await copyStore(from, to);
      expect(await contentAt(to)).toEqual(wanted);
    }
    const store = await openStore(first);
    expect(await importSecond(store)).toMatchObject({ added: 0, revised: 0, series: 0 });
    await store.close();
  });

  it('is refused where there is something', async () => {
    const [address, taken] = [await newAddress(), join(folder, 'taken.duckdb')];
    for (const to of [address, taken]) {
      const store = await openStore(to);
      await importFirst(store);
      await store.close();
    }
    await expect(copyStore(file, address)).rejects.toThrow('already contains data');
    await expect(copyStore(file, taken)).rejects.toThrow('already exists');
  });

  it.each(['copying points', 'merging points'])(
    'that a signal ends while it is %s leaves nothing, and can be made again',
    async (label) => {
      const [address, path] = [await newAddress(), join(folder, 'stopped.duckdb')];
      for (const to of [address, path]) {
        const controller = new AbortController();
        const reason = new Error('stopped by the user');
        const stopped = copyStore(file, to, {
          signal: controller.signal,
          onProgress: (progress) => {
            if (progress.label === label) controller.abort(reason);
          },
        });
        await expect(stopped).rejects.toBe(reason);
      }
      expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);
      const store = await openStore(address);
      expect(await contentOf(store)).toEqual({ series: [], points: [] });
      await store.close();
      await copyStore(file, address);
      expect(await contentAt(address)).toEqual(wanted);
    },
  );
});
