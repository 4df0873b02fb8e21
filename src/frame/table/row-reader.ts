import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { ArgumentError } from '../../model/errors.js';
import { type Cell, cellReader, timeText } from './cells.js';
import { type AnyColumn, type FrameColumn, readColumns, repeatedName } from './columns.js';

/** A row of a table by column: dates are ISO 8601 UTC with milliseconds and Z; null stays null. */
export type FrameRow = Record<string, Cell>;

/** Reads single rows of a table as objects. @throws ArgumentError when two columns have one name */
export function rowReader(table: Table): (row: number) => FrameRow {
  const columns = readColumns(table).map(({ field, column }) => [field.name, cellOf(column)] as const);
  const repeated = repeatedName(columns.map(([name]) => name));
  if (repeated !== undefined)
    throw new ArgumentError(
      'table',
      `table: two columns are called "${repeated}", and a row has one value of a name; write one of them with another name`,
    );
  return (row) => Object.fromEntries(columns.map(([name, cell]) => [name, cell(row)]));
}

/** The value of each row of a column, as in a row. */
export function cellOf(column: AnyColumn): (row: number) => Cell {
  if (column.type === 'other') return cellReader(column.values);
  const value = valueReader(column);
  return (row) => (isValid(column.valid, row) ? value(row) : null);
}

function valueReader(column: FrameColumn): (row: number) => string | number | null {
  switch (column.type) {
    case 'timestamp':
      return (row) => timeText(column.values[row]!);
    case 'dictionary':
      return (row) => column.categories[column.values[row]!] ?? null;
    default:
      return (row) => column.values[row] ?? null;
  }
}
