import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** Does some work with DuckDB and the path of a file that nobody used before: DuckDB caches a file by its path. */
async function withFile<Result>(
  work: (connection: DuckDBConnection, path: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-parquet-'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return await work(connection, join(folder, 'one.parquet'));
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true });
  }
}

/** The file that DuckDB writes of a query. */
export function writtenByDuckDB(query: string, options = 'FORMAT parquet'): Promise<Uint8Array> {
  return withFile(async (connection, path) => {
    await connection.run(`COPY (${query}) TO '${path}' (${options})`);
    return readFileSync(path);
  });
}

/** The rows that DuckDB answers to questions about a file, of which `FILE` is the path. */
export function askedOfDuckDB(bytes: Uint8Array, questions: readonly string[]): Promise<unknown[][][]> {
  return withFile(async (connection, path) => {
    writeFileSync(path, bytes);
    await connection.run(`SET TimeZone = 'UTC'`);
    const answers: unknown[][][] = [];
    for (const question of questions) {
      const reader = await connection.runAndReadAll(question.replaceAll('FILE', `'${path}'`));
      answers.push(reader.getRowsJson());
    }
    return answers;
  });
}
