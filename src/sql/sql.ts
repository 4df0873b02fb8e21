import type { Table } from 'apache-arrow';
import { checkTable } from '../frame/table/check-table.js';
import { mergedMetadata } from '../frame/table/provenance.js';
import { checkFlag, checkFunction, whole } from '../model/arguments/checks.js';
import { CANCELLABLE } from '../model/arguments/fields.js';
import { checkOptions, type OptionKeys } from '../model/arguments/option-keys.js';
import type { LongOperation } from '../model/progress.js';
import { DuckDBInstance } from '../store/duckdb/engine/library.js';
import { askConnection, type Question, questionOf, type SqlQuery, showProgress, stepOf } from './ask.js';
import { loadTable } from './load-table.js';

/** How a query runs. */
export interface SqlOptions extends LongOperation {
  /** Maximum memory of the engine in megabytes; default 2,000. */
  memoryMb?: number | undefined;
  /** True lets the query read files, addresses and extensions; default false. */
  external_access?: boolean | undefined;
}

const OPTIONS: OptionKeys<SqlOptions> = {
  ...CANCELLABLE,
  onProgress: checkFunction,
  memoryMb: whole({ min: 16 }),
  external_access: checkFlag,
};

/**
 * A question in DuckDB's SQL over frames and other Arrow tables, each under its name. The answer is an Arrow table with the
 * sources of all frames. Dates of frames are TIMESTAMP in UTC, names are VARCHAR.
 * @throws ArgumentError when the query is no single SELECT, or the engine refuses it, with its reason
 * @example
 * ```ts
 * const byState = await sql({ yields })`
 *   SELECT region_name, avg(value) AS mean FROM yields WHERE end_date >= ${'2010-01-01'} GROUP BY ALL`;
 * ```
 */
export function sql(tables: Readonly<Record<string, Table>>, options: SqlOptions = {}): SqlQuery {
  for (const [name, table] of Object.entries(tables)) checkTable(table, name);
  checkOptions(options, OPTIONS, 'sql');
  return async (text, ...values) => answer(tables, questionOf(text, values), options);
}

async function answer(
  tables: Readonly<Record<string, Table>>,
  question: Question,
  { memoryMb = 2000, external_access = false, ...operation }: SqlOptions,
): Promise<Table> {
  operation.signal?.throwIfAborted();
  const extensions = String(external_access);
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${memoryMb}MB`,
    autoinstall_known_extensions: extensions,
    autoload_known_extensions: extensions,
  });
  const connection = await instance.connect();
  try {
    for (const [name, table] of Object.entries(tables)) await loadTable(connection, name, table);
    if (operation.onProgress !== undefined) await showProgress(connection);
    if (!external_access) await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    const metadata = mergedMetadata(Object.values(tables), stepOf(question));
    return await askConnection(connection, question, { ...operation, metadata });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
