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

/** Runs a statement on a shared node, in the database of a store, and waits until it has changed the rows. */
export async function queryNode(address: string, node: number, sql: string): Promise<string> {
  const database = address.slice(address.lastIndexOf('/') + 1);
  const url = `http://${inject('clickhouseHosts')[node]}/?database=${database}&mutations_sync=2`;
  const answer = await fetch(url, { method: 'POST', body: sql });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** The address of an empty store on the shared nodes. */
export async function newStoreAddress(): Promise<string> {
  const address = newAddress();
  await initClickhouseStore(address);
  return address;
}

/** Addresses of stores that were emptied: creating the tables of one takes longer than most tests. */
const emptied: string[] = [];

/** An empty store on the shared nodes, which is emptied for another test or dropped when it is closed. */
export async function openNewStore(): Promise<Store> {
  const address = emptied.pop() ?? (await newStoreAddress());
  const store = await openStore(address);
  let closed: Promise<void> | undefined;
  return {
    ...store,
    close() {
      closed ??= store.close().then(async () => {
        if (await emptyStore(address)) emptied.push(address);
        else await dropStore(address);
      });
      return closed;
    },
  };
}

/**
 * Empties a store of one node as `newStoreAddress` leaves one.
 * @returns false when an import was given up, as its last rows may still arrive
 */
async function emptyStore(address: string): Promise<boolean> {
  if (inject('clickhouseHosts').length > 1) return false;
  const database = address.slice(address.lastIndexOf('/') + 1);
  const ask = async (sql: string) => (await queryNode(address, 0, sql)).trim();
  const givenUp = `SELECT countIf(state = 'begun') - countIf(state = 'committed')
    + (SELECT max(import) FROM ${database}.frequency) FROM ${database}.import_log`;
  if ((await ask(givenUp)) !== '0') return false;
  const filled = `SELECT name FROM system.tables WHERE database = '${database}' AND total_rows > 0
    AND name NOT IN ('shard_meta', 'frequency')`;
  const tables = (await ask(filled)).split('\n').filter(Boolean);
  await Promise.all(tables.map((table) => ask(`TRUNCATE TABLE ${database}.${table} SYNC`)));
  return true;
}

/** Drops the tables of a store: a server counts memory for each of them. */
export async function dropStore(address: string): Promise<void> {
  const database = address.slice(address.lastIndexOf('/') + 1);
  const drop = (host: string) =>
    fetch(`http://${host}/`, { method: 'POST', body: `DROP DATABASE IF EXISTS ${database} SYNC` });
  await Promise.all(inject('clickhouseHosts').map(drop));
}
