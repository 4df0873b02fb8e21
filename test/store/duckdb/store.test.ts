import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/model/errors.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { allSeries, importVintages, newPoints, readRows } from '../conformance/sample-data.js';
import { describeStore } from '../conformance.js';
import { runSql } from './run-sql.js';

describeStore('a DuckDB store in memory', () => openStore(':memory:'));

describe('a DuckDB store in a file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'store-'));
    path = join(folder, "it's a store.db");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const withStore = async <Result>(
    work: (store: Store) => Promise<Result>,
    options = {},
  ): Promise<Result> => {
    const store = await openStore(path, options);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  const figures = [
    { day: 0, value: 1 },
    { day: 0, value: 2, available: 200 },
    { day: 1, value: null },
  ];

  it('keeps its content when it is opened again, also for reading only', async () => {
    await withStore((store) => importVintages(store, figures));
    const state = (store: Store) =>
      Promise.all([
        store.version(),
        allSeries(store),
        readRows(store, { history: 'complete' }),
        store.lookup('regions', null, { limit: 9 }),
      ]);
    const written = await withStore(state);
    expect(written[2].map(({ value }) => value)).toEqual([1, 2, null]);
    expect(await withStore(state, { read_only: true })).toEqual(written);
  });

  it('refuses imports when opened for reading only', async () => {
    await withStore((store) => importVintages(store, figures));
    await withStore(
      async (store) => {
        await expect(store.begin()).rejects.toThrow(/open for reading only/);
        await expect(store.begin()).rejects.toThrow(StoreError);
        await store.access.putUser({ email: 'a', passwordHash: 'b' });
        expect(await store.access.user('a')).toEqual({ email: 'a', passwordHash: 'b' });
      },
      { read_only: true },
    );
  });

  it.each([true, false])('reads nothing of a store copied over its file (readOnly: %s)', async (readOnly) => {
    await withStore((store) => importVintages(store, figures));
    const other = join(folder, 'other.db');
    const written = await openStore(other);
    await importVintages(written, [{ day: 0, value: 9 }]);
    await written.close();
    const store = await openStore(path, { read_only: readOnly });
    copyFileSync(other, path);
    const overwritten = `${realpathSync(path)} was overwritten while it was open, and can no longer be read`;
    await expect(readRows(store)).rejects.toThrow(overwritten);
    await expect(store.version()).rejects.toThrow(overwritten);
    await expect(importVintages(store, figures)).rejects.toThrow(readOnly ? /for reading only/ : overwritten);
    await store.close();
    expect(readFileSync(path).equals(readFileSync(other))).toBe(true);
  });

  it('is closed also while an import that is refused begins', async () => {
    await withStore((store) => importVintages(store, figures));
    const store = await openStore(path, { read_only: true });
    const refused = expect(store.begin()).rejects.toThrow(/open for reading only/);
    await store.close();
    await refused;
    await withStore((again) => again.version());
  });

  it('has another version as soon as an import is readable, before the import has tidied up', async () => {
    await withStore(async (store) => {
      await importVintages(store, figures);
      const transaction = await store.begin();
      await transaction.putPoints(newPoints([{ day: 5, value: 5 }]));
      const before = await store.version();
      const committed = transaction.commit();
      while ((await readRows(store)).length < 3) expect(await store.version()).toBeDefined();
      expect(await store.version()).not.toBe(before);
      await committed;
    });
  });

  it('can be open only once in a process', async () => {
    await withStore(async () => {
      await expect(openStore(path)).rejects.toThrow(/already open for writing in this process/);
      await expect(openStore(join(folder, '.', "it's a store.db"), { read_only: true })).rejects.toThrow(
        StoreError,
      );
    });
    await withStore((store) => store.version());
  });

  it('names the process that has it open, and can be shared by readers', async () => {
    await withStore((store) => importVintages(store, figures));
    const shared = join(folder, 'shared.db');
    copyFileSync(path, shared);
    const reader = await openStore(shared, { read_only: true });
    const outcomes = await withStore(() => run(OPEN_ONCE, path, 'write', path, 'read', shared, 'read'));
    await reader.close();
    const inUse = `StoreInUseError: .*in use by another process \\(PID ${process.pid}\\); stop it.*\n`;
    expect(outcomes).toMatch(new RegExp(`^${inUse}${inUse}opened$`));
  });

  it('is intact after a process was killed with an import merged or committing', async () => {
    const outcomes = { merged: /^before$/, committing: /^(before|after)$/ };
    await withStore((store) => importVintages(store, figures));
    const before = await withStore((store) => store.version());
    const copies = Object.keys(outcomes).map((moment) => ({ moment, copy: join(folder, `${moment}.db`) }));
    for (const { copy } of copies) copyFileSync(path, copy);
    const signals = await Promise.all(copies.map(({ moment, copy }) => killed(BROKEN_IMPORT, copy, moment)));
    expect(signals).toEqual(['SIGKILL', 'SIGKILL']);
    for (const [i, outcome] of Object.values(outcomes).entries()) {
      const store = await openStore(copies[i]!.copy);
      const committed = (await store.version()) !== before;
      expect(committed ? 'after' : 'before').toMatch(outcome);
      await expectIntact(store, committed);
      await store.close();
    }
  });

  /** All or nothing of the broken import is there, and another import works. */
  async function expectIntact(store: Store, committed: boolean): Promise<void> {
    expect(await store.lookup('items', [50])).toHaveLength(committed ? 1 : 0);
    expect(await store.lookup('regions', [500])).toHaveLength(committed ? 1 : 0);
    expect(await allSeries(store)).toHaveLength(committed ? 2 : 1);
    const more = await importVintages(store, [{ day: 7, value: 7 }], { entities: false });
    expect(more).toMatchObject({ added: 1 });
    const rows = await readRows(store, { series: await allSeries(store, { item_id: [2] }) });
    expect(rows.map(({ value }) => value)).toEqual([committed ? 99 : 2, null, 7]);
  }

  it('refuses other files and locations, and names the remedy', async () => {
    const refusal = async (location: string, options = {}) => {
      const error: unknown = await openStore(location, options).then(
        () => null,
        (reason) => reason,
      );
      expect(error).toBeInstanceOf(StoreError);
      return (error as StoreError).message;
    };
    writeFileSync(path, 'commodity,year\nCORN,2020\n'.repeat(2_000));
    expect(await refusal(path)).toBe(
      `${path} is not a cropframe store, or is damaged; specify a different file, or restore a backup`,
    );
    expect(await refusal(folder)).toMatch(/is a folder; specify a file in it/);
    expect(await refusal(join(folder, 'none', 'x.db'))).toMatch(
      /its folder does not exist; create the folder first/,
    );
    expect(await refusal(join(folder, 'none.db'), { read_only: true })).toMatch(
      /there is no store at .*import a data set first/i,
    );
    expect(await refusal('https://example.org/store')).toMatch(/only clickhouse:.* URLs can be opened/);
    expect(await refusal('')).toMatch(/needs a location/);
    expect(await refusal(':memory:', { read_only: true })).toMatch(/starts empty/);
    await runSql(join(folder, 'other.db'), 'CREATE TABLE t (x INTEGER)');
    expect(await refusal(join(folder, 'other.db'))).toMatch(/is a DuckDB database but not a cropframe store/);
  });

  it('refuses a store of another version by name', async () => {
    await withStore((store) => importVintages(store, figures));
    await runSql(path, 'UPDATE meta SET schema_version = 99');
    await expect(openStore(path)).rejects.toThrow(/has schema version 99, .* update cropframe to open it/);
    await runSql(path, 'UPDATE meta SET schema_version = 1');
    await expect(openStore(path)).rejects.toThrow(
      /has schema version 1, .* import its files into a new store/,
    );
  });

  it('opens an empty file and an empty database, which a crash can leave behind', async () => {
    writeFileSync(path, '');
    await withStore((store) => importVintages(store, figures));
    const bare = join(folder, 'bare.db');
    await runSql(bare, 'SELECT 1');
    await expect(openStore(bare, { read_only: true })).rejects.toThrow(/is an empty database/);
    const store = await openStore(bare);
    expect(await store.lookup('frequencies', null, { limit: 1 })).toHaveLength(1);
    await store.close();
  });
});

const BROKEN_IMPORT = new URL('./broken-import.mjs', import.meta.url).pathname;
const OPEN_ONCE = new URL('./open-once.mjs', import.meta.url).pathname;

async function run(script: string, ...parameters: string[]): Promise<string> {
  const child = spawn(process.execPath, [script, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return Buffer.concat(chunks).toString().trim();
}

async function killed(script: string, ...parameters: string[]): Promise<unknown> {
  const child = spawn(process.execPath, [script, ...parameters], { stdio: 'inherit' });
  const [, signal] = await once(child, 'exit');
  return signal;
}
