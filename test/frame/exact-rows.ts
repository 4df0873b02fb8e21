import type { Table } from 'apache-arrow';
import type { Cell } from '../../src/frame/table/cells.js';
import { readColumns } from '../../src/frame/table/columns.js';
import { cellOf } from '../../src/frame/table/row-reader.js';

/** Returns the rows of a table with each value exactly: dates of any year as ISO 8601, decimals with all digits. */
export function exactRows(table: Table): Record<string, Cell>[] {
  const cells = readColumns(table).map(({ field, column }) => [field.name, cellOf(column)] as const);
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(cells.map(([name, cell]) => [name, cell(row)])),
  );
}
