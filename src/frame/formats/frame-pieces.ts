import type { Table } from 'apache-arrow';
import { cellJson } from '../table/cells.js';
import { readColumns, refuseRepeatedNames } from '../table/columns.js';
import type { FrameStream } from '../table/frame-types.js';
import { cellOf } from '../table/row-reader.js';
import { toArrowFile, toArrowStream, writeArrow } from './arrow.js';
import { csvPieces, framesOf, isWhole, rowPieces } from './csv.js';
import type { CsvOptions, FrameFormat, ParquetOptions } from './frame-formats.js';
import { toParquet, writeParquet } from './parquet/write-parquet.js';

/** Yields the contents of a file in pieces. For a stream, the largest batch determines peak memory use. */
export async function* framePieces(
  frame: Table | FrameStream,
  format: FrameFormat,
  { safe, date_only, ...parquet }: ParquetOptions & CsvOptions = {},
): AsyncGenerator<string | Uint8Array> {
  if (format === 'csv') yield* csvPieces(frame, { safe, date_only });
  else if (format === 'json') yield* jsonPieces(frame);
  else if (format === 'parquet') {
    if (isWhole(frame)) yield await toParquet(frame, parquet);
    else yield* writeParquet(frame, parquet);
  } else if (!isWhole(frame)) yield* writeArrow(frame, { format: format === 'arrow' ? 'file' : 'stream' });
  else yield format === 'arrow' ? toArrowFile(frame) : toArrowStream(frame);
}

/** Yields a JSON array of objects, one row per line. Dates are ISO 8601 strings in UTC. */
export async function* jsonPieces(frame: Table | FrameStream): AsyncGenerator<string> {
  yield '[';
  let separator = '';
  for await (const part of framesOf(frame)) {
    refuseRepeatedNames(part);
    const fields = readColumns(part).map(
      ({ field, column }) => [JSON.stringify(field.name), cellOf(column)] as const,
    );
    yield* rowPieces(part, (row) => {
      const cells = fields.map(([name, cell]) => `${name}:${cellJson(cell(row))}`);
      const line = `${separator}\n{${cells.join(',')}}`;
      separator = ',';
      return line;
    });
  }
  yield '\n]\n';
}
