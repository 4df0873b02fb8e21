import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PackedPoints } from '../../../src/columns/packed-points.js';
import { openStore } from '../../../src/store/open.js';
import type { PointPlan } from '../../../src/store/plan.js';
import type { Store } from '../../../src/store/store.js';
import { allSeries, DAY, EVERYTHING, importVintages, T0, type Vintage } from '../conformance/sample-data.js';

const KEYS = [1, 2].flatMap((metric_id) =>
  [2, 3].flatMap((item_id) =>
    [21, 22, 29, 211].flatMap((region_id) =>
      [1, 2].map((source_id) => ({ metric_id, item_id, region_id, source_id })),
    ),
  ),
);

/** Some series have nulls, others several units, periods or dates of reports. */
const vintages = (days: readonly number[]): Vintage[] =>
  KEYS.flatMap((of, n) =>
    days.map((day) => ({
      of,
      day: day * (1 + (n % 2)),
      days: n % 5 === 3 ? Math.abs(day % 2) : n % 3,
      value: n % 4 === 0 && day % 3 === 0 ? null : n * 1000 + day,
      unit: n % 7 === 2 ? 1 + Math.abs(day % 2) : 1,
      reported: n % 6 === 5 ? day + 1 : null,
    })),
  );

const PLANS: readonly Omit<PointPlan, 'series'>[] = [
  { ...EVERYTHING, withMetadata: false },
  { ...EVERYTHING, withAvailableDate: false, startMs: T0 + 5 * DAY, endMs: T0 + 30 * DAY },
  { ...EVERYTHING, history: 'complete' },
];

describe('reads of one series each at the same time', () => {
  let store: Store;
  let asked: PointPlan[];
  beforeAll(async () => {
    store = await openStore(':memory:');
    await importVintages(store, vintages(Array.from({ length: 25 }, (_, day) => day)));
    // These are not where their series' other points are.
    await importVintages(store, vintages([-3, 40]), { entities: false });
    const series = await allSeries(store);
    asked = PLANS.flatMap((plan) => series.flatMap((one) => Array(2).fill({ ...plan, series: [one] })));
  });
  afterAll(() => store.close());

  const read = async (plan: PointPlan, signal?: AbortSignal, from = store): Promise<PackedPoints[]> => {
    const parts: PackedPoints[] = [];
    for await (const list of from.points(plan, { signal })) parts.push(...list);
    return parts;
  };

  it('get what they would get alone, by fewer queries', async () => {
    const alone: PackedPoints[][] = [];
    for (const plan of asked) alone.push(await read(plan));
    expect(alone.every((parts) => parts.length > 0)).toBe(true);
    const run = vi.spyOn(DuckDBConnection.prototype, 'run');
    const together = await Promise.all(asked.map((plan) => read(plan)));
    const queries = run.mock.calls.filter(([sql]) => sql.startsWith('SELECT series, start_day')).length;
    run.mockRestore();
    expect(together).toEqual(alone);
    expect(queries).toBeGreaterThan(0);
    expect(queries).toBeLessThan(asked.length / 3);
  });

  it('are not disturbed by those that leave', async () => {
    const leaving = new AbortController();
    setMaxListeners(0, leaving.signal);
    const all = asked.map((plan, i) => read(plan, i % 3 === 1 ? leaving.signal : undefined));
    leaving.abort(new Error('left'));
    const settled = await Promise.allSettled(all);
    for (const [i, one] of settled.entries()) {
      if (i % 3 === 1) expect(one).toMatchObject({ status: 'rejected', reason: { message: 'left' } });
      else expect(one).toEqual({ status: 'fulfilled', value: await read(asked[i]!) });
    }
    const late = read(asked[0]!, AbortSignal.abort(new Error('late')));
    await expect(late).rejects.toThrow('late');
  });

  it('make no query for series that nobody waits for any more', async () => {
    const series = await allSeries(store);
    const planOf = (at: number, startMs: number) => ({ ...PLANS[0]!, startMs, series: [series[at]!] });
    const queries: string[] = [];
    const { run } = DuckDBConnection.prototype;
    let unblock = () => {};
    const blocked = new Promise<void>((resolve) => {
      unblock = resolve;
    });
    const spy = vi.spyOn(DuckDBConnection.prototype, 'run').mockImplementation(async function (
      this: DuckDBConnection,
      sql,
    ) {
      queries.push(sql);
      await blocked;
      return run.call(this, sql);
    });
    try {
      await read(planOf(0, T0), AbortSignal.abort()).catch(() => {});
      expect(queries).toEqual([]);
      const busy = Array.from({ length: availableParallelism() }, (_, i) => read(planOf(0, T0 - i * DAY)));
      await vi.waitFor(() => expect(queries).toHaveLength(Math.min(busy.length, 8)));
      const leaving = new AbortController();
      const [alone, shared] = [T0 + DAY, T0 + 2 * DAY];
      const left = Promise.allSettled(
        [planOf(1, alone), planOf(1, shared)].map((plan) => read(plan, leaving.signal)),
      );
      const stays = read(planOf(3, shared));
      await setImmediate();
      leaving.abort(new Error('left'));
      const reason = { message: 'left' };
      expect(await left).toMatchObject(Array(2).fill({ status: 'rejected', reason }));
      unblock();
      const found = await Promise.all([stays, ...busy]);
      const [shorter] = queries.slice(busy.length);
      expect(queries).toHaveLength(busy.length + 1);
      expect(await read(planOf(3, shared))).toEqual(found[0]);
      expect(queries.at(-1)).toBe(shorter);
    } finally {
      unblock();
      spy.mockRestore();
    }
  });

  it('end when the store is closed', async () => {
    const other = await openStore(':memory:');
    await importVintages(other, vintages([0, 1, 2]));
    const series = await allSeries(other);
    const all = Promise.allSettled(
      series.map((one) => read({ ...PLANS[0]!, series: [one] }, undefined, other)),
    );
    await other.close();
    expect((await all).some(({ status }) => status === 'rejected')).toBe(true);
  });
});
