import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { initClickhouseStore } from '../../src/store/clickhouse/schema.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';

/** The address of a database that no other test uses, on the shared nodes. */
export function newAddress(): string {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  return `clickhouse://${inject('clickhouseHosts').join(',')}/${database}`;
}

/** The address of an empty store on the shared nodes. */
export async function newStoreAddress(): Promise<string> {
  const address = newAddress();
  await initClickhouseStore(address);
  return address;
}

/** An empty store on the shared nodes, whose tables are dropped when it is closed. */
export async function openNewStore(): Promise<Store> {
  const address = await newStoreAddress();
  const store = await openStore(address);
  return {
    ...store,
    async close() {
      await store.close();
      await dropStore(address);
    },
  };
}

/** Drops the tables of a store: a server counts memory for each of them. */
export async function dropStore(address: string): Promise<void> {
  const database = address.slice(address.lastIndexOf('/') + 1);
  const drop = (host: string) =>
    fetch(`http://${host}/`, { method: 'POST', body: `DROP DATABASE IF EXISTS ${database} SYNC` });
  await Promise.all(inject('clickhouseHosts').map(drop));
}
