import { basename } from 'node:path';
import { IngestError } from '../../../model/errors.js';
import type { TextRecord } from '../../reading/delimited.js';

/** A sheet or Parquet file as rows of strings. Line numbers count rows. */
export interface TypedTable {
  /** The sheet's name, or "" for a Parquet file. */
  readonly name: string;
  /** The column names of a Parquet file. The header of a sheet is one of its rows. */
  readonly columns?: readonly string[] | undefined;
  /** Streams the rows in order. @throws IngestError that names the file if the file is damaged or too large */
  readonly rows: (options: TypedTableOptions) => AsyncGenerator<TextRecord>;
  /** Writes a Parquet file's rows to a new delimited file in `folder`, without a header, and returns its path. */
  readonly write?: ((folder: string, options: TypedTableOptions) => Promise<string>) | undefined;
}

export interface TypedTableOptions {
  /** The decimal separator to use in numbers that are converted to text. */
  readonly decimal: '.' | ',';
  /** Decides which columns of a Parquet file are read. Cells in other columns are read as empty. */
  readonly wantsColumn: (column: number) => boolean;
  /** The maximum number of rows to read from a Parquet file (default: all rows). */
  readonly rows?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const ALL_COLUMNS: TypedTableOptions = { decimal: '.', wantsColumn: () => true };

export function typedFileError(file: string, what: string, cause?: unknown): IngestError {
  const name = basename(file);
  return new IngestError('table', `${name} ${what}`, { file: name, cause });
}
