import type { Table } from 'apache-arrow';
import { toArrowFile } from './arrow.js';
import { csvParts } from './csv.js';
import { type FrameFormat, frameFormatOf } from './frame-formats.js';
import { toParquet } from './parquet.js';
import { toRows } from './rows.js';
import { writeWhole } from './write-file.js';

/**
 * Writes a frame to a file, as its ending says: `.parquet` (or `.pq`), `.arrow` (or `.feather`), `.csv`, `.json`. The file is
 * there only when it is whole.
 * @throws ArgumentError for another ending; the errors of the disk
 */
export async function writeFrame(table: Table, path: string, signal?: AbortSignal): Promise<void> {
  await writeWhole(path, await framePieces(table, frameFormatOf(path)), signal);
}

/** A file's content, in the order in which it is to be written. */
export async function framePieces(table: Table, format: FrameFormat): Promise<Iterable<string | Uint8Array>> {
  switch (format) {
    case 'csv':
      return csvParts(table);
    case 'json':
      return jsonParts(table);
    case 'parquet':
      return [await toParquet(table)];
    case 'arrow':
      return [toArrowFile(table)];
  }
}

const ROWS_AT_ONCE = 8192;

function* jsonParts(table: Table): Generator<string> {
  yield '[';
  for (let from = 0; from < table.numRows; from += ROWS_AT_ONCE) {
    const rows = toRows(table.slice(from, Math.min(table.numRows, from + ROWS_AT_ONCE)));
    const lines = rows.map((row) => `\n${JSON.stringify(row)}`).join(',');
    yield from === 0 ? lines : `,${lines}`;
  }
  yield '\n]\n';
}
