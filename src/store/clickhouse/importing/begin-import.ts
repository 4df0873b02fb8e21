import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import type { ImportCounts } from '../../../model/importing/outcome.js';
import { runUnderSignals } from '../../../model/linked-abort.js';
import type { LongOperation } from '../../../model/progress.js';
import { SERIES_KEY_FIELDS } from '../../../model/series.js';
import { openDatabase } from '../../duckdb/engine/open-database.js';
import { STAGING } from '../../duckdb/point-tables.js';
import { refuseBackwards } from '../../duckdb/writing/merge.js';
import { runAll } from '../../duckdb/writing/ranges.js';
import type { SettledImport } from '../../duckdb/writing/settle.js';
import { type BeginOptions, beginTransaction, type ImportTarget } from '../../duckdb/writing/transaction.js';
import { refuseMissing } from '../../queries/faults.js';
import { columnsOf } from '../../schema/clickhouse.js';
import type { ReadOptions, StoreTransaction } from '../../store.js';
import { type Cluster, runConcurrently } from '../engine/cluster.js';
import { currentCondition, type Snapshot } from '../engine/snapshot.js';
import { tablesAt } from '../reading/tables.js';
import { beginCommit, type Commit, dropStaged } from './commit.js';
import { download } from './transfer.js';
import { writePoints, writeSeries } from './write-points.js';
import { countEntities, knowsBatch, writeTables } from './write-tables.js';

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
    knowsBatch: (digest, put) => knowsBatch(cluster.first, { digest, put, before: commit.before }),
    loadConflictNames: (connection) => loadConflictNames(connection, cluster, commit),
    commit: (settled, { signal: outer, onProgress }) =>
      runUnderSignals([commit.signal, outer], ({ signal }) =>
        writeImport(cluster, commit, settled, { signal, onProgress }),
      ),
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

async function writeImport(
  cluster: Cluster,
  commit: Commit,
  settled: SettledImport,
  operation: LongOperation,
): Promise<ImportCounts> {
  const { first, shards } = cluster;
  const { import: number, before, after } = commit;
  const { signal } = operation;
  await writeTables({ ...settled, first, import: number, before }, { signal });
  const points = await writeAllPoints(cluster, commit, settled, operation);
  const entities = await countEntities(first, number, { signal });
  const hasPoints = points.counts.added > 0;
  const from = hasPoints ? points.nextHandle : null;
  const tables = tablesAt(cluster, after);
  const added = { from, points: hasPoints, contained: settled.hasContainment };
  await refuseMissing(tables, (sql) => tables.rows(sql, { signal }), added);
  await runConcurrently(
    shards.entries(),
    async ([i, shard], options) => {
      const [row] = await shard.rows(`SELECT count() AS rows FROM point WHERE import = ${number}`, options);
      const wanted = points.rows[i] ?? 0;
      if (row!.rows === wanted) return dropStaged(shard, [number], options);
      throw new StoreError(
        `the shard ${shard.name} has ${row!.rows} of the ${wanted} points that the import wrote, so nothing was committed; run the import again`,
      );
    },
    { signal },
  );
  signal?.throwIfAborted();
  await commit.finish();
  return { ...points.counts, entities };
}

async function writeAllPoints(
  cluster: Cluster,
  commit: Commit,
  { connection, settled, isCopy, importedMs }: SettledImport,
  operation: LongOperation,
): Promise<{ rows: readonly number[]; nextHandle: number; counts: Omit<ImportCounts, 'entities'> }> {
  const total = settled.points + settled.nulls;
  const { import: number, before, after } = commit;
  const { signal } = operation;
  const [next] = await cluster.first.rows(
    'SELECT ifNull(maxOrNull(handle) + 1, 0) AS handle FROM series',
    operation,
  );
  const nextHandle = Number(next!.handle);
  if (total === 0) return { rows: [], nextHandle, counts: { added: 0, revised: 0, unchanged: 0, series: 0 } };
  if (settled.backwards > 0) await refuseBackwards(connection);
  await loadSeries(connection, cluster, { before, signal });
  const writing = { cluster, connection, import: number, before, isCopy, importedMs };
  const written = await writePoints(writing, { nextHandle, total }, operation);
  const series = await writeSeries(writing, written, { after, signal });
  const added = written.rows.reduce((sum, rows) => sum + rows, 0);
  const counts = { added, revised: added - written.newPeriods, unchanged: total - added, series };
  return { rows: written.rows, nextHandle, counts };
}

/** A field with more ids does not restrict the series query, because reading more rows is faster than sending ids. */
const MAX_NARROWING_IDS = 10_000;

async function loadSeries(
  connection: DuckDBConnection,
  { first }: Cluster,
  { before, signal }: ReadOptions & { readonly before: Snapshot },
): Promise<void> {
  const columns = [...columnsOf('series'), 'import'];
  await runAll(connection, [
    `CREATE TEMP TABLE stored_series AS
     SELECT series.*, 0 AS vintages, []::INTEGER[] AS units, 0 AS import FROM series LIMIT 0`,
  ]);
  const sql = `SELECT ${columns.join(', ')} FROM series
    WHERE ${currentCondition('series', before)} AND ${await stagedSelectionSql(connection)}`;
  await download(connection, [{ shard: first, table: 'stored_series', sql }], { signal });
}

/** Returns an SQL condition that selects the staged series, and possibly others, by the ids in each field. */
async function stagedSelectionSql(connection: DuckDBConnection): Promise<string> {
  const names = SERIES_KEY_FIELDS.map((field) => `'${field}'`).join(', ');
  const read = await connection.runAndReadAll(`
    SELECT concat(field, ' IN (', string_agg(id::VARCHAR, ', '), ')') FROM (
      SELECT DISTINCT unnest([${names}]) AS field, unnest([${SERIES_KEY_FIELDS.join(', ')}]) AS id
      FROM ${STAGING}.staged_series)
    GROUP BY field HAVING count(*) <= ${MAX_NARROWING_IDS}`);
  return ['true', ...read.getRows().map(([condition]) => String(condition))].join(' AND ');
}
