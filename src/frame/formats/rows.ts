import type { Table } from 'apache-arrow';
import { type AnyColumn, readColumns, refuseRepeatedNames } from '../table/columns.js';
import { cellOf, type FrameRow } from '../table/row-reader.js';

export function toRows(table: Table): FrameRow[] {
  const columns = readColumns(table).map(({ field, column }) => [field.name, cellOf(column)] as const);
  refuseRepeatedNames(table);
  const read = (row: number) => Object.fromEntries(columns.map(([name, cell]) => [name, cell(row)]));
  return Array.from({ length: table.numRows }, (_, row) => read(row));
}

export function toColumns(table: Table): Record<string, AnyColumn> {
  return Object.fromEntries(readColumns(table).map(({ field, column }) => [field.name, column]));
}
