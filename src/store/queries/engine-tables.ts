import type { ReadOptions } from '../store.js';

/** A row by the names of its columns. */
export type Row = Record<string, unknown>;

/** Writes the parts of a query that each engine has its own words for. Each call of `ids` belongs where it is written. */
export interface QueryParts {
  /** A table with the condition that selects some of its rows, of those that the reader sees. */
  from(table: string, where?: string): string;
  /** The condition that a column holds one of these ids. */
  ids(column: string, ids: readonly number[]): string;
  /** A column as a float, dates as UTC milliseconds, with NaN in place of null. */
  number(column: string): string;
  /** The sum of the hashes of rows, as text. */
  hash(columns: string): string;
}

/** Rows by columns, which are valid until the next rows. */
export interface NumberColumns {
  readonly length: number;
  readonly columns: readonly (Int32Array | Float64Array)[];
}

/** The tables of a store that are not points, as a reader sees them. */
export interface EngineTables {
  /** The same object while the content is the same; null while an import changes it. */
  readonly snapshot: object | null;
  /** All rows of a query. */
  rows(write: (parts: QueryParts) => string, options?: ReadOptions): Promise<Row[]>;
  /** The rows of a query of numbers, some at a time: so many columns of integers, and then floats. */
  numbers(
    write: (parts: QueryParts) => string,
    kinds: { readonly integers: number; readonly floats?: number | undefined },
    options?: ReadOptions,
  ): AsyncIterable<NumberColumns>;
}

/** The tables as they are now. */
export type OpenTables = (options?: ReadOptions) => Promise<EngineTables>;
