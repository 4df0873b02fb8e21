import { rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted } from '../../duckdb/engine/sql-values.js';
import { readNumbers } from '../../duckdb/writing/ranges.js';
import type { ReadOptions } from '../../store.js';
import { makeTemporaryFolder } from '../../temporary-files.js';
import type { Expected, Writing } from '../committing/commit.js';
import { type Cluster, together } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { NOT_GONE, visible } from '../engine/snapshot.js';
import { STORED, type StoredTable } from '../workspace/workspace.js';

/**
 * Writes the rows of tables that the workspace has and the cluster has not, and ends those that it no longer has.
 * @returns the rows that the first server must have by then
 */
export async function writeDifferences(
  connection: DuckDBConnection,
  first: Shard,
  { tables, writing }: { tables: readonly StoredTable[]; writing: Writing },
): Promise<Expected[]> {
  const { before, import: number } = writing;
  const changes: (Expected & StoredTable)[] = [];
  for (const table of tables) {
    const change = await writeDifference(connection, first, { table, writing });
    if (change.written > 0) changes.push(change);
  }
  await together(
    changes.filter(({ ended }) => ended > 0),
    ({ table, key }, { signal }) => {
      const written = `SELECT ${key} FROM ${table} WHERE import = ${number}`;
      const sql = `UPDATE ${table} SET gone = ${number} WHERE ${visible(before)} AND (${key}) IN (${written})`;
      return first.run(sql, {}, { signal });
    },
    writing,
  );
  return changes;
}

/**
 * Writes the new rows of a table. A row that has gone, and that none of those replaces, is written once more as one that is
 * gone: so the keys of all rows to be ended are written.
 */
async function writeDifference(
  connection: DuckDBConnection,
  first: Shard,
  { table, writing }: { table: StoredTable; writing: Writing },
): Promise<Expected & StoredTable> {
  const { table: name, columns, key } = table;
  const { import: number, signal } = writing;
  const [here, stored] = ['main', STORED].map(
    (schema) => `(SELECT ${columns.join(', ')} FROM ${schema}.${name})`,
  );
  const ended = `${stored} EXCEPT ${here}`;
  const sql = `SELECT *, ${number} AS import, ${NOT_GONE} AS gone FROM (${here} EXCEPT ${stored}) UNION ALL
    SELECT *, ${number}, ${number} FROM (${ended}) WHERE (${key}) NOT IN (SELECT ${key} FROM main.${name})`;
  const [written = 0] = await writeToShards(connection, [first], { table: name, sql, position: '0', signal });
  const [count = 0] = await readNumbers(connection, `SELECT count(*)::DOUBLE FROM (${ended})`);
  return { ...table, written, ended: count };
}

/** Points of a query with `POINT_COLUMNS`, with the values that mean no value, no date and no remark. */
const pointsOf = (
  sql: string,
) => `SELECT series, start_date, end_date, coalesce(value, 'nan'::DOUBLE) AS value,
  unit_id, coalesce(epoch_ms(reporting_date), -9223372036854775808) AS reporting_date, available_date,
  coalesce(metadata, '') AS metadata FROM (${sql})`;

/**
 * Writes the points of a query, which has `POINT_COLUMNS`, to the shards of their series. The shards have them when it
 * resolves.
 * @param gone the import by which the points are not the latest of their periods
 * @returns the rows of each shard
 */
export function writePoints(
  connection: DuckDBConnection,
  { shards }: Cluster,
  { points, gone = NOT_GONE, writing }: { points: string; gone?: number | undefined; writing: Writing },
): Promise<number[]> {
  const sql = `SELECT *, ${writing.import} AS import, ${gone} AS gone FROM (${pointsOf(points)})`;
  const position = `series % ${shards.length}`;
  return writeToShards(connection, shards, { table: 'point', sql, position, signal: writing.signal });
}

interface Written extends ReadOptions {
  readonly table: string;
  readonly sql: string;
  readonly position: string;
}

/** Writes each row as Parquet for the shard of its position, which reads the files. @returns the rows of each shard */
async function writeToShards(
  connection: DuckDBConnection,
  shards: readonly Shard[],
  { table, sql, position, signal }: Written,
): Promise<number[]> {
  const described = await connection.runAndReadAll(`DESCRIBE FROM (${sql})`);
  const columns = described.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
  const values = columns.map(({ name, type }) =>
    type === 'TIMESTAMP_MS' ? `epoch_ms(${name}) AS ${name}` : name,
  );
  const names = columns.map(({ name }) => name);
  const folder = await makeTemporaryFolder();
  try {
    const copied = await connection.runAndReadAll(
      `COPY (SELECT ${values.join(', ')}, ${position} AS shard FROM (${sql}))
       TO ${quoted(folder)} (FORMAT parquet, PARTITION_BY (shard), OVERWRITE_OR_IGNORE, RETURN_STATS)`,
    );
    const counts = shards.map(() => 0);
    const write = async ([path, rows]: unknown[], options: ReadOptions) => {
      const i = Number(/shard=(\d+)/.exec(String(path))![1]);
      counts[i]! += Number(rows);
      await shards[i]!.insertFile({ table, columns: names }, String(path), options);
    };
    await together(copied.getRows(), write, { signal });
    return counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
