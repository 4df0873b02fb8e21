import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { newStoreAddress } from '../fresh-store.js';
import { importDaily, latestPlan, sumPoints } from './daily-store.js';

const MAX_WAIT_MS = 20_000;
const POLL_MS = 50;

describe('a cancelled read', () => {
  let address: string;
  let store: Store;
  beforeAll(async () => {
    address = await newStoreAddress();
    store = await openStore(address);
    await importDaily(store, 120);
  });
  afterAll(() => store.close());

  /** Waits until no server runs a query of this store any more. */
  async function untilIdle(): Promise<string[]> {
    const database = address.split('/').at(-1)!;
    const sql = `SELECT query FROM system.processes WHERE current_database = '${database}' FORMAT TSV`;
    const deadline = Date.now() + MAX_WAIT_MS;
    for (;;) {
      const answers = await Promise.all(
        inject('clickhouseHosts').map(async (host) =>
          (await fetch(`http://${host}/`, { method: 'POST', body: sql })).text(),
        ),
      );
      const running = answers
        .join('')
        .split('\n')
        .filter((line) => line !== '');
      if (running.length === 0 || Date.now() > deadline) return running;
      await sleep(POLL_MS);
    }
  }

  it('ends with its reason, and on every server', async () => {
    const plan = await latestPlan(store);
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const reading = sumPoints(store, plan, {
      signal: controller.signal,
      onList: () => controller.abort(reason),
    });
    await expect(reading).rejects.toBe(reason);
    expect(await untilIdle()).toEqual([]);
  });

  it('ends on the servers when its reader stops', async () => {
    const plan = await latestPlan(store);
    for await (const _ of store.points(plan)) break;
    for await (const _ of store.series({ selection: {}, includeHistorical: true })) break;
    expect(await untilIdle()).toEqual([]);
    expect(store.load().running).toBe(0);
  });
});
