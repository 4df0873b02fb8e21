import type { Table } from 'apache-arrow';
import { checkSignal, checkText, needed } from '../../model/arguments/checks.js';
import type { FrameStream } from '../build/long-stream.js';
import { checkTable } from '../table/check-table.js';
import { toArrowFile, toArrowStream } from './arrow.js';
import { csvPieces, writeCsv } from './csv.js';
import { type FrameFormat, frameFormatOf } from './frame-formats.js';
import { jsonPieces, writeJson } from './json.js';
import { toParquet } from './parquet.js';
import type { ParquetOptions } from './parquet-options.js';
import { writeArrow } from './write-arrow.js';
import { writeWhole } from './write-file.js';
import { writeParquet } from './write-parquet.js';

/**
 * Writes a frame to a file in the format of its ending: `.parquet` or `.pq`, `.arrow` or `.feather` (Arrow file),
 * `.arrows` (Arrow stream), `.csv`, `.json`. The file appears only when it is complete.
 * @throws ArgumentError for another ending or a path that cannot be written; the signal's reason when aborted
 */
export async function writeFrame(table: Table, path: string, signal?: AbortSignal): Promise<void> {
  checkTable(table, 'table');
  needed(checkText)(path, 'path');
  if (signal !== undefined) checkSignal(signal, 'signal');
  await writeWhole(path, await framePieces(table, frameFormatOf(path)), { signal });
}

/** The content of a frame's file in pieces. */
export async function framePieces(table: Table, format: FrameFormat): Promise<Iterable<string | Uint8Array>> {
  switch (format) {
    case 'csv':
      return csvPieces(table);
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
  options: ParquetOptions = {},
): AsyncIterable<string | Uint8Array> {
  switch (format) {
    case 'csv':
      return writeCsv(stream);
    case 'json':
      return writeJson(stream);
    case 'parquet':
      return writeParquet(stream, options);
    case 'arrow':
      return writeArrow(stream, { format: 'file' });
    case 'arrow-stream':
      return writeArrow(stream, { format: 'stream' });
  }
}
