import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import type { LongOperation } from '../../../model/progress.js';
import { openDatabase } from '../../duckdb/engine/open-database.js';
import { STAGING } from '../../duckdb/point-tables.js';
import { readNumbers } from '../../duckdb/writing/ranges.js';
import {
  type BatchKind,
  type BeginOptions,
  beginTransaction,
  type ImportTarget,
} from '../../duckdb/writing/transaction.js';
import { columnsOf, TABLES, tableOf } from '../../schema/clickhouse.js';
import { ENTITY_TABLES } from '../../schema/tables.js';
import type { ReadOptions, StoreTransaction } from '../../store.js';
import { type Cluster, runConcurrently } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { currentCondition, importedCondition, type Snapshot } from '../engine/snapshot.js';
import { tablesAt } from '../reading/tables.js';
import { beginCommit, type Commit, dropStaged } from './commit.js';
import { download, upload } from './transfer.js';
import { type Writing, writePoints } from './write-points.js';

/** Begins an import. Until data are sent, an in-memory DuckDB database holds them, and may spill them to disk. */
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
  for (const table of ['metric', 'item', 'region', 'unit']) {
    const ids = table === 'unit' ? 'unit_id, other.unit_id' : `${table}_id`;
    const unknown = await connection.runAndReadAll(`FROM (SELECT DISTINCT unnest([${ids}]) AS id
      FROM ${STAGING}.dropped JOIN ${STAGING}.staged_series ON number = series WHERE is_conflict)
      ANTI JOIN ${table} USING (id)`);
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

const FILLED = TABLES.flatMap(({ name, imported, isEverywhere }) =>
  imported && !isEverywhere && name !== 'series' ? [name] : [],
);

async function writeTables(
  { connection, cluster, import: number, before }: Writing,
  options: ReadOptions,
): Promise<void> {
  const insert = (table: string, columns: readonly string[]) =>
    insertNew(table, columns, { import: number, before });
  for (const table of FILLED) {
    const [rows] = await readNumbers(connection, `SELECT count(*)::DOUBLE FROM ${table}`);
    if (rows === 0) continue;
    const sql = `SELECT *, 0 AS shard, '${table}' AS destination FROM ${table}`;
    await upload(connection, cluster.shards, { sql, insert, ...options });
  }
}

/** Returns the statement that inserts rows that are new or differ from the stored row with the same key. */
function insertNew(
  table: string,
  columns: readonly string[],
  { import: number, before }: Pick<Writing, 'import' | 'before'>,
): string {
  const { key, orderBy, columns: defined } = tableOf(table);
  const structure = columns.map((name) => `${name} ${defined[name]}`).join(', ');
  const names = columns.join(', ');
  const rows = `FROM input('${structure}') AS new`;
  if (table === 'known_batch')
    return `INSERT INTO ${table} (${names}, import) SELECT ${names}, ${number} ${rows}`;
  const stored = `(SELECT *, toNullable(import) AS since FROM ${table} WHERE ${currentCondition(table, before)}) AS stored`;
  const same = (key ?? orderBy).split(', ').map((name) => `new.${name} = stored.${name}`);
  const values = columns.map((name) => `new.${name}`).join(', ');
  const differs = columns.map((name) => `new.${name} <=> stored.${name}`).join(' AND ');
  const [added, replaced] = key === undefined ? ['', ''] : [', replaces', ', stored.since'];
  return `INSERT INTO ${table} (${names}, import${added}) SELECT ${values}, ${number}${replaced} ${rows}
    LEFT JOIN ${stored} ON ${same.join(' AND ')} WHERE stored.since IS NULL OR NOT (${differs})`;
}

async function countEntities(first: Shard, number: number, options: ReadOptions): Promise<number> {
  const countSql = (type: string, table: string) => `SELECT uniqExact(id) AS entities FROM (
    SELECT id FROM ${table} WHERE import = ${number}
    UNION ALL SELECT child FROM containment WHERE entity_type = '${type}' AND import = ${number})`;
  const types = Object.entries(ENTITY_TABLES).map(([type, { table }]) => countSql(type, table));
  const sql = `SELECT sum(entities) AS entities FROM (${types.join(' UNION ALL ')})`;
  const [row] = await first.rows(sql, options);
  return Number(row!.entities);
}

const tableOfKind = (kind: BatchKind) => (kind === 'shapes' ? 'shape' : ENTITY_TABLES[kind].table);

/**
 * Checks whether a batch is still stored unchanged. It may have changed if a later import replaced rows of the same types,
 * or if this import has already written rows of these types.
 */
async function knowsBatch(
  first: Shard,
  { digest, before, put }: { digest: string; before: Snapshot; put: ReadonlyMap<BatchKind, unknown> },
): Promise<boolean> {
  const sql = `SELECT import, kinds FROM known_batch WHERE ${importedCondition(before)} AND digest = {digest:String}
    ORDER BY import DESC LIMIT 1`;
  const [found] = await first.rows(sql, { parameters: { digest } });
  if (found === undefined) return false;
  const kinds = String(found.kinds).split(' ').filter(Boolean) as BatchKind[];
  if (kinds.some((kind) => put.has(kind))) return false;
  const replaced = kinds.map(
    (kind) => `SELECT 1 FROM ${tableOfKind(kind)}
      WHERE ${importedCondition(before)} AND replaces IS NOT NULL AND import > ${found.import} LIMIT 1`,
  );
  return replaced.length === 0 || (await first.rows(replaced.join(' UNION ALL '))).length === 0;
}
