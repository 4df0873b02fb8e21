import type { ReadOptions } from '../store.js';

export type Row = Record<string, unknown>;

export interface QueryParts {
  /** Writes what follows `FROM`: a table, restricted to rows that the reader sees and that match `where`. */
  from(table: string, where?: string): string;
  ids(column: string, ids: readonly number[]): string;
  /** Writes a column as a float, with dates in UTC milliseconds, and NaN for null. */
  number(column: string): string;
  /** SQL for a float: 1 if a row of `series` may have periods with several vintages, otherwise 0. */
  readonly isRevised: string;
  /** Writes the sum of the hashes of rows, as a string. */
  hash(columns: string): string;
}

/** A batch of rows as columns, which are valid until the next batch. */
export interface NumberColumns {
  readonly length: number;
  readonly columns: readonly (Int32Array | Float64Array)[];
}

/** The tables of a store other than points, as a reader sees them. */
export interface EngineTables extends QueryParts {
  /** Identifies the content: the same object as long as it does not change; null while an import changes it. */
  readonly snapshot: object | null;
  rows(sql: string, options?: ReadOptions): Promise<Row[]>;
  /** Reads the rows of a query of integers and floats, in batches. */
  numbers(sql: string, options?: ReadOptions): AsyncIterable<NumberColumns>;
}

export type OpenTables = (options?: ReadOptions) => Promise<EngineTables>;

const MAX_ID = 2 ** 31 - 1;

/** Writes the condition that a column holds one of the given ids, in SQL that every engine understands. */
export function idCondition(column: string, ids: readonly number[]): string {
  const valid = ids.filter((id) => Number.isInteger(id) && Math.abs(id) <= MAX_ID);
  return valid.length === 0 ? 'false' : `${column} IN (${valid.join(', ')})`;
}
