import type { Table } from 'apache-arrow';
import type { FrameStream } from '../build/long-stream.js';
import { cellJson } from '../table/cells.js';
import { readColumns } from '../table/columns.js';
import { createFrame } from '../table/frame-table.js';
import { toRows } from './rows.js';

const ROWS_PER_PIECE = 8_192;

/** A frame as JSON in pieces of some thousand rows: the array of `toRows`, one row per line. */
export function* jsonPieces(table: Table): Generator<string> {
  yield '[';
  let separator = '';
  for (const lines of jsonLines(table)) {
    yield separator + lines;
    separator = ',';
  }
  yield '\n]\n';
}

/** The same JSON of a frame that arrives batch by batch. */
export async function* writeJson({ schema, batches }: FrameStream): AsyncGenerator<string> {
  yield '[';
  let separator = '';
  for await (const batch of batches) {
    for (const lines of jsonLines(createFrame(schema, [batch]))) {
      yield separator + lines;
      separator = ',';
    }
  }
  yield '\n]\n';
}

function* jsonLines(table: Table): Generator<string> {
  const isPlain = readColumns(table).every(({ column }) => column.type !== 'other');
  const jsonOf = isPlain ? JSON.stringify : cellJson;
  for (let from = 0; from < table.numRows; from += ROWS_PER_PIECE) {
    const rows = toRows(table.slice(from, Math.min(table.numRows, from + ROWS_PER_PIECE)));
    yield rows.map((row) => `\n${jsonOf(row)}`).join(',');
  }
}
