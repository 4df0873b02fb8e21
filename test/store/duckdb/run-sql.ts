import { DuckDBInstance } from '@duckdb/node-api';

/** Runs a statement on the file of a store that is not open. */
export async function runSql(path: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS store`);
  await connection.run('USE store');
  await connection.run(sql);
  await connection.run('USE memory');
  await connection.run('DETACH store');
  connection.disconnectSync();
  instance.closeSync();
}
