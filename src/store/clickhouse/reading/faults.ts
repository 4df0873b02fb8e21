import type { LongOperation } from '../../../model/progress.js';
import { DAY_MS } from '../../../model/time.js';
import { SUMMARY_COLUMNS } from '../../duckdb/point-tables.js';
import {
  describeBackwards,
  describeMissing,
  describeSeries,
  missingEntitiesSql,
  pointCount,
} from '../../queries/faults.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import { type Cluster, together } from '../engine/cluster.js';
import type { Row, Shard } from '../engine/shard.js';
import { imported, type Snapshot, visible } from '../engine/snapshot.js';
import { tablesOf } from '../tables.js';
import { NO_REPORTING_DATE } from './point-sql.js';
import { tablesAt } from './tables.js';

const MAX_FAULTS = 100;

/**
 * The contradictions of a store: damaged parts of tables, ids without an entity, points on a shard of other series, and
 * wrong facts of a series. Reads every point.
 */
export async function findFaults(cluster: Cluster, operation: LongOperation = {}): Promise<string[]> {
  const snapshot = await cluster.snapshot(operation);
  const damaged = await findDamaged(cluster, operation);
  const tables = tablesAt(cluster, snapshot);
  const missing = await tables.rows(missingEntitiesSql(tables, { limit: MAX_FAULTS }), operation);
  const onShards = await findOnShards(cluster, snapshot, operation);
  const untrue = await findUntrueSeries(cluster, snapshot, operation);
  return [...damaged, ...missing.map(describeMissing), ...onShards, ...untrue.slice(0, MAX_FAULTS)];
}

/** A server compares each file of a table with its checksums. */
async function findDamaged({ shards }: Cluster, { signal, onProgress }: LongOperation): Promise<string[]> {
  const tables = shards.map((_, position) => tablesOf(position));
  const total = tables.reduce((sum, { length }) => sum + length, 0);
  let done = 0;
  const faults = await together(
    shards.entries(),
    async ([i, shard], options) => {
      const ofShard: string[] = [];
      for (const { name } of tables[i]!) {
        onProgress?.({ label: 'reading the store', done, total, unit: 'tables' });
        ofShard.push(...(await findDamagedParts(shard, name, options)));
        done++;
      }
      return ofShard;
    },
    { signal },
  );
  return faults.flat();
}

async function findDamagedParts(shard: Shard, table: string, options: ReadOptions): Promise<string[]> {
  const sql = `CHECK TABLE ${table} SETTINGS check_query_single_value_result = 0`;
  const parts = await shard.rows(sql, {}, options);
  return parts
    .filter(({ is_passed }) => Number(is_passed) !== 1)
    .map(
      ({ part_path, message }) =>
        `the part ${part_path} of the table ${table} on ${shard.name} is damaged: ${message}`,
    );
}

/** Points on a shard where no reader looks for them, and points whose period ends before it starts. */
async function findOnShards(
  { shards }: Cluster,
  snapshot: Snapshot,
  { signal }: LongOperation,
): Promise<string[]> {
  const sql = (where: string) =>
    `SELECT series, count() AS points FROM point WHERE ${where} GROUP BY series ORDER BY series LIMIT ${MAX_FAULTS}`;
  const found = await together(
    shards.entries(),
    async ([position, shard], options) => {
      const isElsewhere = `positiveModulo(series, ${shards.length}) <> ${position}`;
      const elsewhere = await shard.rows(sql(`${visible(snapshot)} AND ${isElsewhere}`), {}, options);
      const isBackwards = `${imported(snapshot)} AND end_date < start_date`;
      const backwards = await shard.rows(sql(isBackwards), {}, options);
      return [
        ...elsewhere.map(
          ({ series, points }) =>
            `${pointCount(points)} of series ${series} on the shard ${shard.name}, which holds other series`,
        ),
        ...backwards.map(describeBackwards),
      ];
    },
    { signal },
  );
  return found.flat();
}

/** Series that are compared at a time. */
const HANDLES_A_RANGE = 50_000;

