import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { withStoreCopy } from '../../../../src/cli/actions/update.js';
import { copyStore } from '../../../../src/store/copying/copy-store.js';
import { restoreStore } from '../../../../src/store/duckdb/backup/backup.js';
import { withDraft } from '../../../../src/store/duckdb/engine/drafts.js';
import { openStore } from '../../../../src/store/open.js';
import { takeLock } from '../../../../src/store/process-lock.js';
import { temporaryFolder } from '../../../temporary-files.js';
import { importVintages, readRows } from '../../conformance/sample-data.js';

const root = temporaryFolder();
let folder: string;
let path: string;
const beside = (name: string) => join(folder, name);

beforeAll(async () => {
  const store = await openStore(join(root, 'template.duckdb'));
  await importVintages(store, [{ day: 1, value: 7 }]);
  await store.close();
});

beforeEach(() => {
  folder = mkdtempSync(join(root, 'drafts-'));
  path = beside('farm.duckdb');
  copyFileSync(join(root, 'template.duckdb'), path);
});

async function backUp(to: string): Promise<void> {
  const store = await openStore(path, { read_only: true });
  await store.backup(to).finally(() => store.close());
}

it('is refused while another process replaces the store', async () => {
  const backup = beside('backup.duckdb');
  await backUp(backup);
  const release = [
    await takeLock(`${path}.update-lock`),
    await takeLock(`${beside('new.duckdb')}.update-lock`),
  ];
  const before = readFileSync(path);
  await expect(restoreStore(backup, path, { replace: true })).rejects.toThrow(
    /another update, restore, backup or copy/,
  );
  await expect(backUp(beside('new.duckdb'))).rejects.toThrow(/another update, restore, backup or copy/);
  await expect(copyStore(path, beside('new.duckdb'))).rejects.toThrow(
    /another update, restore, backup or copy/,
  );
  expect(readFileSync(path).equals(before)).toBe(true);
  for (const done of release) await done!();
  await restoreStore(backup, path, { replace: true });
  expect(readdirSync(folder).sort()).toEqual(['backup.duckdb', 'farm.duckdb']);
});

it('keeps the mode of the store, and its owner when root writes', async () => {
  const access = (file: string) => {
    const { mode, uid } = statSync(file);
    return [mode & 0o777, uid];
  };
  const isRoot = process.getuid!() === 0;
  const owner = isRoot ? 1234 : process.getuid!();
  chmodSync(path, 0o600);
  if (isRoot) chownSync(path, owner, owner);
  await withDraft({ path, name: path }, async (draft) => {
    expect(statSync(join(draft, '..')).mode & 0o777).toBe(0o700);
  });
  await backUp(beside('backup.duckdb'));
  await copyStore(path, beside('copy.duckdb'));
  await restoreStore(beside('backup.duckdb'), beside('restored.duckdb'));
  for (const name of ['backup', 'copy', 'restored'])
    expect(access(beside(`${name}.duckdb`)), name).toEqual([0o600, owner]);
  await withStoreCopy(path, async (copy) => (await openStore(copy)).close());
  expect(access(path)).toEqual([0o600, owner]);
  chmodSync(beside('backup.duckdb'), 0o644);
  await restoreStore(beside('backup.duckdb'), path, { replace: true });
  expect(access(path)).toEqual([0o600, owner]);
  const store = await openStore(path);
  await store.kept.write('search-items', new Uint8Array(9));
  await importVintages(store, [{ day: 2, value: 7 }]);
  expect(access(`${path}.wal`)).toEqual([0o600, owner]);
  await store.close();
  expect(access(beside('farm.duckdb.search-items'))).toEqual([0o600, owner]);
});

it('replaces an empty file only under the lock, so that two creators never lose the file of the other', async () => {
  const created = beside('new.duckdb');
  writeFileSync(created, '');
  const { ino } = statSync(created);
  const release = await takeLock(`${created}.update-lock`);
  await expect(openStore(created)).rejects.toThrow(/another update, restore, backup or copy/);
  expect(statSync(created)).toMatchObject({ ino, size: 0 });
  await release!();
  const store = await openStore(created);
  await importVintages(store, [{ day: 1, value: 7 }]);
  await store.close();
  expect(statSync(created).size).toBeGreaterThan(0);
});

it.each([
  ['removed', () => rmSync(path)],
  ['replaced', () => renameSync(beside('other.duckdb'), path)],
])('commits nothing into a file that was %s', async (_, change) => {
  writeFileSync(beside('other.duckdb'), readFileSync(path));
  const store = await openStore(path);
  change();
  await expect(importVintages(store, [{ day: 2, value: 8 }])).rejects.toThrow(
    /was replaced or removed while/,
  );
  await store.close();
});

it.each([1, 0])(
  'leaves the log of a store that took its place alone when it is closed (%s imports before)',
  async (imports) => {
    const other = await openStore(beside('other.duckdb'));
    await importVintages(other, [{ day: 3, value: 9 }]);
    copyFileSync(beside('other.duckdb'), beside('newer.duckdb'));
    copyFileSync(beside('other.duckdb.wal'), beside('newer.duckdb.wal'));
    await other.close();
    const store = await openStore(path);
    if (imports > 0) await importVintages(store, [{ day: 2, value: 8 }]);
    rmSync(`${path}.wal`, { force: true });
    renameSync(beside('newer.duckdb'), path);
    renameSync(beside('newer.duckdb.wal'), `${path}.wal`);
    await store.close();
    const newer = await openStore(path, { read_only: true });
    const found = await readRows(newer, { history: 'complete' }).finally(() => newer.close());
    expect(found.map(({ value }) => value)).toEqual([9]);
  },
);

it('has another version whenever it is imported into, also once a copy was put back', async () => {
  const copy = readFileSync(path);
  const versionAfter = async (value?: number) => {
    const store = await openStore(path);
    if (value !== undefined) await importVintages(store, [{ day: 1, value, available: 200 }]);
    return store.version().finally(() => store.close());
  };
  const before = await versionAfter();
  const wrong = await versionAfter(8);
  writeFileSync(path, copy);
  expect(await versionAfter()).toBe(before);
  const right = await versionAfter(9);
  expect(new Set([before, wrong, right]).size).toBe(3);
  expect(existsSync(`${path}.wal`)).toBe(false);
});
