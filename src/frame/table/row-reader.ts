import { DataType } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { type Cell, cellReader, timeText } from './cells.js';
import { type AnyColumn, type ColumnOf, valueType } from './columns.js';

/** Returns a function that reads the values of a column exactly: dates as strings in ISO 8601, UTC with milliseconds. */
export function cellOf(column: AnyColumn): (row: number) => Cell {
  const same = <Value extends Cell>(value: Value): Cell => value;
  return readAs(column, { none: null, time: timeText, number: same, text: same, other: same });
}

/** Decimal digits that every double preserves. */
const DOUBLE_DIGITS = 15;

/**
 * Converts a decimal exactly: to a number if that keeps its digits, else to a bigint, or with a fraction to a string
 * without trailing zeros.
 */
export function decimalValue(text: string): number | bigint | string {
  const [, integer, fraction] = /^(-?\d+)(?:\.(\d*?)0*)?$/.exec(text)!;
  if (`${integer}${fraction ?? ''}`.replace(/^-?0*/, '').length <= DOUBLE_DIGITS) return Number(text);
  return fraction ? `${integer}.${fraction}` : BigInt(integer!);
}

/**
 * Returns a function that reads values of a column for computing. Decimals become numbers, because strings would be
 * concatenated, or sorted as strings.
 */
export function computableOf(column: AnyColumn): (row: number) => Cell {
  const cell = cellOf(column);
  if (column.type !== 'other' || !DataType.isDecimal(valueType(column.values.type))) return cell;
  return (row) => {
    const text = cell(row);
    const value = text === null ? null : decimalValue(String(text));
    return typeof value === 'string' ? Number(value) : value;
  };
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

/**
 * Returns a function that reads the value of each row of a column in a given form. Equal times in a row, and equal
 * texts of a dictionary, are formed once.
 */
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
