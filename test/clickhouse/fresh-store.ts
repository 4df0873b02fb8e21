import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { initClickhouseStore } from '../../src/store/clickhouse/open-cluster.js';

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
