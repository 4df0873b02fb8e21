import { type DuckDBType, type DuckDBValue, INTEGER, LIST, listValue, VARCHAR } from '@duckdb/node-api';

/** A parameter with the type that the engine shall take it for. */
export interface Bound {
  readonly value: DuckDBValue;
  readonly type: DuckDBType;
}

const MAX_ID = 2 ** 31 - 1;

/** Longer lists are planned faster as a parameter, shorter ones as literals. */
const MAX_LITERALS = 256;

/**
 * That a column holds one of these ids, with the parameter it needs. What cannot be an id is left out: it names
 * nothing that exists.
 */
export function oneOf(column: string, ids: readonly number[]): { where: string; bound: Bound[] } {
  const known = ids.filter((id) => Number.isInteger(id) && Math.abs(id) <= MAX_ID);
  if (known.length === 0) return { where: 'false', bound: [] };
  if (known.length <= MAX_LITERALS) return { where: `${column} IN (${known.join(', ')})`, bound: [] };
  return {
    where: `${column} IN (SELECT unnest(?))`,
    bound: [{ value: listValue(known), type: LIST(INTEGER) }],
  };
}

export function integer(value: number): Bound {
  return { value, type: INTEGER };
}

const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A time as a literal, which prunes row groups where a parameter would not. */
export function timeLiteral(ms: number): string {
  const clamped = Math.min(Math.max(Math.trunc(ms), FIRST_MS), LAST_MS);
  return `TIMESTAMP_MS '${new Date(clamped).toISOString().slice(0, 23).replace('T', ' ')}'`;
}

export function text(value: string): Bound {
  return { value, type: VARCHAR };
}
