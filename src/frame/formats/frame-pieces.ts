import type { Table } from 'apache-arrow';
import type { FrameStream } from '../build/long-stream.js';
import { toArrowFile, toArrowStream } from './arrow.js';
import { csvPieces, writeCsv } from './csv.js';
import type { CsvOptions, FrameFormat, ParquetOptions } from './frame-formats.js';
import { jsonPieces, writeJson } from './json.js';
import { toParquet } from './parquet/parquet.js';
import { writeParquet } from './parquet/write-parquet.js';
import { writeArrow } from './write-arrow.js';

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
  { safe, date_only, ...parquet }: ParquetOptions & CsvOptions = {},
): AsyncIterable<string | Uint8Array> {
  switch (format) {
    case 'csv':
      return writeCsv(stream, { safe, date_only });
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
