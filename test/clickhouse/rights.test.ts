import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { initClickhouseStore } from '../../src/store/clickhouse/schema.js';
import { openStore } from '../../src/store/open.js';
import { allSeries, importVintages } from '../store/conformance/sample-data.js';
import { dropStore, newAddress } from './fresh-store.js';
import { IMPORTING_USER, READING_USER } from './node-config.js';

const address = newAddress();

afterEach(() => vi.unstubAllEnvs());
afterAll(() => dropStore(address));

function logInAs({ name, password }: { name: string; password: string }): void {
  vi.stubEnv('CROPFRAME_CLICKHOUSE_USER', name);
  vi.stubEnv('CROPFRAME_CLICKHOUSE_PASSWORD', password);
}

describe('the rights that the documentation asks for', () => {
  it('suffice to create a store, to import, to revise and to log in', async () => {
    logInAs(IMPORTING_USER);
    await initClickhouseStore(address);
    const store = await openStore(address);
    expect(await importVintages(store, [{ day: 0, value: 1 }])).toMatchObject({ added: 1 });
    expect(await importVintages(store, [{ day: 0, value: 2, available: 200 }])).toMatchObject({ revised: 1 });
    const token = { hash: 'a', name: 'a', email: 'a@b', createdMs: 1, expiresMs: 2, revokedMs: null };
    await store.access.putLogin(token);
    await store.access.putLogin({ ...token, hash: 'b', createdMs: 5, expiresMs: 9 });
    expect((await store.access.tokens()).map(({ hash }) => hash)).toEqual(['b']);
    await store.close();
  });

  it('are named when they are missing, and reading needs few', async () => {
    logInAs(READING_USER);
    const reading = await openStore(address, { read_only: true });
    expect(await allSeries(reading)).toHaveLength(1);
    expect(await reading.findFaults()).toEqual([]);
    await expect(reading.begin()).rejects.toThrow(/is open for reading only/);
    await reading.close();
    const store = await openStore(address);
    await expect(importVintages(store, [{ day: 1, value: 1 }])).rejects.toThrow(
      /the user in CROPFRAME_CLICKHOUSE_USER lacks a permission on .*INSERT/,
    );
    await store.close();
  });
});
