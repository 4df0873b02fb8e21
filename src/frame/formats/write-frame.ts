import type { Table } from 'apache-arrow';
import { checkSignal, checkText, needed } from '../../model/arguments/checks.js';
import { checkOptions } from '../../model/arguments/option-keys.js';
import type { FrameStream } from '../build/long-stream.js';
import { checkTable } from '../table/check-table.js';
import { toArrowFile, toArrowStream } from './arrow.js';
import { csvPieces, writeCsv } from './csv.js';
import { CSV_KEYS, type CsvOptions, type FrameFormat, frameFormatOf } from './frame-formats.js';
import { jsonPieces, writeJson } from './json.js';
import { toParquet } from './parquet.js';
import type { ParquetOptions } from './parquet-options.js';
import { writeArrow } from './write-arrow.js';
import { writeWhole } from './write-file.js';
import { writeParquet } from './write-parquet.js';

/**
 * Writes a frame to a file in the format of its ending: `.parquet` or `.pq`, `.arrow` or `.feather` (Arrow file),
 * `.arrows` (Arrow stream), `.csv`, `.json`. The file appears only when it is complete.
 * @param options a signal, or a signal and how CSV is written
 * @throws ArgumentError for another ending or a path that cannot be written; the signal's reason when aborted
 */
export async function writeFrame(
  table: Table,
  path: string,
  options: AbortSignal | WriteFrameOptions = {},
): Promise<void> {
  checkTable(table, 'table');
  needed(checkText)(path, 'path');
  const { signal, safe }: WriteFrameOptions =
    options instanceof AbortSignal ? { signal: options } : checkedOptions(options);
  await writeWhole(path, await framePieces(table, frameFormatOf(path), { safe }), { signal });
}

/** How a frame is written to a file. `safe` applies to CSV. */
export interface WriteFrameOptions extends CsvOptions {
  /** Aborting it ends the writing; what was written is removed. */
  signal?: AbortSignal | undefined;
}

function checkedOptions(options: WriteFrameOptions): WriteFrameOptions {
  checkOptions(options, { ...CSV_KEYS, signal: checkSignal }, 'writeFrame');
  return options;
}

/** The content of a frame's file in pieces. */
export async function framePieces(
  table: Table,
  format: FrameFormat,
  options: CsvOptions = {},
): Promise<Iterable<string | Uint8Array>> {
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
  }
}

/** The content of a file in pieces, for a frame that arrives batch by batch; memory is bounded by the batch. */
export function streamPieces(
  stream: FrameStream,
  format: FrameFormat,
  { safe, ...parquet }: ParquetOptions & CsvOptions = {},
): AsyncIterable<string | Uint8Array> {
  switch (format) {
    case 'csv':
      return writeCsv(stream, { safe });
    case 'json':
      return writeJson(stream);
    case 'parquet':
      return writeParquet(stream, parquet);
    case 'arrow':
      return writeArrow(stream, { format: 'file' });
    case 'arrow-stream':
      return writeArrow(stream, { format: 'stream' });
  }
}
