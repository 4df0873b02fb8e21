import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { type Cell, cellReader, timeText } from './cells.js';
import { type AnyColumn, type ColumnOf, readColumns, refuseRepeatedNames } from './columns.js';

/** A row of a table by column: dates are ISO 8601 UTC with milliseconds and Z; null stays null. */
export type FrameRow = Record<string, Cell>;

/** Reads single rows of a table as objects. @throws ArgumentError when two columns have one name */
export function rowReader(table: Table): (row: number) => FrameRow {
  const columns = readColumns(table).map(({ field, column }) => [field.name, cellOf(column)] as const);
  refuseRepeatedNames(table);
  return (row) => Object.fromEntries(columns.map(([name, cell]) => [name, cell(row)]));
}

/** The value of each row of a column, as in a row. */
export function cellOf(column: AnyColumn): (row: number) => Cell {
  const same = <Value extends Cell>(value: Value): Cell => value;
  return readAs(column, { none: null, time: timeText, number: same, text: same, other: same });
}

/** How the values of a column are written, for a reader of its own. */
export interface CellForm<Written> {
  readonly none: Written;
  /** A time in UTC milliseconds. */
  readonly time: (ms: bigint) => Written;
  readonly number: (value: number) => Written;
  readonly text: (text: string) => Written;
  /** A value of any other type. */
  readonly other: (cell: Exclude<Cell, null>) => Written;
}

/** The value of each row of a column in a form. Equal times in a row, and equal texts of a dictionary, are formed once. */
export function readAs<Written>(column: AnyColumn, form: CellForm<Written>): (row: number) => Written {
  const { valid } = column;
  const read = presentAs(column, form);
  return valid === null ? read : (row) => (isValid(valid, row) ? read(row) : form.none);
}

function presentAs<Written>(
  column: AnyColumn,
  { none, time, number, text, other }: CellForm<Written>,
): (row: number) => Written {
  switch (column.type) {
    case 'timestamp':
      return timesAs(column, time);
    case 'dictionary': {
      const written: Written[] = [];
      return (row) => {
        const code = column.values[row]!;
        written[code] ??= text(column.categories[code]!);
        return written[code];
      };
    }
    case 'utf8':
      return (row) => {
        const value = column.values[row] ?? null;
        return value === null ? none : text(value);
      };
    case 'other': {
      const cellAt = cellReader(column.values);
      return (row) => {
        const cell = cellAt(row);
        return cell === null ? none : other(cell);
      };
    }
    default:
      return (row) => number(column.values[row]!);
  }
}

function timesAs<Written>(
  { values }: ColumnOf<'timestamp'>,
  time: (ms: bigint) => Written,
): (row: number) => Written {
  let last: { readonly ms: bigint; readonly written: Written } | undefined;
  return (row) => {
    const ms = values[row]!;
    if (last?.ms !== ms) last = { ms, written: time(ms) };
    return last.written;
  };
}
