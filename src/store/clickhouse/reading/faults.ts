import type { LongOperation } from '../../../model/progress.js';
import { LATEST_TABLE, summarizeByUnit } from '../../duckdb/point-tables.js';
import { MAX_FAULTS, untrueSql } from '../../duckdb/reading/faults.js';
import {
  describeBackwards,
  describeMissing,
  describeSeriesFaults,
  missingEntitiesSql,
  pointCount,
} from '../../queries/faults.js';
import { tablesOf } from '../../schema/clickhouse.js';
import type { ReadOptions } from '../../store.js';
import { type Cluster, runConcurrently } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { currentCondition, importedCondition, type Snapshot } from '../engine/snapshot.js';
import { createTemporaryDatabase } from '../importing/temporary-database.js';
import { download } from '../importing/transfer.js';
import { byUnitSql } from './point-sql.js';
import { tablesAt } from './tables.js';

/**
 * Finds the inconsistencies in a store: damaged parts of tables, ids without an entity, points on the wrong shard,
 * points that end before they start, and series whose columns do not match their points. Reads every point.
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

/** Makes each server verify the checksums of its tables' files. */
async function findDamaged({ shards }: Cluster, { signal, onProgress }: LongOperation): Promise<string[]> {
  const tables = shards.map((_, position) => tablesOf(position));
  const total = tables.reduce((sum, { length }) => sum + length, 0);
  let done = 0;
  const faults = await runConcurrently(
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

/** Finds points on the wrong shard, where readers do not look for them, and points that end before they start. */
async function findOnShards(
  { shards }: Cluster,
  snapshot: Snapshot,
  { signal }: LongOperation,
): Promise<string[]> {
  const sql = (where: string) =>
    `SELECT series, count() AS points FROM point WHERE ${where} GROUP BY series ORDER BY series LIMIT ${MAX_FAULTS}`;
  const found = await runConcurrently(
    shards.entries(),
    async ([position, shard], options) => {
      const isElsewhere = `positiveModulo(series, ${shards.length}) <> ${position}`;
      const elsewhere = await shard.rows(
        sql(`${importedCondition(snapshot)} AND ${isElsewhere}`),
        {},
        options,
      );
      const isBackwards = `${importedCondition(snapshot)} AND end_date < start_date`;
      const backwards = await shard.rows(sql(isBackwards), {}, options);
      return [
        ...elsewhere.map(
          ({ series, points }) =>
            `the shard ${shard.name} has ${pointCount(points)} of series ${series}, which belongs on another shard`,
        ),
        ...backwards.map(describeBackwards),
      ];
    },
    { signal },
  );
  return found.flat();
}

/**
 * Finds series whose columns do not match their points. The shards summarize the points of each series and unit, and
 * DuckDB compares the summaries with the series, as in a DuckDB store.
 */
async function findUntrueSeries(
  cluster: Cluster,
  snapshot: Snapshot,
  { signal, onProgress }: LongOperation,
): Promise<string[]> {
  onProgress?.({ label: 'comparing the series', done: 0, total: null, unit: 'series' });
  const { database, remove } = await createTemporaryDatabase();
  const connection = await database.connect();
  try {
    await connection.run(`CREATE TABLE store.main.found_by_unit AS ${summarizeByUnit(LATEST_TABLE)}`);
    const stored = `SELECT * EXCEPT (vintages, units, import, replaces) FROM series WHERE ${currentCondition('series', snapshot)}`;
    const answers = [
      { shard: cluster.first, table: 'series', sql: stored },
      ...cluster.shards.map((shard) => ({ shard, table: 'found_by_unit', sql: byUnitSql(snapshot) })),
    ];
    await download(connection, answers, { signal });
    const untrue = await database.rows(untrueSql('FROM found_by_unit'), { signal });
    return untrue.flatMap(describeSeriesFaults);
  } finally {
    connection.disconnectSync();
    await remove();
  }
}
