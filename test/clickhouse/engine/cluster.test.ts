import { describe, expect, it } from 'vitest';
import { openCluster } from '../../../src/store/clickhouse/schema.js';
import { newAddress, newStoreAddress } from '../fresh-store.js';

describe('a cluster', () => {
  it('is refused with the remedy where there is no store', async () => {
    const address = newAddress();
    await expect(openCluster(address)).rejects.toThrow(
      new RegExp(`there is no store at ${address.replace('?', '\\?')}.*run "cropframe store init`),
    );
  });

  it('has no import at first', async () => {
    const cluster = await openCluster(await newStoreAddress());
    expect(await cluster.snapshot()).toMatchObject({ import: 0, abandoned: [] });
    await cluster.close();
  });
});
