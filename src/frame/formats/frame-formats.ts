import * as v from 'valibot';
import { badArgument } from '../../model/errors.js';
import type { OptionsOf } from '../../model/schema/check.js';
import { integer, oneOf } from '../../model/schema/schemas.js';

/** The formats in which a frame can be written. `json` is a single array with one object per row. */
export const FRAME_FORMATS = ['csv', 'json', 'parquet', 'arrow', 'arrow-stream'] as const;
/** A format in which a frame can be written. */
export type FrameFormat = (typeof FRAME_FORMATS)[number];

/** The file formats: all frame formats, and Excel workbooks, which cannot be written batch by batch. */
export const FILE_FORMATS = [...FRAME_FORMATS, 'xlsx'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const FORMAT_OF_ENDING: Readonly<Record<string, FileFormat>> = {
  '.parquet': 'parquet',
  '.pq': 'parquet',
  '.arrow': 'arrow',
  '.arrows': 'arrow-stream',
  '.feather': 'arrow',
  '.csv': 'csv',
  '.json': 'json',
  '.xlsx': 'xlsx',
};

/** Returns the format for a path's file extension, or `undefined` if the extension is unknown. */
export function knownFormatOf(path: string): FileFormat | undefined {
  return FORMAT_OF_ENDING[/\.\w+$/.exec(path)?.[0].toLowerCase() ?? ''];
}

export function fileFormatOf(path: string, argument = 'path'): FileFormat {
  const format = knownFormatOf(path);
  if (format !== undefined) return format;
  const known = Object.keys(FORMAT_OF_ENDING).join(', ');
  throw badArgument(argument, `"${path}" has no known file extension; the known extensions are ${known}`);
}

export const CSV_KEYS = {
  /**
   * Whether to write an apostrophe at the start of cells that begin with `=`, `+`, `-`, `@` or one of their full-width
   * forms, even after spaces and quotes. Spreadsheets interpret such cells as formulas, which can send data to third
   * parties. A cell may start at the beginning of a string or after a comma, semicolon, colon, vertical bar, tab or
   * line break. Column names are escaped, too, but numbers are not. Off by default, because it changes strings.
   */
  safe: v.boolean(),
  /** Whether to write times at midnight UTC as `YYYY-MM-DD`. Other times are written in full. Off by default. */
  date_only: v.boolean(),
};

/** Options for writing CSV. */
export interface CsvOptions extends OptionsOf<typeof CSV_KEYS> {}

/** Options for writing a frame to a file. `safe` and `date_only` apply only to CSV. */
export interface WriteFrameOptions extends CsvOptions {
  /** An abort signal that stops writing and removes the incomplete file. */
  signal?: AbortSignal | undefined;
}

/** The common delimiters of CSV files, most common first. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;

export const PARQUET_KEYS = {
  /** The compression codec (default `'zstd'`). */
  compression: oneOf(['zstd', 'snappy', 'none']),
  /** The maximum number of rows in a row group (default 131,072). */
  row_group_rows: integer({ min: 1, max: 2 ** 31 - 1 }),
};

/** Options for writing a Parquet file. */
export interface ParquetOptions extends OptionsOf<typeof PARQUET_KEYS> {}
