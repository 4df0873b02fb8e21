import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Table } from 'apache-arrow';
import { checkTable } from '../frame/table/check-table.js';
import { mergedMetadata } from '../frame/table/provenance.js';
import { checkFlag, checkText, whole } from '../model/arguments/checks.js';
import { CANCELLABLE } from '../model/arguments/fields.js';
import { checkOptions, type OptionKeys } from '../model/arguments/option-keys.js';
import { ArgumentError, shownValue } from '../model/errors.js';
import type { Cancellable } from '../model/progress.js';
import { interruptOnAbort } from '../store/duckdb/engine/interrupts.js';
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBInstance,
  DuckDBTimestampValue,
  INTEGER,
  LIST,
  listValue,
  StatementType,
  TIMESTAMP,
  VARCHAR,
} from '../store/duckdb/engine/library.js';
import { loadTable } from './load-table.js';
import { readResult } from './read-result.js';

/** How a query runs. */
export interface SqlOptions extends Cancellable {
  /** Maximum memory of the engine in megabytes; default 2,000. */
  memoryMb?: number | undefined;
  /** True lets the query read files, addresses and extensions; default false. */
  external_access?: boolean | undefined;
}

const OPTIONS: OptionKeys<SqlOptions> = {
  ...CANCELLABLE,
  memoryMb: whole({ min: 16 }),
  external_access: checkFlag,
};

/** A value of a query, which is bound and never becomes part of its text. */
export type SqlValue = string | number | bigint | boolean | Date | null | readonly SqlValue[];

/** Asks the question that a template holds. */
export type SqlQuery = (text: TemplateStringsArray, ...values: readonly SqlValue[]) => Promise<Table>;

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
  return (text, ...values) => answer(tables, { text: [...text], values }, options);
}

interface Question {
  /** The text between the values. */
  readonly text: readonly string[];
  readonly values: readonly SqlValue[];
}

async function answer(
  tables: Readonly<Record<string, Table>>,
  { text, values }: Question,
  { signal, memoryMb = 2000, external_access = false }: SqlOptions,
): Promise<Table> {
  signal?.throwIfAborted();
  const question = text.reduce((query, part, at) => `${query}$${at}${part}`);
  checkText(question.trim(), 'query');
  const extensions = String(external_access);
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${memoryMb}MB`,
    autoinstall_known_extensions: extensions,
    autoload_known_extensions: extensions,
  });
  const connection = await instance.connect();
  const stop = interruptOnAbort(connection, signal);
  try {
    for (const [name, table] of Object.entries(tables)) await loadTable(connection, name, table);
    if (!external_access) await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    const metadata = mergedMetadata(Object.values(tables), `sql(${JSON.stringify(question.trim())})`);
    return await readResult(await run(connection, question, values), metadata);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ArgumentError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ArgumentError('query', `query: ${reason}`, { cause });
  } finally {
    stop();
    connection.closeSync();
    instance.closeSync();
  }
}

async function run(connection: DuckDBConnection, question: string, values: readonly SqlValue[]) {
  const statements = await connection.extractStatements(question);
  if (statements.count !== 1)
    throw new ArgumentError('query', `query: it has ${statements.count} statements; give one SELECT`);
  const statement = await statements.prepare(0);
  if (statement.statementType !== StatementType.SELECT && statement.statementType !== StatementType.EXPLAIN)
    throw new ArgumentError(
      'query',
      `query: it is ${StatementType[statement.statementType]}, and only a SELECT can be asked`,
    );
  const bound = values.map(boundValue);
  statement.bind(
    bound.map(({ value }) => value),
    bound.map(({ type }) => type),
  );
  return statement.stream();
}

interface BoundValue {
  readonly value: DuckDBValue;
  readonly type: DuckDBType;
}

function boundValue(value: SqlValue): BoundValue {
  if (value === null || typeof value === 'string') return { value, type: VARCHAR };
  if (typeof value === 'boolean') return { value, type: BOOLEAN };
  if (typeof value === 'bigint') return { value, type: BIGINT };
  if (typeof value === 'number')
    return { value, type: Number.isInteger(value) && (value | 0) === value ? INTEGER : DOUBLE };
  if (value instanceof Date) return { value: timestampValue(value), type: TIMESTAMP };
  if (!Array.isArray(value))
    throw new ArgumentError(
      'query',
      `query: ${shownValue(value)} cannot be a value of a query; give texts, numbers, dates or lists of them`,
    );
  const items = (value as readonly SqlValue[]).map(boundValue);
  const type = items.find((item) => item.type !== INTEGER)?.type ?? items[0]?.type ?? VARCHAR;
  return { value: listValue(items.map((item) => item.value)), type: LIST(type) };
}

function timestampValue(date: Date): DuckDBValue {
  return new DuckDBTimestampValue(BigInt(date.getTime()) * 1000n);
}
