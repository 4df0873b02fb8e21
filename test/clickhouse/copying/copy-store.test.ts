import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Progress } from '../../../src/model/progress.js';
import { copyStore } from '../../../src/store/copying/copy-store.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { dropStore, newStoreAddress } from '../fresh-store.js';
import { contentOf, importFirst, importSecond } from '../writing/two-imports.js';

const PROGRAM = fileURLToPath(new URL('copier.ts', import.meta.url));
const FETCH = {
  dataset: 'crops',
  request: 'all',
  settings: '{}',
  files: [],
  fetchedMs: 5,
};

let folder: string;
let file: string;
let wanted: unknown;
const addresses: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'copy-'));
  file = join(folder, 'from.duckdb');
  const store = await openStore(file);
  await importFirst(store);
  await importSecond(store);
  const more = await store.begin();
  await more.putShapes([{ region_id: 21, detail: 'full', geojson: '{"a":1}' }]);
  await more.putImportedSources({ dataset: 'crops', sourceIds: [1], importedMs: 77 });
  await more.putFetch(FETCH);
  await more.putIdRedirects([{ field: 'item_id', oldId: 900, newId: 3, sourceId: null }]);
  await more.commit();
  await store.access.putUser({ email: 'a@b.example', passwordHash: 'x' });
  wanted = await describeStore(store);
  await store.close();
}, 60_000);

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all(addresses.map(dropStore));
});

/** All that a copy keeps. */
async function describeStore(store: Store): Promise<unknown> {
  return {
    ...(await contentOf(store)),
    regions: await store.list('regions', 99),
    items: await store.list('items', 99),
    units: await store.list('units', 99),
    frequencies: await store.list('frequencies', 99),
    documents: await store.searchDocuments('regions'),
    shapes: await store.shapes([21], 'full'),
    redirects: await store.idRedirects(),
    sources: await store.sourceImports(),
    fetches: await store.fetches(),
  };
}

async function contentAt(location: string): Promise<unknown> {
  const store = await openStore(location, { readOnly: true });
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
      const progress: Progress[] = [];
      await copyStore(from, to, { onProgress: (step) => progress.push({ ...step }) });
      expect(new Set(progress.map(({ label }) => label))).toEqual(
        new Set(['copying points', 'comparing points']),
      );
      expect(await contentAt(to)).toEqual(wanted);
    }
    const store = await openStore(first);
    expect(await importSecond(store)).toMatchObject({ added: 0, revised: 0, series: 0 });
    await store.close();
  }, 120_000);

  it('is refused where there is something', async () => {
    const [address, taken] = [await newAddress(), join(folder, 'taken.duckdb')];
    for (const to of [address, taken]) {
      const store = await openStore(to);
      await importFirst(store);
      await store.close();
    }
    await expect(copyStore(file, address)).rejects.toThrow('has data already');
    await expect(copyStore(file, taken)).rejects.toThrow('exists already');
  }, 60_000);

  it('onto servers goes on after its process was killed, and cannot be seen until then', async () => {
    const to = await newAddress();
    const written = `SELECT count() FROM import_log WHERE state = 'written'`;
    await killedWhen(to, async () => Number(await query(to, written)) > 0);
    const store = await openStore(to);
    expect(await contentOf(store)).toEqual({ series: [], points: [] });
    await store.close();
    await copyStore(file, to);
    expect(await contentAt(to)).toEqual(wanted);
    const tables = `SELECT count(DISTINCT import) FROM series WHERE import > 0`;
    expect(await query(to, tables)).toBe('1\n');
  }, 120_000);

  it('into a file goes on after its process was killed, and cannot be seen until then', async () => {
    const to = join(folder, 'resumed.duckdb');
    await killedWhen(to, async () => existsSync(`${to}.copying`));
    expect(existsSync(to)).toBe(false);
    await copyStore(file, to);
    expect(await contentAt(to)).toEqual(wanted);
    expect(existsSync(`${to}.copying`)).toBe(false);
  }, 120_000);

  it('is stopped by a signal, and goes on later', async () => {
    const to = await newAddress();
    const controller = new AbortController();
    const reason = new Error('stopped by the user');
    const stopped = copyStore(file, to, {
      signal: controller.signal,
      onProgress: ({ label }) => {
        if (label === 'comparing points') controller.abort(reason);
      },
    });
    await expect(stopped).rejects.toBe(reason);
    await copyStore(file, to);
    expect(await contentAt(to)).toEqual(wanted);
  }, 120_000);
});

/** Copies in another process, which is killed at a moment. */
async function killedWhen(to: string, isReached: () => Promise<boolean>): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, file, to], { stdio: 'ignore' });
  while (child.exitCode === null && !(await isReached())) await sleep(1);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGKILL');
}

async function query(address: string, sql: string): Promise<string> {
  const database = address.slice(address.lastIndexOf('/') + 1);
  const url = `http://${inject('clickhouseHosts')[0]}/?database=${database}`;
  return (await fetch(url, { method: 'POST', body: sql })).text();
}
