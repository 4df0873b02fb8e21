import type { ReadOptions } from '../store.js';

/** A row by the names of its columns. */
export type Row = Record<string, unknown>;

/** The parts of a query that each engine has its own words for. */
export interface QueryParts {
  /** A table with the condition that selects some of its rows, of those that the reader sees. */
  from(table: string, where?: string): string;
  /** Writes the condition that a column holds one of these ids, in SQL that every engine reads. */
  ids(column: string, ids: readonly number[]): string;
  /** A column as a float, dates as UTC milliseconds, with NaN in place of null. */
  number(column: string): string;
  /** Whether a period of a row of `series` may have several vintages, as a float. */
  readonly isRevised: string;
  /** The sum of the hashes of rows, as text. */
  hash(columns: string): string;
}

/** Rows by columns, which are valid until the next rows. */
export interface NumberColumns {
  readonly length: number;
  readonly columns: readonly (Int32Array | Float64Array)[];
}

/** The tables of a store that are not points, as a reader sees them. */
export interface EngineTables extends QueryParts {
  /** The same object while the content is the same; null while an import changes it. */
  readonly snapshot: object | null;
  /** All rows of a query. */
  rows(sql: string, options?: ReadOptions): Promise<Row[]>;
  /** The rows of a query of integers and floats, some at a time. */
  numbers(sql: string, options?: ReadOptions): AsyncIterable<NumberColumns>;
}

/** The tables as they are now. */
export type OpenTables = (options?: ReadOptions) => Promise<EngineTables>;

const MAX_ID = 2 ** 31 - 1;

/** Returns the condition that a column holds one of these ids, in the words of every engine. */
export function idCondition(column: string, ids: readonly number[]): string {
  const valid = ids.filter((id) => Number.isInteger(id) && Math.abs(id) <= MAX_ID);
  return valid.length === 0 ? 'false' : `${column} IN (${valid.join(', ')})`;
}
