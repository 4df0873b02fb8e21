import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { QueryParts } from '../../queries/engine-tables.js';
import { INTEGER, LIST, listValue } from './library.js';

/** A query parameter with its SQL type. */
export interface Parameter {
  readonly value: DuckDBValue;
  readonly type: DuckDBType;
}

/** A condition of a WHERE clause, with its parameters. */
export interface Condition {
  readonly where: string;
  readonly parameters: readonly Parameter[];
}

const MAX_ID = 2 ** 31 - 1;

/** Shorter lists are planned faster as literals, longer ones as a parameter. */
const MAX_LITERALS = 256;

/** The condition that a column holds one of these ids. Numbers that cannot be ids are ignored. */
export function idCondition(column: string, ids: readonly number[]): Condition {
  const valid = ids.filter((id) => Number.isInteger(id) && Math.abs(id) <= MAX_ID);
  if (valid.length === 0) return { where: 'false', parameters: [] };
  if (valid.length <= MAX_LITERALS) return { where: `${column} IN (${valid.join(', ')})`, parameters: [] };
  return {
    where: `${column} IN (SELECT unnest(?))`,
    parameters: [{ value: listValue(valid), type: LIST(INTEGER) }],
  };
}

/** A name as SQL writes it. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const MIN_MS = Date.parse('0001-01-01T00:00:00.000Z');
const MAX_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A timestamp literal. Unlike a parameter, it lets the engine skip row groups. */
export function timeLiteral(ms: number): string {
  const clamped = Math.min(Math.max(Math.trunc(ms), MIN_MS), MAX_MS);
  return `TIMESTAMP_MS '${new Date(clamped).toISOString().slice(0, 23).replace('T', ' ')}'`;
}

/** A text as a literal of SQL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Writes the parts of a query, whose parameters it gathers. */
export class Parts implements QueryParts {
  readonly parameters: Parameter[] = [];

  from(table: string, where?: string): string {
    return where === undefined ? table : `${table} WHERE ${where}`;
  }

  ids(column: string, ids: readonly number[]): string {
    const { where, parameters } = idCondition(column, ids);
    this.parameters.push(...parameters);
    return where;
  }

  number(column: string): string {
    return `coalesce(${column.endsWith('_date') ? `epoch_ms(${column})` : column}::DOUBLE, 'nan')`;
  }

  hash(columns: string): string {
    return `coalesce(sum(hash(${columns})::HUGEINT), 0)::VARCHAR`;
  }
}
