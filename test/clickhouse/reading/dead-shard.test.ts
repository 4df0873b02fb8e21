import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/model/errors.js';
import { initClickhouseStore } from '../../../src/store/clickhouse/schema.js';
import { openStore } from '../../../src/store/open.js';
import type { PointPlan } from '../../../src/store/plan.js';
import type { Store } from '../../../src/store/store.js';
import { Nodes } from '../nodes.js';
import { DAYS, importDaily, latestPlan, sumPoints } from './daily-store.js';

const SERIES = 240;
/** The node that is ended; the first one holds all that is not points. */
const DEAD = 1;

describe('a cluster of which a shard ends', () => {
  let nodes: Nodes;
  let store: Store;
  let plan: PointPlan;
  let whole: Awaited<ReturnType<typeof sumPoints>>;

  beforeAll(async () => {
    nodes = await Nodes.start(3);
    await initClickhouseStore(nodes.address('daily'));
    store = await openStore(nodes.address('daily'));
    await importDaily(store, SERIES);
    plan = await latestPlan(store);
    whole = await sumPoints(store, plan);
  });

  afterAll(async () => {
    await store.close();
    await nodes.stop();
  });

  /** That of a reader who was given all, or of one who was told that the shard failed. */
  async function outcome(reading: Promise<unknown>): Promise<unknown> {
    try {
      return await reading;
    } catch (error) {
      expect(error).toBeInstanceOf(StoreError);
      expect((error as Error).message).toContain(nodes.hosts[DEAD]);
      return 'lost';
    }
  }

  it('has all points at first', () => {
    expect(whole).toEqual({ points: SERIES * DAYS, sum: expect.any(Number) });
  });

  it('answers with an error that names the shard, in the middle of an answer and afterwards', async () => {
    const counts = { whole: 0, lost: 0 };
    for (const afterMs of [0, 5, 20, 40, 80]) {
      const reads = Array.from({ length: 4 }, () => outcome(sumPoints(store, plan)));
      await sleep(afterMs);
      await nodes.kill(DEAD);
      for (const found of await Promise.all(reads)) {
        if (found === 'lost') counts.lost++;
        else counts.whole++;
        expect(['lost', whole]).toContainEqual(found);
      }
      expect(await outcome(sumPoints(store, plan))).toBe('lost');
      await nodes.startNode(DEAD);
      expect(await sumPoints(store, plan)).toEqual(whole);
    }
    expect(counts.lost).toBeGreaterThan(0);
  });

  it('counts and sums nothing without it, but reads series of other shards', async () => {
    await nodes.kill(DEAD);
    const { series } = plan;
    const unknown = series.map(({ common: _, ...one }) => one);
    const all = { selection: {}, startMs: null, endMs: null };
    expect(await outcome(store.sums(all))).toBe('lost');
    expect(await outcome(store.vintages({ series: unknown, limit: 3 }))).toBe('lost');
    expect(await outcome(store.findFaults())).toBe('lost');
    const others = series.filter(({ handle }) => handle % 3 !== DEAD);
    expect(await sumPoints(store, { ...plan, series: others })).toMatchObject({
      points: others.length * DAYS,
    });
    await nodes.startNode(DEAD);
    expect((await store.sums(all)).length).toBeGreaterThan(0);
    expect(await store.vintages({ series: unknown, limit: 3 })).toMatchObject({ points: SERIES * DAYS });
  });
});
