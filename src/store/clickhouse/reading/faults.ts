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
import { type Cluster, runConcurrently } from '../engine/cluster.js';
import { currentCondition, importedCondition, type Snapshot } from '../engine/snapshot.js';
import { createTemporaryDatabase, download } from '../importing/transfer.js';
import { byUnitSql } from './points.js';
import { tablesAt } from './tables.js';

/**
 * Finds damaged files, ids without an entity, points on the wrong shard, points that end before they start, and series
 * whose columns do not match their points. Reads every point.
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

async function findDamaged({ shards }: Cluster, { signal, onProgress }: LongOperation): Promise<string[]> {
  const tables = shards.map((_, position) => tablesOf(position));
  const total = tables.flat().length;
  let done = 0;
  const report = () => onProgress?.({ label: 'reading the store', done, total, unit: 'tables' });
  report();
  const faults = await runConcurrently(
    shards.entries(),
    async ([i, shard], options) => {
      const damaged: string[] = [];
      for (const { name } of tables[i]!) {
        const check = `CHECK TABLE ${name} SETTINGS check_query_single_value_result = 0`;
        for (const { is_passed, part_path, message } of await shard.rows(check, options))
          if (Number(is_passed) !== 1)
            damaged.push(
              `the part ${part_path} of the table ${name} on ${shard.name} is damaged: ${message}`,
            );
        done++;
        report();
      }
      return damaged;
    },
    { signal },
  );
  return faults.flat();
}

async function findOnShards(
  { shards }: Cluster,
  snapshot: Snapshot,
  { signal }: LongOperation,
): Promise<string[]> {
  const found = await runConcurrently(
    shards.entries(),
    async ([position, shard], options) => {
      const find = (where: string) =>
        shard.rows(
          `SELECT series, count() AS points FROM point WHERE ${importedCondition(snapshot)} AND ${where}
          GROUP BY series ORDER BY series LIMIT ${MAX_FAULTS}`,
          options,
        );
      const elsewhere = await find(`positiveModulo(series, ${shards.length}) <> ${position}`);
      const backwards = await find('end_date < start_date');
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

/** Compares the series with the shards' summaries of their points. DuckDB compares them, as in a DuckDB store. */
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
