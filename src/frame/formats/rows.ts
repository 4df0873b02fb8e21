import type { Table, TypeMap } from 'apache-arrow';
import { type AnyColumn, readColumns, refuseRepeatedNames } from '../table/columns.js';
import { valueReader } from '../table/row-reader.js';
import type { Row } from '../table/row-types.js';

export function toRows<Columns extends TypeMap>(table: Table<Columns>): Row<Columns>[] {
  refuseRepeatedNames(table);
  const columns = readColumns(table).map(
    ({ field: { name }, column }) => [name, valueReader(column, name)] as const,
  );
  const read = (row: number) => Object.fromEntries(columns.map(([name, value]) => [name, value(row)]));
  return Array.from({ length: table.numRows }, (_, row) => read(row) as Row<Columns>);
}

export function toColumns(table: Table): Record<string, AnyColumn> {
  return Object.fromEntries(readColumns(table).map(({ field, column }) => [field.name, column]));
}
