import * as v from 'valibot';
import { badArgument } from '../../model/errors.js';
import type { OptionKeys } from '../../model/schema/check.js';
import { integer, oneOf } from '../../model/schema/schemas.js';

/** The formats that a frame is written in. `json` is one array with an object for each row. */
export const FRAME_FORMATS = ['csv', 'json', 'parquet', 'arrow', 'arrow-stream'] as const;
/** A format that a frame is written in. */
export type FrameFormat = (typeof FRAME_FORMATS)[number];

/** The formats of files: those, and an Excel workbook, which is not written as a frame arrives. */
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

/** Returns the format of a file by its extension, or undefined if the extension is unknown. */
export function knownFormatOf(path: string): FileFormat | undefined {
  return FORMAT_OF_ENDING[/\.\w+$/.exec(path)?.[0].toLowerCase() ?? ''];
}

/**
 * Returns the format of a file by its extension, which is case-insensitive.
 * @throws ArgumentError for `argument` when the extension is unknown; the message lists the known extensions
 */
export function fileFormatOf(path: string, argument = 'path'): FileFormat {
  const format = knownFormatOf(path);
  if (format !== undefined) return format;
  const known = Object.keys(FORMAT_OF_ENDING).join(', ');
  throw badArgument(argument, `"${path}" has no known file extension; the known extensions are ${known}`);
}

/** How CSV is written. */
export interface CsvOptions {
  /**
   * Puts an apostrophe before `=`, `+`, `-`, `@` and their full-width forms in names and other strings, but not in
   * numbers, wherever a cell may begin. That is at the start, or after a comma, semicolon, colon, bar, tab or line end,
   * even if spaces and quotes follow. Spreadsheets take such cells for formulas, which can send data away. Off by
   * default, because it changes the strings.
   */
  safe?: boolean | undefined;
  /** Writes a date at midnight as `YYYY-MM-DD` alone; a date with a time keeps it. Off by default. */
  date_only?: boolean | undefined;
}

/** How a frame is written to a file. `safe` and `date_only` apply to CSV. */
export interface WriteFrameOptions extends CsvOptions {
  /** Aborting it ends the writing, and removes the file. */
  signal?: AbortSignal | undefined;
}

/** The delimiters of common CSV files, the most common first. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The keys of `CsvOptions`. */
export const CSV_KEYS: OptionKeys<CsvOptions> = { safe: v.boolean(), date_only: v.boolean() };

/** How a Parquet file is written. */
export interface ParquetOptions {
  /** The codec (default `'zstd'`). */
  compression?: 'zstd' | 'snappy' | 'none' | undefined;
  /** Maximum rows of a row group (default 131,072). */
  row_group_rows?: number | undefined;
}

/** The keys of `ParquetOptions`. */
export const PARQUET_KEYS: OptionKeys<ParquetOptions> = {
  compression: oneOf(['zstd', 'snappy', 'none']),
  row_group_rows: integer({ min: 1, max: 2 ** 31 - 1 }),
};
