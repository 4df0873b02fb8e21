/** Some rows of a file whose cells have types, as the text of a delimited table. */
export interface TypedRows {
  /** The names of the wanted columns, in the order of the file. */
  readonly header: readonly string[];
  /** The names of all columns. */
  readonly names: readonly string[];
  /** Cells in the order of the header; empty ones are empty strings. */
  readonly rows: readonly (readonly string[])[];
  /** The number of each row in messages; without them, rows are counted from 1. */
  readonly lines?: readonly number[] | undefined;
  /** Number of rows in the file. */
  readonly total: number;
}
