import type { PackedPoints } from '../../../columns/packed-points.js';
import { DAY_MS } from '../../../model/time.js';
import { type EngineRows, engineRows, packRows } from '../../packing/pack-runs.js';
import {
  allColumns,
  areKnown,
  type ColumnName,
  type Lists,
  type PointGroup,
  readGroups,
  readsLatest,
  varyingColumns,
} from '../../packing/point-groups.js';
import type { PointHistory, PointPlan } from '../../plan.js';
import { dateConditions } from '../../queries/series.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import { type Cluster, eachShard } from '../engine/cluster.js';
import { importedCondition, type Snapshot } from '../engine/snapshot.js';
import { readArrow } from './tables.js';

/** Maximum number of points that are read together. It is large, because even small queries take milliseconds. */
const MAX_GROUP_POINTS = 524_288;

/** Reads a plan's points from all shards. @param options.at the snapshot, which may be uncommitted */
export async function* readPoints(
  cluster: Cluster,
  plan: PointPlan,
  { signal, at }: ReadOptions & { readonly at?: Snapshot } = {},
): AsyncGenerator<readonly PackedPoints[], void, void> {
  const snapshot = at ?? (await cluster.snapshot({ signal }));
  yield* readGroups(plan, {
    maxPoints: MAX_GROUP_POINTS,
    read: (group, reading) => readGroup(cluster, { snapshot, ...group }, { signal: reading }),
    requireOpen: () => cluster.requireOpen(),
    signal,
  });
}

/** Reads a group's points in order. Each group is read completely, because no response can be resumed. */
async function readGroup(
  cluster: Cluster,
  group: PointGroup & { readonly snapshot: Snapshot },
  options: ReadOptions,
): Promise<Lists> {
  const { plan, snapshot, series } = group;
  const isKnown = areKnown(plan, series, snapshot);
  const read = isKnown ? varyingColumns(plan, series) : allColumns(plan);
  const isRevised = !isKnown || series.some(({ common }) => common.isRevised);
  const parts: EngineRows[] = [];
  await eachShard(cluster, series, options, async (shard, of, reading) => {
    const bytes = shard.arrow(pointSql(plan, of, { snapshot, read, isRevised }), reading);
    for await (const { length, columns } of readArrow<Int32Array | Float64Array | readonly string[]>(bytes)) {
      await turns.next();
      const rows = engineRows(length, read, (at, name) =>
        name === 'metadata' ? (columns[at] as string[]).map((text) => text || null) : columns[at],
      );
      parts.push(rows);
    }
  });
  return packRows(parts, group);
}

/** Represents a missing reporting date. It sorts before all dates. */
export const NO_REPORTING_DATE = '-9223372036854775808';

/** Returns the SQL that reads points. Latest points are not sorted. Vintages are compared only if some are revised. */
function pointSql(
  plan: PointPlan,
  handles: string,
  { snapshot, read, isRevised }: { snapshot: Snapshot; read: readonly ColumnName[]; isRevised: boolean },
): string {
  const where = [handles, importedCondition(snapshot), ...dateConditions(plan, timeLiteral)].join(' AND ');
  const since = plan.sinceMs === null ? 'true' : `available_date >= ${timeLiteral(Math.ceil(plan.sinceMs))}`;
  const rows = isRevised ? `(${vintageSql(plan.history, where)}) WHERE` : `point WHERE ${where} AND`;
  const columns = read.map((name) => {
    if (name === 'reporting_date')
      return `if(reporting_date = ${NO_REPORTING_DATE}, nan, toFloat64(reporting_date))`;
    if (name === 'end') return 'toFloat64(end_date)';
    return name === 'available_date' ? 'toFloat64(available_date)' : name;
  });
  const selected = ['series', 'toFloat64(start_date)', 'value', ...columns].join(', ');
  return `SELECT ${selected} FROM ${rows} ${since} ${readsLatest(plan) ? '' : `ORDER BY ${ORDER}`}`;
}

const ORDER = 'series, start_date, end_date, reporting_date, available_date';

/** SQL clauses that choose vintages, following the rules in `test/store/conformance/revision-rules.ts`. */
const CHOICES: Readonly<Record<PointHistory, string>> = {
  latest: `ORDER BY series, start_date, end_date, reporting_date DESC, available_date DESC
    LIMIT 1 BY series, start_date, end_date`,
  reporting: `ORDER BY series, start_date, end_date, reporting_date, available_date DESC
    LIMIT 1 BY series, start_date, end_date, reporting_date`,
  complete: `ORDER BY ${ORDER}`,
};

export function vintageSql(history: PointHistory, where: string, from = 'point'): string {
  return `SELECT * FROM ${from} WHERE ${where} ${CHOICES[history]}`;
}

const MAX_MS = 8.64e15;

/** Returns a time as an integer literal, clamped because larger numbers may not fit into 64 bits. */
export const timeLiteral = (ms: number): string => String(Math.min(Math.max(ms, -MAX_MS), MAX_MS));

const timeOfDaySql = (date: string) => `positiveModulo(${date}, ${DAY_MS})`;
const dayNumberSql = (date: string) => `intDiv(${date} - ${timeOfDaySql(date)}, ${DAY_MS})`;

export function byUnitSql(snapshot: Snapshot, where: string): string {
  const days = `${dayNumberSql('end_date')} - ${dayNumberSql('start_date')}`;
  return `SELECT series, unit_id, min(start_date) AS first_start, max(start_date) AS last_start, max(end_date) AS last_end,
      count() AS points, min(${days}) AS min_days, max(${days}) AS max_days,
      max(${timeOfDaySql('start_date')} + ${timeOfDaySql('end_date')}) AS max_time,
      countIf(reporting_date <> ${NO_REPORTING_DATE}) AS reported, countIf(metadata <> '') AS remarked,
      min(available_date) AS first_available, max(available_date) AS last_available
    FROM (${vintageSql('latest', `${importedCondition(snapshot)} AND ${where}`)}) GROUP BY series, unit_id`;
}
