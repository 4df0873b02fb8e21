import type { Table } from 'apache-arrow';
import { type AnyColumn, readColumns } from '../table/columns.js';
import { type FrameRow, rowReader } from '../table/row-reader.js';

/** The rows of a table as objects; meant for small tables. @throws ArgumentError when two columns have one name */
export function toRows(table: Table): FrameRow[] {
  const read = rowReader(table);
  return Array.from({ length: table.numRows }, (_, row) => read(row));
}

/** The columns of a frame by name, as typed arrays; a table of one batch is not copied. */
export function toColumns(table: Table): Record<string, AnyColumn> {
  return Object.fromEntries(readColumns(table).map(({ field, column }) => [field.name, column]));
}
