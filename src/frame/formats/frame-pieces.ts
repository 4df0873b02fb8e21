import type { Table } from 'apache-arrow';
import { cellJson } from '../table/cells.js';
import { readColumns, refuseRepeatedNames } from '../table/columns.js';
import type { FrameStream } from '../table/frame-types.js';
import { cellOf } from '../table/row-reader.js';
import { writeArrow } from './arrow.js';
import { csvPieces, framesOf } from './csv.js';
import type { CsvOptions, FrameFormat, ParquetOptions } from './frame-formats.js';
import { writeParquet } from './parquet/write-parquet.js';

/**
 * Yields the content of a file in pieces for a frame that arrives batch by batch. Memory is bounded by the largest
 * batch.
 */
export function streamPieces(
  stream: FrameStream,
  format: FrameFormat,
  { safe, date_only, ...parquet }: ParquetOptions & CsvOptions = {},
): AsyncIterable<string | Uint8Array> {
  switch (format) {
    case 'csv':
      return csvPieces(stream, { safe, date_only });
    case 'json':
      return jsonPieces(stream);
    case 'parquet':
      return writeParquet(stream, parquet);
    case 'arrow':
      return writeArrow(stream, { format: 'file' });
    case 'arrow-stream':
      return writeArrow(stream, { format: 'stream' });
  }
}

const ROWS_PER_PIECE = 8_192;

/**
 * Yields a frame as JSON in pieces of some thousand rows: an array of objects, one row per line. Dates are ISO 8601
 * strings in UTC.
 */
export async function* jsonPieces(frame: Table | FrameStream): AsyncGenerator<string> {
  yield '[';
  let separator = '';
  for await (const part of framesOf(frame)) {
    for (const lines of jsonLines(part)) {
      yield separator + lines;
      separator = ',';
    }
  }
  yield '\n]\n';
}

function* jsonLines(table: Table): Generator<string> {
  refuseRepeatedNames(table);
  const fields = readColumns(table).map(
    ({ field, column }) => [JSON.stringify(field.name), cellOf(column)] as const,
  );
  for (let from = 0; from < table.numRows; from += ROWS_PER_PIECE) {
    const rows: string[] = [];
    for (let row = from; row < Math.min(table.numRows, from + ROWS_PER_PIECE); row++)
      rows.push(`\n{${fields.map(([name, cell]) => `${name}:${cellJson(cell(row))}`).join(',')}}`);
    yield rows.join(',');
  }
}
