import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteLiteral } from '../../duckdb/engine/sql-values.js';
import { runAll } from '../../duckdb/writing/ranges.js';
import type { ReadOptions } from '../../store.js';
import { withTemporaryFolder } from '../../temporary-files.js';
import { runConcurrently } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';

interface RowUpload extends ReadOptions {
  /** The query for the rows. Each row's target is in the columns `shard` (a position) and `destination` (a table). */
  readonly sql: string;
  /** Returns the statement that inserts the rows, without its FORMAT clause; by default, a plain INSERT. */
  readonly insert?: (table: string, columns: readonly string[]) => string;
}

/**
 * Sends a query's rows to shards as Parquet files.
 * @returns a function that returns the number of rows sent to a table on a shard
 */
export async function upload(
  connection: DuckDBConnection,
  shards: readonly Shard[],
  { sql, insert, signal }: RowUpload,
): Promise<(table: string, shard: number) => number> {
  const described = (await connection.runAndReadAll(`DESCRIBE FROM (${sql})`)).getRows();
  const types = described.map(([name, type]) => [String(name), String(type)] as const);
  const columns = types.filter(([name]) => name !== 'shard' && name !== 'destination');
  const values = columns.map(([name, type]) =>
    type === 'TIMESTAMP_MS' ? `epoch_ms(${name}) AS ${name}` : name,
  );
  const names = columns.map(([name]) => name);
  return withTemporaryFolder(async (folder) => {
    const counts = new Map<string, number>();
    const copied = await connection.runAndReadAll(
      `COPY (SELECT ${values.join(', ')}, destination, shard FROM (${sql})) TO ${quoteLiteral(folder)}
       (FORMAT parquet, PARTITION_BY (destination, shard), OVERWRITE_OR_IGNORE, RETURN_STATS)`,
    );
    const send = async ([path, rows]: unknown[], options: ReadOptions) => {
      const [, table, shard] = /destination=(\w+)\/shard=(\d+)/.exec(String(path))!;
      const key = `${table} ${shard}`;
      counts.set(key, Number(rows) + (counts.get(key) ?? 0));
      const into = insert?.(table!, names) ?? `INSERT INTO ${table} (${names.join(', ')})`;
      await shards[Number(shard)]!.insertFile(into, String(path), options);
    };
    await runConcurrently(copied.getRows(), send, { signal });
    return (table, shard) => counts.get(`${table} ${shard}`) ?? 0;
  });
}

/** Runs queries on shards, and appends the results to DuckDB tables. NaN becomes NULL. */
export async function download(
  connection: DuckDBConnection,
  answers: readonly { readonly shard: Shard; readonly sql: string; readonly table: string }[],
  { signal }: ReadOptions,
): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const fileOf = (i: number) => join(folder, `${i}.parquet`);
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
  });
}

async function valuesFor(connection: DuckDBConnection, table: string): Promise<string> {
  const described = await connection.runAndReadAll(`DESCRIBE ${table}`);
  const made = described.getRows().map(([name, type]) => {
    if (type === 'TIMESTAMP_MS') return `make_timestamp_ms(${name})`;
    return type === 'DOUBLE' ? `CASE WHEN NOT isnan(${name}) THEN ${name} END` : String(name);
  });
  return made.join(', ');
}
