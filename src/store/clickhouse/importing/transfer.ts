import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteLiteral } from '../../duckdb/engine/sql-values.js';
import { runAll } from '../../duckdb/writing/ranges.js';
import type { ReadOptions } from '../../store.js';
import { makeTemporaryFolder } from '../../temporary-files.js';
import { runConcurrently } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';

interface RowUpload extends ReadOptions {
  /** The query for the rows, with the columns `shard` (position of the target) and `destination` (target table). */
  readonly sql: string;
  /** Writes the statement that receives the rows, without its format; by default a plain INSERT of the columns. */
  readonly insert?: (table: string, columns: readonly string[]) => string;
}

const insertInto = (table: string, columns: readonly string[]) =>
  `INSERT INTO ${table} (${columns.join(', ')})`;

/**
 * Sends the rows of a query to shards as Parquet.
 * @returns a function for the number of rows sent to a table of a shard
 */
export async function upload(
  connection: DuckDBConnection,
  shards: readonly Shard[],
  { sql, insert = insertInto, signal }: RowUpload,
): Promise<(table: string, shard: number) => number> {
  const described = (await connection.runAndReadAll(`DESCRIBE FROM (${sql})`)).getRows();
  const types = described.map(([name, type]) => [String(name), String(type)] as const);
  const columns = types.filter(([name]) => name !== 'shard' && name !== 'destination');
  const values = columns.map(([name, type]) =>
    type === 'TIMESTAMP_MS' ? `epoch_ms(${name}) AS ${name}` : name,
  );
  const names = columns.map(([name]) => name);
  const counts = new Map<string, number>();
  const folder = await makeTemporaryFolder();
  try {
    const copied = await connection.runAndReadAll(
      `COPY (SELECT ${values.join(', ')}, destination, shard FROM (${sql})) TO ${quoteLiteral(folder)}
       (FORMAT parquet, PARTITION_BY (destination, shard), OVERWRITE_OR_IGNORE, RETURN_STATS)`,
    );
    const send = async ([path, rows]: unknown[], options: ReadOptions) => {
      const [, table, shard] = /destination=(\w+)\/shard=(\d+)/.exec(String(path))!;
      const key = `${table} ${shard}`;
      counts.set(key, Number(rows) + (counts.get(key) ?? 0));
      await shards[Number(shard)]!.insertFile(insert(table!, names), String(path), options);
    };
    await runConcurrently(copied.getRows(), send, { signal });
    return (table, shard) => counts.get(`${table} ${shard}`) ?? 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Answer {
  readonly shard: Shard;
  readonly sql: string;
  readonly table: string;
}

/** Appends the results of queries on shards to DuckDB tables. NaN becomes NULL. */
export async function download(
  connection: DuckDBConnection,
  answers: readonly Answer[],
  { signal }: ReadOptions,
): Promise<void> {
  const folder = await makeTemporaryFolder();
  const fileOf = (i: number) => join(folder, `${i}.parquet`);
  try {
    await runConcurrently(
      answers.entries(),
      ([i, { shard, sql }], options) => shard.download(fileOf(i), sql, options),
      { signal },
    );
    const inserts: string[] = [];
    for (const [i, { table }] of answers.entries())
      inserts.push(
        `INSERT INTO ${table} SELECT ${await valuesFor(connection, table)} FROM read_parquet(${quoteLiteral(fileOf(i))})`,
      );
    await runAll(connection, inserts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the expressions that convert a shard's columns to those of a DuckDB table. */
async function valuesFor(connection: DuckDBConnection, table: string): Promise<string> {
  const described = await connection.runAndReadAll(`DESCRIBE ${table}`);
  const made = described.getRows().map(([name, type]) => {
    if (type === 'TIMESTAMP_MS') return `make_timestamp_ms(${name})`;
    return type === 'DOUBLE' ? `CASE WHEN NOT isnan(${name}) THEN ${name} END` : String(name);
  });
  return made.join(', ');
}
