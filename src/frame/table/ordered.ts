import { DataType } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { type Cell, cellText } from './cells.js';
import { type AnyColumn, isTextType, joinValues, valueType } from './columns.js';
import { decimalValue, readAs } from './row-reader.js';

/** How a column's values are ordered. Durations are ordered as numbers; values of kind `none` have no order. */
type OrderKind = 'number' | 'date' | 'text' | 'none';

export type OrderedValue = number | bigint | string | null;

export interface OrderedColumn {
  readonly kind: OrderKind;
  readonly at: (row: number) => OrderedValue;
}

/**
 * Prepares a column of any type for comparison. Booleans, times of day and sub-millisecond timestamps become strings
 * that sort in the same order. Bytes and nested values become strings that can only be tested for equality.
 * @param isAlone whether values are compared only with other values in the same column. If so, decimals become integers
 * without a decimal point, and timestamps become 64-bit integers.
 */
export function orderedColumn(column: AnyColumn, isAlone = false): OrderedColumn {
  if (column.type === 'other' && isRaw(column.values.type, isAlone)) {
    const raw = joinValues(column.values, BigInt64Array);
    const kind = DataType.isDuration(column.values.type) ? 'number' : 'date';
    return { kind, at: (row) => (isValid(column.valid, row) ? raw[row]! : null) };
  }
  const [kind, other] =
    column.type === 'other' ? orderOf(column.values.type, isAlone) : [KINDS[column.type], cellText];
  const text = (value: string) => value;
  return { kind, at: readAs<OrderedValue>(column, { none: null, time: Number, number: known, text, other }) };
}

// Raw times can be compared only within a column, because other columns may have different units.
function isRaw(type: DataType, isAlone: boolean): boolean {
  return DataType.isDuration(type) || (isAlone && DataType.isTimestamp(type));
}

/** Prepares a column for a chart axis. Timestamps in any unit become whole UTC milliseconds. */
export function axisColumn(column: AnyColumn): OrderedColumn {
  const ordered = orderedColumn(column);
  const type = column.type === 'other' ? column.values.type : null;
  if (type === null || !DataType.isTimestamp(valueType(type))) return ordered;
  const at = (row: number) => {
    const text = ordered.at(row);
    const ms = text === null ? Number.NaN : Date.parse(String(text));
    return Number.isNaN(ms) ? null : ms;
  };
  return { kind: 'date', at };
}

const KINDS = {
  timestamp: 'date',
  float64: 'number',
  int32: 'number',
  dictionary: 'text',
  utf8: 'text',
} as const;

function orderOf(type: DataType, isAlone: boolean): readonly [OrderKind, (cell: Cell) => OrderedValue] {
  const of = valueType(type);
  if (DataType.isInt(of)) return ['number', (cell) => cell as number | bigint];
  if (DataType.isFloat(of)) return ['number', (cell) => known(Number(cell))];
  if (DataType.isDecimal(of))
    return [
      'number',
      (cell) => (isAlone ? BigInt(String(cell).replace('.', '')) : decimalValue(String(cell))),
    ];
  if (DataType.isDate(of)) return ['date', (cell) => Date.parse(String(cell))];
  if (DataType.isTime(of)) return ['text', (cell) => String(cell).replace(/\.0+$|(\.\d*?)0+$/, '$1')];
  const isText = DataType.isTimestamp(of) || DataType.isBool(of) || isTextType(of);
  return [isText ? 'text' : 'none', cellText];
}

function known(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** Compares values in ascending order. Nulls come last, and strings are compared by UTF-16 code units. */
export function compareValues(a: OrderedValue, b: OrderedValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : a > b ? 1 : 0;
}
