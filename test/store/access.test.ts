import { fork } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoreError } from '../../src/model/errors.js';
import { openAccess } from '../../src/store/access.js';
import type { StoredToken } from '../../src/store/store.js';

let folder: string;
let store: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cropframe-access-'));
  store = join(folder, 'farm.duckdb');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const token = (hash: string): StoredToken => ({
  hash,
  name: hash,
  email: null,
  createdMs: 1,
  expiresMs: null,
  revokedMs: null,
});

it('is visible at once to others that have the store open', async () => {
  const [service, command] = [openAccess(store), openAccess(store)];
  expect(await service.tokenByHash('a')).toBeNull();
  await command.putToken(token('a'));
  expect(await service.tokenByHash('a')).toMatchObject({ hash: 'a', revokedMs: null });
  await command.revokeToken('a', 7);
  expect(await service.tokenByHash('a')).toMatchObject({ revokedMs: 7 });
});

it('is readable only by its owner', async () => {
  await openAccess(store).putUser({ email: 'a@b.example', passwordHash: 'scrypt$…' });
  expect(statSync(`${store}.access.json`).mode & 0o777).toBe(0o600);
});

it('stays as it was, with nothing beside it, when it cannot be written', async () => {
  const access = openAccess(store);
  await access.putToken(token('a'));
  const before = readFileSync(`${store}.access.json`, 'utf8');
  mkdirSync(`${store}.access.json.new`);
  writeFileSync(join(`${store}.access.json.new`, 'in the way'), '');
  await expect(access.putToken(token('b'))).rejects.toThrow(
    /access\.json could not be written and was left unchanged/,
  );
  rmSync(`${store}.access.json.new`, { recursive: true });
  expect(readFileSync(`${store}.access.json`, 'utf8')).toBe(before);
  expect(readdirSync(folder)).toEqual(['farm.duckdb.access.json']);
});

it('passes on an error that is not of the file system', async () => {
  const cyclic: Record<string, unknown> = { ...token('a') };
  cyclic.self = cyclic;
  await expect(openAccess(store).putToken(cyclic as never)).rejects.toThrow(TypeError);
  expect(readdirSync(folder)).toEqual([]);
});

it('replaces what a process left that died while it wrote, and follows no link put in its place', async () => {
  writeFileSync(join(folder, 'other'), 'untouched');
  symlinkSync(join(folder, 'other'), `${store}.access.json.new`);
  await openAccess(store).putToken(token('a'));
  expect(await openAccess(store).tokens()).toHaveLength(1);
  expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('untouched');
  expect(statSync(`${store}.access.json`).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['farm.duckdb.access.json', 'other']);
});

it('loses nothing when several processes write at the same time', async () => {
  const writer = fileURLToPath(new URL('./access-writer.ts', import.meta.url));
  const exits = await Promise.all(
    ['a', 'b', 'c'].map(
      (name) =>
        new Promise<number | null>((resolve) => {
          fork(writer, [store, name, '15'], { execArgv: ['--import', import.meta.resolve('tsx')] }).on(
            'exit',
            resolve,
          );
        }),
    ),
  );
  expect(exits).toEqual([0, 0, 0]);
  expect(await openAccess(store).tokens()).toHaveLength(45);
  expect(JSON.parse(readFileSync(`${store}.access.json`, 'utf8'))).toMatchObject({ version: 1 });
});

it.each([
  '{"version": 1',
  '[]',
  '{"version": 2, "users": [], "tokens": []}',
  '{"version": 1, "users": [null], "tokens": []}',
])('refuses a damaged file and names it: %s', async (text) => {
  writeFileSync(`${store}.access.json`, text);
  await expect(openAccess(store).tokens()).rejects.toThrow(StoreError);
  await expect(openAccess(store).putToken(token('a'))).rejects.toThrow(/access\.json .*restore it/);
  expect(readFileSync(`${store}.access.json`, 'utf8')).toBe(text);
});
