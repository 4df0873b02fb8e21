import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Frame } from '../frame/frame.js';
import { ArgumentError, badArgument, shownValue } from '../model/errors.js';
import type { LongOperation } from '../model/progress.js';
import { check } from '../model/schema/check.js';
import { TEXT } from '../model/schema/schemas.js';
import { interruptOnAbort } from '../store/duckdb/engine/database.js';
import { duckdb } from '../store/duckdb/engine/library.js';
import { quoteIdentifier } from '../store/duckdb/engine/sql-values.js';
import { runAll } from '../store/duckdb/writing/ranges.js';
import { readResult } from './read-result.js';

/** A query parameter's value. It is bound to the query and never becomes part of the query's text. */
export type SqlValue = string | number | bigint | boolean | Date | null | readonly SqlValue[];

/** A template tag that runs a SQL query. */
export type SqlQuery = (text: TemplateStringsArray, ...values: readonly SqlValue[]) => Promise<Frame>;

/** A query whose text uses `$1`, `$2` and so on as placeholders for its values. */
export interface Question {
  readonly text: string;
  /** The parts of the query's text before, between and after the values. */
  readonly parts: readonly string[];
  readonly values: readonly SqlValue[];
}

/** @throws ArgumentError if the template is empty */
export function questionOf(parts: readonly string[], values: readonly SqlValue[] = []): Question {
  const text = parts.reduce((query, part, at) => `${query}$${at}${part}`).trim();
  check(TEXT, text, 'query');
  return { text, parts, values };
}

export function stepOf({ text }: Question): string {
  return `sql(${JSON.stringify(text)})`;
}

/**
 * Runs a SQL query in a read-only transaction.
 * @throws ArgumentError if the query is not a single SELECT, or the engine rejects it; the signal's reason if aborted
 */
export async function askConnection(
  connection: DuckDBConnection,
  { text, values }: Question,
  { metadata, signal, onProgress }: LongOperation & { metadata: Map<string, string> },
): Promise<Frame> {
  signal?.throwIfAborted();
  const stop = interruptOnAbort(connection, signal);
  const report = () =>
    onProgress?.({
      label: 'running the query',
      done: Math.min(99, Math.max(0, Math.round(connection.progress.percentage))),
      total: 100,
      unit: '%',
    });
  const timer = onProgress && setInterval(report, PROGRESS_MS);
  try {
    if (onProgress !== undefined) await runAll(connection, SHOW_PROGRESS);
    await connection.run('BEGIN TRANSACTION READ ONLY');
    const statement = await prepareSelect(connection, text);
    const enums = enumColumns(statement);
    const asked =
      enums.size === 0 ? statement : await connection.prepare(codedQuestion(statement, text, enums));
    const bound = values.map(boundValue);
    bind(asked, bound);
    await refuseChanges(connection, text, bound);
    return await readResult(await asked.run(), enums, metadata);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ArgumentError) throw cause;
    const reason = (cause instanceof Error ? cause.message : String(cause)).replace(LIBRARY_PREFIX, '');
    throw badArgument('query', `${reason}`, { cause });
  } finally {
    clearInterval(timer);
    stop();
    await connection.run('ROLLBACK').catch(() => {});
  }
}

const PROGRESS_MS = 100;

const LIBRARY_PREFIX = /^Failed to \w+ statements?: /;

const SHOW_PROGRESS = ['SET enable_progress_bar = true', 'SET enable_progress_bar_print = false'];

/** Matches functions that a SELECT can call although they change the engine's state or hide the query that they run. */
const CHANGING_FUNCTION =
  /^((en|dis)able_|(force_)?checkpoint|truncate_duckdb_logs|json_execute_serialized_sql)/i;

/** An operator in a query plan. A function in the FROM clause appears as an operator of that name. */
interface Operator {
  readonly name: string;
  readonly children: readonly Operator[];
}

/**
 * Rejects a query that would change the engine's state by calling a function. The query plan is searched, because it
 * also contains the functions that views, macros and nested queries call.
 */
