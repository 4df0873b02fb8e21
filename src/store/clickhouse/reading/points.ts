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
import type { CountedVintages, PointHistory, PointPlan, Sum, SumPlan, VintagePlan } from '../../plan.js';
import { addVintages } from '../../queries/facets.js';
import { dateConditions, readSeries } from '../../queries/series.js';
import { addParts, type SumPart, sumParts } from '../../queries/sums.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import { type Cluster, eachShard } from '../engine/cluster.js';
import { importedCondition, type Snapshot } from '../engine/snapshot.js';
import { readArrow, tablesAt } from './tables.js';

/** The maximum number of points that are read together. It is large, because even small queries take milliseconds. */
const MAX_GROUP_POINTS = 524_288;

/** Reads a plan's points from all shards. @param options.at the snapshot, which may include uncommitted rows */
export async function* readPoints(
  cluster: Cluster,
  plan: PointPlan,
  { signal, at }: ReadOptions & { readonly at?: Snapshot } = {},
): AsyncGenerator<readonly PackedPoints[], void, void> {
  const snapshot = at ?? (await cluster.snapshot({ signal }));
  yield* readGroups(plan, {
    maxPoints: MAX_GROUP_POINTS,
    read: (group, reading) => readGroup(cluster, { snapshot, ...group }, { signal: reading }),
    requireOpen: () => cluster.first.requireOpen(),
    signal,
  });
}

/** Reads a group's points in order. Each group is read completely, because a response cannot be resumed. */
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

/** Returns SQL that reads points. The latest points are not sorted. If `isRevised`, the SQL chooses among vintages. */
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

/** Sums values on the shards, each of which has all points of its series. */
export async function readSums(
  cluster: Cluster,
  { selection, ...window }: SumPlan,
  options: ReadOptions = {},
): Promise<Sum[]> {
  const snapshot = await cluster.snapshot(options);
  const tables = tablesAt(cluster, snapshot);
  const parts: SumPart[] = [];
  const batches = readSeries(async () => tables, { selection }, options);
  for await (const batch of batches) {
    const byHandle = new Map(batch.map((one) => [one.handle, one]));
    const isRevised = batch.some(({ common }) => common?.isRevised !== false);
    const summed = await eachShard(cluster, batch, options, (shard, of, reading) => {
      const where = [of, importedCondition(snapshot), ...dateConditions(window, timeLiteral)].join(' AND ');
      const latest = isRevised ? `(${vintageSql('latest', where)}) WHERE` : `point WHERE ${where} AND`;
      return shard.rows(sumParts('series, unit_id', `${latest} NOT isNaN(value)`), reading);
    });
    for (const { series: handle, ...part } of summed.flat()) {
      const { metric_id, item_id, region_id, source_id, frequency_id } = byHandle.get(Number(handle))!;
      parts.push({ metric_id, item_id, region_id, source_id, frequency_id, ...part } as SumPart);
    }
  }
  return addParts(parts);
}

export async function readVintages(
  cluster: Cluster,
  { series, limit }: VintagePlan,
  options: ReadOptions = {},
): Promise<CountedVintages> {
  const snapshot = await cluster.snapshot(options);
  const counted = await eachShard(cluster, series, options, (shard, of, reading) => {
    const vintages = vintageSql('complete', `${of} AND ${importedCondition(snapshot)}`);
    return shard.rows(countSql(vintages), reading);
  });
  return addVintages(counted.flat(), limit);
}

/** Returns the SQL that counts vintages by date, with the columns that `addVintages` expects. */
function countSql(vintages: string): string {
  return `SELECT kind, ms, count() AS points FROM (
      SELECT arrayJoin([(toInt32(0), available_date), (toInt32(1), reporting_date)]) AS date,
        date.1 AS kind, date.2 AS ms
      FROM (${vintages}))
    WHERE ms <> ${NO_REPORTING_DATE} GROUP BY kind, ms`;
}
