import type { PackedPoints } from '../../../columns/packed-points.js';
import { type EngineRows, packRows } from '../../packing/pack-runs.js';
import {
  allColumns,
  areKnown,
  type ColumnName,
  type Lists,
  type PointGroup,
  readGroups,
  varyingColumns,
} from '../../packing/point-groups.js';
import type { PointPlan } from '../../plan.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import { type Cluster, eachShard } from '../engine/cluster.js';
import type { Snapshot } from '../engine/snapshot.js';
import { pointSql } from './point-sql.js';
import { type ArrowColumns, readArrow } from './tables.js';

/** Maximum number of points in a group. Groups are large, because even a small query to a shard takes milliseconds. */
const MAX_GROUP_POINTS = 524_288;
/** Maximum number of vintages in a group. Vintages take more memory than packed points. */
const MAX_GROUP_VINTAGES = 131_072;

/** Reads a plan's points from all shards. @param options.at the snapshot, which may be uncommitted */
export async function* readPoints(
  cluster: Cluster,
  plan: PointPlan,
  { signal, at }: ReadOptions & { readonly at?: Snapshot } = {},
): AsyncGenerator<readonly PackedPoints[], void, void> {
  const snapshot = at ?? (await cluster.snapshot({ signal }));
  yield* readGroups(plan, {
    maxPoints: MAX_GROUP_POINTS,
    maxVintages: MAX_GROUP_VINTAGES,
    read: (group, reading) => readGroup(cluster, { plan, snapshot, ...group }, { signal: reading }),
    requireOpen: () => cluster.requireOpen(),
    signal,
  });
}

/** Reads a group's points in order. Each group is read completely, because no response can be resumed. */
async function readGroup(
  cluster: Cluster,
  group: PointGroup & { readonly plan: PointPlan; readonly snapshot: Snapshot },
  options: ReadOptions,
): Promise<Lists> {
  const { plan, snapshot, series } = group;
  const isKnown = areKnown(plan, series, snapshot);
  const read = isKnown ? varyingColumns(plan, series) : allColumns(plan);
  const isRevised = !isKnown || series.some(({ common }) => common.isRevised);
  const rowsOf = engineRows(read);
  const parts: EngineRows[] = [];
  await eachShard(cluster, series, options, async (shard, of, reading) => {
    const bytes = shard.arrow(pointSql(plan, of, { snapshot, read, isRevised }), reading);
    for await (const columns of readArrow<PointColumn>(bytes)) {
      await turns.next();
      parts.push(rowsOf(columns));
    }
  });
  return packRows(parts, group);
}

type PointColumn = Int32Array | Float64Array | readonly string[];

function engineRows(read: readonly ColumnName[]): (batch: ArrowColumns<PointColumn>) => EngineRows {
  return ({ length, columns: [series, start, value, ...varying] }) => {
    const rows: Record<string, unknown> = { length, series, start, value };
    for (const [i, name] of read.entries()) {
      const column = varying[i]!;
      rows[name] =
        name === 'metadata' ? (column as string[]).map((text) => (text === '' ? null : text)) : column;
    }
    return rows as unknown as EngineRows;
  };
}
