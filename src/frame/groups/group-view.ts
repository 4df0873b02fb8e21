import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import type { Cell } from '../table/cells.js';
import { type AnyColumn, findColumn } from '../table/columns.js';
import { computableOf } from '../table/row-reader.js';
import type { Arrangement } from './group-rows.js';

/** An object that shows one group of rows after another: the values of each column, nulls included. */
interface GroupView {
  /** The same object for every group. */
  readonly group: Readonly<Record<string, readonly (Cell | Date)[]>>;
  /** Moves the object to a group. */
  readonly moveTo: (group: number) => void;
}

/** Returns a view of groups of rows, for a function of the group. A column is read when the function asks for it. */
export function viewGroups(table: Table, { rows, starts }: Arrangement): GroupView {
  const group = Object.create(null) as GroupView['group'];
  let at = 0;
  for (const { name } of table.schema.fields) {
    let valueAt: ((row: number) => Cell | Date) | undefined;
    const get = () => {
      valueAt ??= valueReader(findColumn(table, name, 'group'));
      return Array.from(rows.subarray(starts[at], starts[at + 1]), valueAt);
    };
    Object.defineProperty(group, name, { enumerable: true, get });
  }
  return {
    group,
    moveTo(group) {
      at = group;
    },
  };
}

function valueReader(column: AnyColumn): (row: number) => Cell | Date {
  if (column.type !== 'timestamp') return computableOf(column);
  const { values, valid } = column;
  return (row) => (isValid(valid, row) ? new Date(Number(values[row])) : null);
}
