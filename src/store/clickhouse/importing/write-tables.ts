import { readNumbers } from '../../duckdb/writing/ranges.js';
import type { SettledImport } from '../../duckdb/writing/settle.js';
import type { BatchKind } from '../../duckdb/writing/transaction.js';
import { TABLES, tableOf } from '../../schema/clickhouse.js';
import { ENTITY_TABLES } from '../../schema/tables.js';
import type { ReadOptions } from '../../store.js';
import type { Cluster } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { currentCondition, importedCondition, type Snapshot } from '../engine/snapshot.js';
import type { Commit } from './commit.js';
import { upload } from './transfer.js';

const FILLED = TABLES.flatMap(({ name, imported, isEverywhere }) =>
  imported && !isEverywhere && name !== 'series' ? [name] : [],
);

export interface Writing extends SettledImport, Pick<Commit, 'import' | 'before' | 'after'> {
  readonly cluster: Cluster;
}

export async function writeTables(
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

export async function countEntities(first: Shard, number: number, options: ReadOptions): Promise<number> {
  const countSql = (type: string, table: string) => `SELECT uniqExact(id) AS entities FROM (
    SELECT id FROM ${table} WHERE import = ${number}
    UNION ALL SELECT child FROM containment WHERE entity_type = '${type}' AND import = ${number})`;
  const types = Object.entries(ENTITY_TABLES).map(([type, { table }]) => countSql(type, table));
  const [row] = await first.rows(
    `SELECT sum(entities) AS entities FROM (${types.join(' UNION ALL ')})`,
    options,
  );
  return Number(row!.entities);
}

const tableOfKind = (kind: BatchKind) => (kind === 'shapes' ? 'shape' : ENTITY_TABLES[kind].table);

/** Checks whether a batch was added, no later import has replaced rows of its types, and `put` has none of them. */
export async function knowsBatch(
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
