import type { ReadOptions } from '../store.js';

export type Row = Record<string, unknown>;

export interface QueryParts {
  /** Returns the SQL that follows `FROM`: a table, restricted to rows that the reader sees and that match `where`. */
  from(table: string, where?: string): string;
  ids(column: string, ids: readonly number[]): string;
  /** Returns the SQL that converts a column to floats: dates to UTC milliseconds, and null to NaN. */
  number(column: string): string;
  /** An SQL expression for a row of the table `series`: 1.0 if any period may have several vintages, otherwise 0.0. */
  readonly isRevised: string;
  /** Returns an SQL expression for the sum of the rows' hashes, as a string. */
  hash(columns: string): string;
}

/** A batch of rows as columns. Arrays of numbers are valid only until the next batch is read. */
export interface NumberColumns<Column = Int32Array | Float64Array> {
  readonly length: number;
  readonly columns: readonly Column[];
}

/** A store's tables, except the tables of points, as a reader sees them. */
export interface EngineTables extends QueryParts {
  /** Identifies the tables' content: the same object until the content changes; null while an import is changing it. */
  readonly snapshot: object | null;
  rows(sql: string, options?: ReadOptions): Promise<Row[]>;
  /** Runs a query whose columns are integers and floats, and yields its rows in batches. */
  numbers(sql: string, options?: ReadOptions): AsyncIterable<NumberColumns>;
}

export type OpenTables = (options?: ReadOptions) => Promise<EngineTables>;

const MAX_ID = 2 ** 31 - 1;

/** Returns the SQL condition that a column contains one of the given ids. It works in every engine. */
export function idCondition(column: string, ids: readonly number[]): string {
  const valid = ids.filter((id) => Number.isInteger(id) && Math.abs(id) <= MAX_ID);
  return valid.length === 0 ? 'false' : `${column} IN (${valid.join(', ')})`;
}
