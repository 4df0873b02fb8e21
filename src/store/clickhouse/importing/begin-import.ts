import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import type { LongOperation } from '../../../model/progress.js';
import { openDatabase } from '../../duckdb/engine/open-database.js';
import { STAGING } from '../../duckdb/point-tables.js';
import { type BeginOptions, beginTransaction, type ImportTarget } from '../../duckdb/writing/transaction.js';
import { columnsOf } from '../../schema/clickhouse.js';
import type { StoreTransaction } from '../../store.js';
import { type Cluster, runConcurrently } from '../engine/cluster.js';
import { currentCondition } from '../engine/snapshot.js';
import { tablesAt } from '../reading/tables.js';
import { beginCommit, type Commit, dropStaged } from './commit.js';
import { download } from './transfer.js';
import { writePoints } from './write-points.js';
import { countEntities, knowsBatch, type Writing, writeTables } from './write-tables.js';

/** Begins an import. A DuckDB database in memory, which spills to disk, stores its data until it is sent to the shards. */
export async function beginImport(
  cluster: Cluster,
  options: Omit<BeginOptions, 'target'>,
): Promise<StoreTransaction> {
  const database = await openDatabase(':memory:', { readOnly: false });
  const commit = await beginCommit(cluster).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const target: ImportTarget = {
    location: cluster.location,
    signal: commit.signal,
    tables: tablesAt(cluster, commit.after),
    knowsBatch: (digest, put) => knowsBatch(cluster.first, { digest, put, before: commit.before }),
    loadConflictNames: (connection) => loadConflictNames(connection, cluster, commit),
    write: (settled, operation) => writeImport({ ...settled, ...commit, cluster }, operation),
    commit: () => commit.finish(),
    async end() {
      await commit.end();
      await database.close();
    },
  };
  return beginTransaction(database, { ...options, target });
}

async function loadConflictNames(
  connection: DuckDBConnection,
  { first }: Cluster,
  { before, signal }: Commit,
): Promise<void> {
  const units = `${STAGING}.conflict`;
  for (const [table, ids] of [
    ['metric', `metric_id FROM ${STAGING}.staged_series`],
    ['item', `item_id FROM ${STAGING}.staged_series`],
    ['region', `region_id FROM ${STAGING}.staged_series`],
    ['unit', `unit_id FROM ${units} UNION SELECT other.unit_id FROM ${units}`],
  ] as const) {
    const unknown = await connection.runAndReadAll(
      `FROM (SELECT ${ids}) AS found(id) ANTI JOIN ${table} USING (id)`,
    );
    const wanted = unknown.getRows().map(([id]) => id);
    if (wanted.length === 0) continue;
    const sql = `SELECT ${columnsOf(table).join(', ')} FROM ${table}
        WHERE ${currentCondition(table, before)} AND id IN (${wanted.join(', ')})`;
    await download(connection, [{ shard: first, sql, table }], { signal });
  }
}

async function writeImport(writing: Writing, operation: LongOperation) {
  const { cluster, import: number } = writing;
  const { first, shards } = cluster;
  const { signal } = operation;
  await writeTables(writing, { signal });
  const { rows, ...points } = await writePoints(writing, operation);
  const entities = await countEntities(first, number, { signal });
  await runConcurrently(
    shards.entries(),
    async ([i, shard], options) => {
      const [found] = await shard.rows(`SELECT count() AS rows FROM point WHERE import = ${number}`, options);
      const wanted = rows[i] ?? 0;
      if (found!.rows === wanted) return dropStaged(shard, [number], options);
      throw new StoreError(
        `the shard ${shard.name} has ${found!.rows} of the ${wanted} points that the import wrote, so nothing was committed; run the import again`,
      );
    },
    { signal },
  );
  return { ...points, entities };
}
