import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/store/clickhouse/engine/cluster.js';
import { openCluster } from '../../src/store/clickhouse/schema.js';
import { openTableKept } from '../../src/store/clickhouse/store.js';
import { newStoreAddress } from './fresh-store.js';

/** Two processes over one store. */
let one: Cluster;
let other: Cluster;
beforeAll(async () => {
  const address = await newStoreAddress();
  [one, other] = await Promise.all([openCluster(address), openCluster(address)]);
});
afterAll(async () => {
  await one?.close();
  await other?.close();
});

describe('derived data in ClickHouse', () => {
  it('is found by other processes, and replaced', async () => {
    const [here, there] = [openTableKept(one.first), openTableKept(other.first)];
    const bytes = Uint8Array.from({ length: 7_000_001 }, (_, i) => (i * 7919) >> 3);
    expect(await there.read('index')).toBeNull();
    await here.write('index', bytes);
    expect(Buffer.from((await there.read('index'))!).equals(bytes)).toBe(true);
    await there.write('index', Uint8Array.of(1, 2));
    expect(await here.read('index')).toEqual(Buffer.from([1, 2]));
    await here.write('index', new Uint8Array(0));
    expect(await here.read('index')).toHaveLength(0);
  });
});