async function refuseChanges(
  connection: DuckDBConnection,
  text: string,
  values: readonly BoundValue[],
): Promise<void> {
  const explained = await connection.prepare(`EXPLAIN (FORMAT json) ${text}`);
  bind(explained, values);
  const plans = (await (await explained.run()).getRows()).map(([, plan]) => String(plan));
  const operators = plans.flatMap((plan) => JSON.parse(plan) as Operator[]);
  for (const { name, children } of operators) {
    operators.push(...children);
    if (CHANGING_FUNCTION.test(name.trim()))
      throw badArgument(
        'query',
        `${name.trim().toLowerCase()}() changes the engine, but a query can only read`,
      );
  }
}

function bind(statement: DuckDBPreparedStatement, values: readonly BoundValue[]): void {
  statement.bind(
    values.map(({ value }) => value),
    values.map(({ type }) => type),
  );
}

/** @throws ArgumentError if the query is not a single SELECT */
async function prepareSelect(
  connection: DuckDBConnection,
  question: string,
): Promise<DuckDBPreparedStatement> {
  const statements = await connection.extractStatements(question).catch((cause: unknown) => {
    throw String(cause).includes(NO_STATEMENT) ? badArgument('query', EMPTY, { cause }) : cause;
  });
  // DuckDB splits a PIVOT without a list of values into statements, the first of which creates a type for them.
  if (statements.count > 1)
    throw badArgument(
      'query',
      `the query has ${statements.count} statements; use a single SELECT, and list the values of a PIVOT: PIVOT … ON … IN (…)`,
    );
  if (statements.count === 0) throw badArgument('query', EMPTY);
  const statement = await statements.prepare(0);
  const type = duckdb.StatementType[statement.statementType]!;
  if (type === 'SELECT') return statement;
  throw badArgument('query', `the query is ${type}, but must be a SELECT`);
}

const EMPTY = 'the query is empty; write a SELECT';
/** The DuckDB library's error message for a query that consists only of comments and semicolons. */
const NO_STATEMENT = 'Error in native callback';

/** Finds ENUM columns. Codes are queried instead of strings, because the library rereads all strings for each chunk. */
function enumColumns(statement: DuckDBPreparedStatement): ReadonlyMap<string, DuckDBType> {
  const columns = Array.from({ length: statement.columnCount }, (_, at) => at);
  const enums = columns.filter((at) => statement.columnTypeId(at) === duckdb.DuckDBTypeId.ENUM);
  const names = new Set(columns.map((at) => statement.columnName(at)));
  // Columns with the same name cannot be distinguished.
  if (names.size < columns.length) return new Map();
  return new Map(enums.map((at) => [statement.columnName(at), statement.columnType(at)]));
}

function codedQuestion(
  statement: DuckDBPreparedStatement,
  question: string,
  enums: ReadonlyMap<string, DuckDBType>,
): string {
  const columns = Array.from({ length: statement.columnCount }, (_, at) => {
    const name = quoteIdentifier(statement.columnName(at));
    return enums.has(statement.columnName(at)) ? `enum_code(${name}) AS ${name}` : name;
  });
  return `SELECT ${columns.join(', ')} FROM (${question.replace(/;$/, '')}\n)`;
}

interface BoundValue {
  readonly value: DuckDBValue;
  readonly type: DuckDBType;
}

function boundValue(value: SqlValue): BoundValue {
  if (value === null || typeof value === 'string') return { value, type: duckdb.VARCHAR };
  if (typeof value === 'boolean') return { value, type: duckdb.BOOLEAN };
  if (typeof value === 'bigint') return { value, type: duckdb.BIGINT };
  if (typeof value === 'number')
    return { value, type: Number.isInteger(value) && (value | 0) === value ? duckdb.INTEGER : duckdb.DOUBLE };
  if (value instanceof Date)
    return {
      value: new duckdb.DuckDBTimestampValue(BigInt(value.getTime()) * 1000n),
      type: duckdb.TIMESTAMP,
    };
  if (!Array.isArray(value))
    throw badArgument(
      'query',
      `${shownValue(value)} cannot be a query value; use strings, numbers, dates or lists of them`,
    );
  const items = (value as readonly SqlValue[]).map(boundValue);
  const types = items.filter((item) => item.value !== null).map((item) => item.type);
  const type = types.find((each) => each !== duckdb.INTEGER) ?? types[0] ?? duckdb.SQLNULL;
  return { value: duckdb.listValue(items.map((item) => item.value)), type: duckdb.LIST(type) };
}
