import type { Table } from 'apache-arrow';
import type { CsvOptions, FileFormat } from './frame-formats.js';
import { framePieces } from './frame-pieces.js';

/** The content of a frame's file in pieces, in Node: also a workbook, whose library is loaded when it is needed. */
export async function filePieces(
  table: Table,
  format: FileFormat,
  options: CsvOptions = {},
): Promise<Iterable<string | Uint8Array>> {
  if (format !== 'xlsx') return framePieces(table, format, options);
  const { toXlsx } = await import('./xlsx.js');
  return [await toXlsx(table)];
}
