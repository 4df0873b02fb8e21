import { DataType, type Table, type TypeMap } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { badArgument, shownValue } from '../../model/errors.js';
import { nearestWord } from '../../model/names/edit-distance.js';
import { type Cell, cellReader, timeText } from './cells.js';
import {
  type AnyColumn,
  type ColumnOf,
  findColumn,
  readColumns,
  refuseRepeatedNames,
  valueType,
} from './columns.js';
import type { Row, Value } from './row-types.js';

/** Returns a function that reads a row's exact value. Dates become ISO 8601 strings in UTC with milliseconds. */
export function cellOf(column: AnyColumn): (row: number) => Cell {
  const same = <Value extends Cell>(value: Value): Cell => value;
  return readAs(column, { none: null, time: timeText, number: same, text: same, other: same });
}

const DOUBLE_DIGITS = 15;

/** Parses a decimal as a number if a double keeps all digits; otherwise as a bigint, or as a string if fractional. */
export function decimalValue(text: string): number | bigint | string {
  const [, integer, fraction] = /^(-?\d+)(?:\.(\d*?)0*)?$/.exec(text)!;
  if (`${integer}${fraction ?? ''}`.replace(/^-?0*/, '').length <= DOUBLE_DIGITS) return Number(text);
  return fraction ? `${integer}.${fraction}` : BigInt(integer!);
}

// Decimals are converted, because cells contain them as strings, which `+` would concatenate.
export function computableOf(column: AnyColumn): (row: number) => Cell {
  const cell = cellOf(column);
  if (column.type !== 'other' || !DataType.isDecimal(valueType(column.values.type))) return cell;
  return (row) => {
    const text = cell(row);
    const value = text === null ? null : decimalValue(String(text));
    return typeof value === 'string' ? Number(value) : value;
  };
}

export interface CellForm<Written> {
  readonly none: Written;
  /** Converts a time in UTC milliseconds. */
  readonly time: (ms: bigint) => Written;
  readonly number: (value: number) => Written;
  readonly text: (text: string) => Written;
  readonly other: (cell: Exclude<Cell, null>) => Written;
}

/** Returns a function that reads a row's value in the given form. Each dictionary category is converted only once. */
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

/** A view of one row or group at a time. A column is read when its property is first accessed. */
export interface RowView {
  /** An object with the values of the current row or group. The same object is reused for every row or group. */
  readonly row: object;
  readonly moveTo: (row: number) => void;
}

interface RowViewOptions {
  readonly argument: string;
  /** Additional property names, each with the column that it refers to. */
  readonly aliases?: Iterable<readonly [alias: string, column: string]> | undefined;
  readonly endsAtNull?: boolean | undefined;
  /** If set, the properties of `row` are arrays of a group's values. `rows` and `starts` are as in `Arrangement`. */
  readonly groups?: { readonly rows: Int32Array; readonly starts: Int32Array } | undefined;
  readonly onRead?: ((name: string, column: string) => void) | undefined;
}

/** The value that is thrown to stop a caller's function when it reads a null. */
export const READ_NULL = Symbol('a null');

export function viewRows(table: Table, options: RowViewOptions): RowView {
  refuseRepeatedNames(table);
  const { argument, aliases = [], endsAtNull = false, groups, onRead } = options;
  let at = 0;
  // The prototype rejects access to properties that are not columns.
  const unknown = new Proxy({}, { get: (_, name) => refuseUnknown(name, Object.keys(row), argument) });
  const row: object = Object.create(unknown);
  const names = table.schema.fields.map(({ name }) => [name, name] as const);
  for (const [name, column] of [...names, ...aliases]) {
    let read: ((row: number) => Value | null) | undefined;
    const get = () => {
      if (read === undefined) {
        read = valueReader(findColumn(table, column, argument), column);
        onRead?.(name, column);
      }
      if (groups !== undefined)
        return Array.from(groups.rows.subarray(groups.starts[at], groups.starts[at + 1]), read);
      const value = read(at);
      if (value === null && endsAtNull) throw READ_NULL;
      return value;
    };
    Object.defineProperty(row, name, { enumerable: true, configurable: true, get });
  }
  return {
    row,
    moveTo(row) {
      at = row;
    },
  };
}

function refuseUnknown(name: string | symbol, names: readonly string[], argument: string): undefined {
  if (typeof name === 'symbol' || name === 'toJSON') return undefined;
  const nearest = nearestWord(name, names);
  const remedy = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  throw badArgument(argument, `there is no column ${shownValue(name)}${remedy}`);
}

/** Returns a function that reads a row's value. Dates become `Date` objects, and decimals become numbers or bigints. */
export function valueReader(column: AnyColumn, name: string): (row: number) => Value | null {
  if (column.type === 'other' && DataType.isDate(valueType(column.values.type))) {
    const day = cellOf(column);
    return (row) => (day(row) === null ? null : new Date(String(day(row))));
  }
  if (column.type !== 'timestamp') return computableOf(column);
  const { values, valid } = column;
  return (row) => {
    if (!isValid(valid, row)) return null;
    const date = new Date(Number(values[row]));
    if (!Number.isNaN(date.getTime())) return date;
    throw badArgument(
      'table',
      `row ${row + 1} of "${name}" has a time outside the range of Date; filter out that row`,
    );
  };
}

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
