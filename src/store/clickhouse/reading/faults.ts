import type { LongOperation } from '../../../model/progress.js';
import { DAY_MS } from '../../../model/time.js';
import { FIRST_TABLE, summarizeByUnit } from '../../duckdb/point-tables.js';
import { MAX_FAULTS, untrueSql } from '../../duckdb/reading/faults.js';
import {
  describeBackwards,
  describeMissing,
  describeSeries,
  missingEntitiesSql,
  pointCount,
} from '../../queries/faults.js';
import type { ReadOptions } from '../../store.js';
import { type Cluster, together } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { imported, type Snapshot, visible } from '../engine/snapshot.js';
import { tablesOf } from '../tables.js';
import { createWorkspace, loadRows, loadTables, SERIES } from '../workspace/workspace.js';
import { NO_REPORTING_DATE } from './point-sql.js';
import { tablesAt } from './tables.js';

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
  return [...damaged, ...missing.map(describeMissing), ...onShards, ...untrue];
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

/**
 * Wrong facts of the points of a series. The shards summarize the points of each series and unit, and DuckDB compares the
 * rest as in its own store.
 */
async function findUntrueSeries(
  cluster: Cluster,
  snapshot: Snapshot,
  { signal, onProgress }: LongOperation,
): Promise<string[]> {
  onProgress?.({ label: 'comparing the series', done: 0, total: null, unit: 'series' });
  const { database, remove } = await createWorkspace();
  const connection = await database.connect();
  try {
    await loadTables(connection, cluster, { tables: [SERIES], snapshot, into: 'main', signal });
    await connection.run(`CREATE TABLE found_by_unit AS ${summarizeByUnit(FIRST_TABLE.name)}`);
    const summaries = { table: 'found_by_unit', sql: byUnitSql(snapshot) };
    await loadRows(
      connection,
      cluster.shards.map((shard) => ({ shard, ...summaries })),
      { signal },
    );
    const untrue = await database.rows(untrueSql('FROM found_by_unit'), { signal });
    return untrue.flatMap(describeSeries);
  } finally {
    connection.disconnectSync();
    await remove();
  }
}

const time = (date: string) => `positiveModulo(${date}, ${DAY_MS})`;
const day = (date: string) => `intDiv(${date} - ${time(date)}, ${DAY_MS})`;

/** The points of each series and unit of a shard, with the columns of `summarizeByUnit`. */
function byUnitSql(snapshot: Snapshot): string {
  const days = `${day('end_date')} - ${day('start_date')}`;
  return `SELECT series, unit_id, min(start_date) AS first_start, max(start_date) AS last_start, max(end_date) AS last_end,
      count() AS points, min(${days}) AS min_days, max(${days}) AS max_days,
      max(${time('start_date')} + ${time('end_date')}) AS max_time,
      countIf(reporting_date <> ${NO_REPORTING_DATE}) AS reported, countIf(metadata <> '') AS remarked,
      min(available_date) AS first_available, max(available_date) AS last_available
    FROM point WHERE ${visible(snapshot)} GROUP BY series, unit_id`;
}
