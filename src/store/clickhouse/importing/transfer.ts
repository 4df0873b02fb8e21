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
  /** The query for the rows, including the columns `shard` (the target's position) and `destination` (its table). */
  readonly sql: string;
  /** Returns the statement that inserts the rows, without its FORMAT clause; by default, a plain INSERT. */
  readonly insert?: (table: string, columns: readonly string[]) => string;
}

const insertInto = (table: string, columns: readonly string[]) =>
  `INSERT INTO ${table} (${columns.join(', ')})`;

/**
 * Sends a query's rows to shards as Parquet files.
 * @returns a function that returns the number of rows sent to a table on a shard
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

/** Runs queries on shards, and appends the results to DuckDB tables. NaN becomes NULL. */
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

/** Returns the SQL that converts columns from a shard to the columns of a DuckDB table. */
async function valuesFor(connection: DuckDBConnection, table: string): Promise<string> {
  const described = await connection.runAndReadAll(`DESCRIBE ${table}`);
  const made = described.getRows().map(([name, type]) => {
    if (type === 'TIMESTAMP_MS') return `make_timestamp_ms(${name})`;
    return type === 'DOUBLE' ? `CASE WHEN NOT isnan(${name}) THEN ${name} END` : String(name);
  });
  return made.join(', ');
}
