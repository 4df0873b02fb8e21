import type { PackedPoints } from '../../../columns/packed-points.js';
import { areKnown, readsLatest, varyingColumns } from '../../packing/known-series.js';
import { PackedBatch } from '../../packing/packed-columns.js';
import { listsOf, packRuns } from '../../packing/packed-runs.js';
import { type PointGroup, pointGroups } from '../../packing/point-groups.js';
import type { PointPlan } from '../../plan.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import type { ReadServers } from '../engine/cluster.js';
import type { Snapshot } from '../engine/snapshot.js';
import { readArrow } from './arrow-columns.js';
import { packedKinds, packedRows } from './packed-batches.js';
import { packSorted, sortedKinds } from './point-columns.js';
import { packedQuery, sortedQuery } from './point-sql.js';
import { eachShard } from './shards.js';

/** A query of each shard takes some milliseconds, whatever it reads. Vintages take more memory than packed points. */
const MAX_GROUP_POINTS = 524_288;
const MAX_GROUP_VINTAGES = 131_072;

/** Groups that are read while the one before them is consumed. */
const GROUPS_AHEAD = 1;

type Lists = readonly (readonly PackedPoints[])[];

/**
 * Reads the points of a plan in lists of at most 65,536 rows, from all shards at once. Each group of series is read
 * completely before its first list is yielded: what a shard leaves unfinished is lost, and a slow consumer holds no
 * connection.
 */
export async function* readPoints(
  cluster: ReadServers,
  plan: PointPlan,
  { signal }: ReadOptions = {},
): AsyncGenerator<readonly PackedPoints[], void, void> {
  const snapshot = await cluster.snapshot({ signal });
  const groups = pointGroups(plan, readsLatest(plan) ? MAX_GROUP_POINTS : MAX_GROUP_VINTAGES);
  const ending = new AbortController();
  const reading = { signal: signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]) };
  const ahead: Promise<Lists>[] = [];
  const readAhead = () => {
    for (let next = groups.next(); ; next = groups.next()) {
      if (next.done === true) return;
      const lists = new GroupReader(cluster, snapshot, plan).read(next.value, reading);
      lists.catch(() => {});
      if (ahead.push(lists) > GROUPS_AHEAD) return;
    }
  };
  try {
    for (readAhead(); ahead.length > 0; readAhead()) {
      for (const list of await ahead.shift()!) {
        await turns.next();
        signal?.throwIfAborted();
        cluster.requireOpen();
        yield list;
      }
    }
  } finally {
    ending.abort();
    await Promise.allSettled(ahead);
  }
}

/** Reads groups of series of a plan. */
class GroupReader {
  readonly #cluster: ReadServers;
  readonly #snapshot: Snapshot;
  readonly #plan: PointPlan;

  constructor(cluster: ReadServers, snapshot: Snapshot, plan: PointPlan) {
    this.#cluster = cluster;
    this.#snapshot = snapshot;
    this.#plan = plan;
  }

  /** The points of a group in order: by days where enough is known of the series. */
  async read(group: PointGroup, options: ReadOptions): Promise<Lists> {
    const parts = (await this.#readPacked(group, options)) ?? (await this.#readSorted(group, options));
    return listsOf(parts);
  }

  /** Null where too little is known of the series, or two points have the same period. */
  async #readPacked(
    { series, offset, expected }: PointGroup,
    options: ReadOptions,
  ): Promise<PackedPoints[] | null> {
    const plan = this.#plan;
    if (!areKnown(plan, series, this.#snapshot)) return null;
    const read = varyingColumns(plan, series);
    const batch = new PackedBatch(read, expected);
    const [kinds, rowsOf] = [packedKinds(read), packedRows(read)];
    try {
      await eachShard(this.#cluster, series, options, async (shard, of, reading) => {
        const { sql, parameters } = packedQuery(plan, of, { snapshot: this.#snapshot, read });
        for await (const columns of readArrow(shard.arrow(sql, parameters, reading), kinds)) {
          await turns.next();
          batch.add(rowsOf(columns));
        }
      });
      return await packRuns(batch.columns(), { plan, series, offset });
    } finally {
      batch.release();
    }
  }

  async #readSorted(group: PointGroup, options: ReadOptions): Promise<PackedPoints[]> {
    const plan = this.#plan;
    const parts: PackedPoints[] = [];
    await eachShard(this.#cluster, group.series, options, async (shard, of, reading) => {
      const { sql, parameters } = sortedQuery(plan, of, this.#snapshot);
      for await (const columns of readArrow(shard.arrow(sql, parameters, reading), sortedKinds(plan))) {
        await turns.next();
        parts.push(...packSorted(columns, plan, group));
      }
    });
    // A series is on one shard, which sends its points in order.
    return parts.sort((a, b) => a.series - b.series);
  }
}
