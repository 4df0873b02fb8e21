import type { Table } from 'apache-arrow';
import { check, checkOptions } from '../../model/schema/check.js';
import { SIGNAL, TEXT } from '../../model/schema/schemas.js';
import { toArrowFile, toArrowStream } from './arrow.js';
import { csvPieces } from './csv.js';
import {
  CSV_KEYS,
  type CsvOptions,
  type FileFormat,
  fileFormatOf,
  type WriteFrameOptions,
} from './frame-formats.js';
import { jsonPieces } from './frame-pieces.js';
import { toParquet } from './parquet/write-parquet.js';
import { writeWhole } from './write-file.js';

/** Writes a frame to a file in the format of its extension (see `Frame.write`). */
export async function writeFrame(
  table: Table,
  path: string,
  options: AbortSignal | WriteFrameOptions = {},
): Promise<void> {
  check(TEXT, path, 'path');
  const { signal, ...csv }: WriteFrameOptions =
    options instanceof AbortSignal ? { signal: options } : checkedOptions(options);
  await writeWhole(path, await filePieces(table, fileFormatOf(path), csv), { signal });
}

function checkedOptions(options: WriteFrameOptions): WriteFrameOptions {
  checkOptions(options, { ...CSV_KEYS, signal: SIGNAL }, 'writeFrame');
  return options;
}

/** Yields the content of a frame's file in pieces. The library for Excel workbooks is loaded on demand. */
export async function filePieces(
  table: Table,
  format: FileFormat,
  options: CsvOptions = {},
): Promise<AsyncIterable<string | Uint8Array> | readonly Uint8Array[]> {
  switch (format) {
    case 'csv':
      return csvPieces(table, options);
    case 'json':
      return jsonPieces(table);
    case 'parquet':
      return [await toParquet(table)];
    case 'arrow':
      return [toArrowFile(table)];
    case 'arrow-stream':
      return [toArrowStream(table)];
    case 'xlsx':
      return [await (await import('./xlsx.js')).toXlsx(table)];
  }
}
