import type { LongOperation } from '../../../model/progress.js';
import { openDatabase } from '../../duckdb/engine/open-database.js';
import { LATEST_TABLE, summarizeByUnit } from '../../duckdb/point-tables.js';
import { MAX_FAULTS, untrueSql } from '../../duckdb/reading/faults.js';
import { describeMissing, describeSeriesFaults, missingEntitiesSql } from '../../queries/faults.js';
import { tablesOf } from '../../schema/clickhouse.js';
import { type Cluster, runConcurrently } from '../engine/cluster.js';
import { currentCondition, type Snapshot } from '../engine/snapshot.js';
import { download } from '../importing/transfer.js';
import { byUnitSql } from './points.js';
import { tablesAt } from './tables.js';

/**
 * Finds damaged files, ids without an entity, and series whose columns do not match the points on their shards. Reads
 * every point.
 */
export async function findFaults(cluster: Cluster, operation: LongOperation = {}): Promise<string[]> {
  const snapshot = await cluster.snapshot(operation);
  const damaged = await findDamaged(cluster, operation);
  const tables = tablesAt(cluster, snapshot);
  const missing = await tables.rows(missingEntitiesSql(tables, { limit: MAX_FAULTS }), operation);
  const untrue = await findUntrueSeries(cluster, snapshot, operation);
  return [...damaged, ...missing.map(describeMissing), ...untrue];
}

async function findDamaged({ shards }: Cluster, { signal, onProgress }: LongOperation): Promise<string[]> {
  onProgress?.({ label: 'reading the store', done: 0, total: null, unit: 'tables' });
  const faults = await runConcurrently(
    shards.entries(),
    async ([position, shard], options) => {
      const parts: string[] = [];
      for (const { name } of tablesOf(position)) {
        const check = `CHECK TABLE ${name} SETTINGS check_query_single_value_result = 0`;
        for (const { is_passed, part_path, message } of await shard.rows(check, options))
          if (Number(is_passed) !== 1)
            parts.push(`the part ${part_path} of the table ${name} on ${shard.name} is damaged: ${message}`);
      }
      return parts;
    },
    { signal },
  );
  return faults.flat();
}

/** Compares the series with summaries of their points from the shards. DuckDB makes the comparison. */
async function findUntrueSeries(
  cluster: Cluster,
  snapshot: Snapshot,
  { signal, onProgress }: LongOperation,
): Promise<string[]> {
  onProgress?.({ label: 'comparing the series', done: 0, total: null, unit: 'series' });
  const database = await openDatabase(':memory:', { readOnly: false });
  const connection = await database.connect();
  try {
    await connection.run(`CREATE TABLE store.main.found_by_unit AS ${summarizeByUnit(LATEST_TABLE)}`);
    const stored = `SELECT * EXCEPT (vintages, units, import, replaces) FROM series WHERE ${currentCondition('series', snapshot)}`;
    const answers = [
      { shard: cluster.first, table: 'series', sql: stored },
      ...cluster.shards.map((shard, position) => {
        const isOwn = `positiveModulo(series, ${cluster.shards.length}) = ${position}`;
        return { shard, table: 'found_by_unit', sql: byUnitSql(snapshot, isOwn) };
      }),
    ];
    await download(connection, answers, { signal });
    const untrue = await database.rows(untrueSql('FROM found_by_unit'), { signal });
    return untrue.flatMap(describeSeriesFaults);
  } finally {
    connection.disconnectSync();
    await database.close();
  }
}
