import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteLiteral } from '../../duckdb/engine/sql-values.js';
import type { ReadOptions } from '../../store.js';
import { withTemporaryFolder } from '../../temporary-files.js';
import { runConcurrently } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';

interface RowUpload extends ReadOptions {
  /** The query for the rows. The columns `shard` (a position) and `destination` (a table) say where a row goes. */
  readonly sql: string;
  /** Returns the statement that inserts the rows, without its FORMAT clause; by default, a plain INSERT. */
  readonly insert?: (table: string, columns: readonly string[]) => string;
}

/** Sends a query's rows to shards as Parquet files. @returns the table and the shard of each file */
export async function upload(
  connection: DuckDBConnection,
  shards: readonly Shard[],
  { sql, insert, signal }: RowUpload,
): Promise<{ readonly table: string; readonly shard: Shard }[]> {
  const described = (await connection.runAndReadAll(`DESCRIBE FROM (${sql})`)).getRows();
  const columns = described.map(([name, type]) => [String(name), String(type)] as const).slice(0, -2);
  const values = columns.map(([name, type]) =>
    type === 'TIMESTAMP_MS' ? `epoch_ms(${name}) AS ${name}` : name,
  );
  const names = columns.map(([name]) => name);
  return withTemporaryFolder(async (folder) => {
    const copied = await connection.runAndReadAll(
      `COPY (SELECT ${values.join(', ')}, destination, shard FROM (${sql})) TO ${quoteLiteral(folder)}
       (FORMAT parquet, PARTITION_BY (destination, shard), OVERWRITE_OR_IGNORE, RETURN_STATS)`,
    );
    const send = async ([path]: unknown[], options: ReadOptions) => {
      const [, table, position] = /destination=(\w+)\/shard=(\d+)/.exec(String(path)) as unknown as string[];
      const shard = shards[Number(position)]!;
      const into = insert?.(table!, names) ?? `INSERT INTO ${table} (${names.join(', ')})`;
      await shard.insertFile(into, String(path), options);
      return { table: table!, shard };
    };
    return runConcurrently(copied.getRows(), send, { signal });
  });
}

/** Runs queries on shards, and appends the results to DuckDB tables. */
export async function download(
  connection: DuckDBConnection,
  answers: readonly { readonly shard: Shard; readonly sql: string; readonly table: string }[],
  { signal }: ReadOptions,
): Promise<void> {
  await withTemporaryFolder((folder) =>
    runConcurrently(
      answers.entries(),
      async ([i, { shard, sql, table }], options) => {
        const path = join(folder, `${i}.parquet`);
        await shard.download(path, sql, options);
        const values = `SELECT ${await valuesFor(connection, table)} FROM read_parquet(${quoteLiteral(path)})`;
        await connection.run(`INSERT INTO ${table} ${values}`);
      },
      { signal },
    ),
  );
}

async function valuesFor(connection: DuckDBConnection, table: string): Promise<string> {
  const described = await connection.runAndReadAll(`DESCRIBE ${table}`);
  const made = described.getRows().map(([name, type]) => {
    return type === 'TIMESTAMP_MS' ? `make_timestamp_ms(${name})` : String(name);
  });
  return made.join(', ');
}
