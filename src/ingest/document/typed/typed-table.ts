import { basename } from 'node:path';
import { IngestError } from '../../../model/errors.js';
import type { TextRecord } from '../../reading/delimited.js';

/** A sheet or Parquet file as rows of strings. Line numbers count rows. */
export interface TypedTable {
  /** The name of the sheet. */
  readonly name: string;
  /** The names of the columns of a Parquet file. The header of a sheet is among its rows. */
  readonly columns?: readonly string[] | undefined;
  /** Streams the rows from the first one. @throws IngestError that names the file if it is damaged or too large */
  readonly rows: (options: TypedTableOptions) => AsyncGenerator<TextRecord>;
  /** Writes the rows of a Parquet file to `folder` as a delimited file without a header, and returns its path. */
  readonly write?: ((folder: string, options: TypedTableOptions) => Promise<string>) | undefined;
}

export interface TypedTableOptions {
  /** The decimal separator of numbers that are converted to text. */
  readonly decimal: '.' | ',';
  /** Decides which columns of a Parquet file are read. The cells of other columns are read as empty. */
  readonly wantsColumn: (name: string) => boolean;
  /** The maximum number of rows to read from a Parquet file (default: all rows). */
  readonly rows?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const ALL_COLUMNS: TypedTableOptions = { decimal: '.', wantsColumn: () => true };

export function typedFileError(file: string, what: string, cause?: unknown): IngestError {
  const name = basename(file);
  return new IngestError('table', `${name} ${what}`, { file: name, cause });
}
