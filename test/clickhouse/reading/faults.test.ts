import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { allSeries, importVintages } from '../../store/conformance/sample-data.js';
import { newStoreAddress, queryNode } from '../fresh-store.js';

describe('the faults of a store', () => {
  let address: string;
  let store: Store;
  beforeEach(async () => {
    address = await newStoreAddress();
    store = await openStore(address);
    await importVintages(store, [
      { day: 0, value: 1 },
      { day: 1, value: 2, unit: 2 },
      { of: { region_id: 22 }, day: 0, value: 3 },
      { of: { region_id: 211 }, day: 0, value: 4 },
    ]);
    expect(await store.findFaults()).toEqual([]);
  });
  afterEach(() => store.close());

  /** Changes a server behind the back of the store. */
  const damage = (shard: number, sql: string) => queryNode(address, shard, sql);

  /** The series of a region: its handle, and the position of its shard. */
  async function seriesOf(region_id: number): Promise<{ handle: number; shard: number }> {
    const [{ handle } = { handle: -1 }] = await allSeries(store, { region_id: [region_id] });
    return { handle, shard: handle % 3 };
  }

  it('are points that are missing', async () => {
    const { handle, shard } = await seriesOf(21);
    await damage(shard, `ALTER TABLE point DELETE WHERE series = ${handle} AND value = 1`);
    expect(await store.findFaults()).toEqual([
      `series ${handle} should have 2 points, but has 1`,
      expect.stringContaining(`series ${handle} does not match its points in these columns: `),
    ]);
  });

  it('are points on the shard of others, where nothing finds them', async () => {
    const { handle, shard } = await seriesOf(22);
    const columns =
      'series, start_date, end_date, value, unit_id, reporting_date, available_date, metadata, import';
    const values = `(${handle}, 0, 0, 3, 1, 1, 1, '', 1)`;
    await damage((shard + 1) % 3, `INSERT INTO point (${columns}) VALUES ${values}`);
    expect(await store.findFaults()).toEqual([]);
    await damage(shard, `ALTER TABLE point DELETE WHERE series = ${handle}`);
    expect(await store.findFaults()).toEqual([`series ${handle} should have 1 point, but has 0`]);
  });

  it('are series that are not what their points are, and points without a series', async () => {
    const { handle } = await seriesOf(22);
    const unknown = await seriesOf(211);
    await damage(0, `ALTER TABLE series UPDATE available_date = NULL WHERE handle = ${handle}`);
    await damage(0, `ALTER TABLE series DELETE WHERE handle = ${unknown.handle}`);
    expect((await store.findFaults()).sort()).toEqual(
      [
        `series ${unknown.handle} does not exist, but has 1 point`,
        `series ${handle} does not match its points in these columns: available_date`,
      ].sort(),
    );
  });

  it('are ids without an entity', async () => {
    await damage(0, 'ALTER TABLE region DELETE WHERE id IN (21, 10)');
    const faults = await store.findFaults();
    expect(faults).toContain('a series has region_id 21, but there is no region 21');
    expect(faults).toContain('region 21 belongs to 10, but there is no region 10');
    await damage(0, 'ALTER TABLE unit DELETE WHERE id = 2');
    expect(await store.findFaults()).toContain('a point has unit_id 2, but there is no unit 2');
  });
});