/** Wrong facts of the points of a series. */
async function findUntrueSeries(
  cluster: Cluster,
  snapshot: Snapshot,
  { signal, onProgress }: LongOperation,
): Promise<string[]> {
  const faults: string[] = [];
  const ofAll = [
    cluster.first.rows(lastSql('handle', 'series', snapshot), {}, { signal }),
    ...cluster.shards.map((shard) => shard.rows(lastSql('series', 'point', snapshot), {}, { signal })),
  ];
  const end = Math.max(...(await Promise.all(ofAll)).map(([row]) => Number(row!.last)));
  for (let from = 0; from <= end; from += HANDLES_A_RANGE) {
    onProgress?.({ label: 'comparing the series', done: from, total: end + 1, unit: 'series' });
    const range = { from, to: from + HANDLES_A_RANGE };
    const [said, ...found] = await Promise.all([
      cluster.first.rows(saidSql(snapshot), range, { signal }),
      ...cluster.shards.map((shard) => shard.rows(foundSql(snapshot), range, { signal })),
    ]);
    await turns.next();
    faults.push(...compare(byHandle(said!), byHandle(found.flat())));
  }
  return faults;
}

const lastSql = (column: string, table: string, snapshot: Snapshot) =>
  `SELECT max(${column}) AS last FROM ${table} WHERE ${visible(snapshot)}`;

/** The numbers of `SUMMARY_COLUMNS` of each series. */
type Summaries = ReadonlyMap<number, Row>;

const byHandle = (rows: readonly Row[]): Summaries => new Map(rows.map((row) => [Number(row.handle), row]));

/** The name of a number: an alias hides the column of its name from the whole query. */
const numberOf = (name: string) => `number_${name}`;

const asNumber = (expression: string) => `CAST(${expression}, 'Nullable(Float64)')`;

function saidSql(snapshot: Snapshot): string {
  const columns = SUMMARY_COLUMNS.map((name) => `${asNumber(name)} AS ${numberOf(name)}`);
  return `SELECT handle, ${columns.join(', ')} FROM series
    WHERE ${visible(snapshot)} AND handle >= {from:Int32} AND handle < {to:Int32}`;
}

const time = (date: string) => `positiveModulo(${date}, ${DAY_MS})`;
const day = (date: string) => `intDiv(${date} - ${time(date)}, ${DAY_MS})`;

/** As `SUMMARIZE` of DuckDB's store summarizes points. */
const FOUND: Readonly<Record<string, string>> = {
  unit_id: 'argMax(unit_id, (last_start, last_end, -unit_id))',
  start_date: 'min(first_start)',
  end_date: 'max(last_end)',
  point_count: 'sum(points)',
  has_one_unit: 'count() = 1',
  period_days: 'if(min(min_days) = max(max_days), min(min_days), NULL)',
  has_times: 'max(timed) > 0',
  has_reporting_dates: 'sum(reported) > 0',
  has_metadata: 'sum(remarked) > 0',
  available_date: 'if(min(first_available) = max(last_available), min(first_available), NULL)',
};

function foundSql(snapshot: Snapshot): string {
  const columns = SUMMARY_COLUMNS.map((name) => `${asNumber(FOUND[name]!)} AS ${numberOf(name)}`);
  return `SELECT series AS handle, ${columns.join(', ')} FROM (
      SELECT series, unit_id, min(start_date) AS first_start, max(start_date) AS last_start, max(end_date) AS last_end,
        count() AS points, min(${day('end_date')} - ${day('start_date')}) AS min_days,
        max(${day('end_date')} - ${day('start_date')}) AS max_days,
        max(${time('start_date')} + ${time('end_date')}) AS timed,
        countIf(reporting_date <> ${NO_REPORTING_DATE}) AS reported, countIf(metadata <> '') AS remarked,
        min(available_date) AS first_available, max(available_date) AS last_available
      FROM point WHERE ${visible(snapshot)} AND series >= {from:Int32} AND series < {to:Int32}
      GROUP BY series, unit_id)
    GROUP BY series`;
}

const COUNT = numberOf('point_count');

function compare(said: Summaries, found: Summaries): string[] {
  const handles = [...new Set([...said.keys(), ...found.keys()])].sort((a, b) => a - b);
  return handles.flatMap((handle) => {
    const [before, now] = [said.get(handle), found.get(handle)];
    const untrue = SUMMARY_COLUMNS.filter(
      (name) => name !== 'point_count' && now && before?.[numberOf(name)] !== now[numberOf(name)],
    ).join(', ');
    return describeSeries({ handle, said: before?.[COUNT] ?? null, found: now?.[COUNT] ?? 0, untrue });
  });
}
