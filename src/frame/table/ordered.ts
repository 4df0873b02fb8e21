import { DataType } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { type Cell, cellText } from './cells.js';
import { type AnyColumn, isTextType } from './columns.js';
import { readAs } from './row-reader.js';

/** Kinds of values that can be compared: numbers and durations, dates in UTC milliseconds, texts; `none` has no order. */
type OrderKind = 'number' | 'date' | 'text' | 'none';

/** A value to compare; null where a row has none. */
export type OrderedValue = number | bigint | string | null;

/** The values of a column as they are compared. */
export interface OrderedColumn {
  readonly kind: OrderKind;
  readonly at: (row: number) => OrderedValue;
}

/**
 * A column of any type for comparison. Times below the millisecond, times of a day and booleans are texts, which have the
 * same order. Bytes, intervals and nested columns have none; their values are texts that tell them apart.
 */
export function orderedColumn(column: AnyColumn): OrderedColumn {
  if (column.type === 'other' && DataType.isDuration(column.values.type))
    return { kind: 'number', at: (row) => (isValid(column.valid, row) ? column.values.get(row) : null) };
  const [kind, other] =
    column.type === 'other' ? orderOf(column.values.type) : [KINDS[column.type], cellText];
  const text = (value: string) => value;
  return { kind, at: readAs<OrderedValue>(column, { none: null, time: Number, number: known, text, other }) };
}

const KINDS = {
  timestamp: 'date',
  float64: 'number',
  int32: 'number',
  dictionary: 'text',
  utf8: 'text',
} as const;

/** The kind of values of an Arrow type, and the value of a cell. */
function orderOf(type: DataType): readonly [OrderKind, (cell: Cell) => OrderedValue] {
  const of = DataType.isDictionary(type) ? type.dictionary : type;
  if (DataType.isInt(of)) return ['number', (cell) => cell as number | bigint];
  if (DataType.isFloat(of) || DataType.isDecimal(of)) return ['number', (cell) => known(Number(cell))];
  if (DataType.isDate(of)) return ['date', (cell) => Date.parse(String(cell))];
  const isText = DataType.isTimestamp(of) || DataType.isTime(of) || DataType.isBool(of) || isTextType(of);
  return [isText ? 'text' : 'none', cellText];
}

function known(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** The order of two values of one kind, ascending, nulls last. Texts are in the order of their code points. */
export function compareValues(a: OrderedValue, b: OrderedValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : a > b ? 1 : 0;
}
