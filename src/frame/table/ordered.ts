import { DataType } from 'apache-arrow';
import { cellReader, cellText, isNested } from './cells.js';
import { type AnyColumn, isKnown, isTextType } from './columns.js';

/** Kinds of values that can be compared: numbers and durations, dates in UTC milliseconds, texts; `none` has no order. */
export type OrderKind = 'number' | 'date' | 'text' | 'none';

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
  const known = (at: (row: number) => OrderedValue) => (row: number) =>
    isKnown(column, row) ? at(row) : null;
  switch (column.type) {
    case 'timestamp':
      return { kind: 'date', at: known((row) => Number(column.values[row])) };
    case 'float64':
    case 'int32':
      return { kind: 'number', at: known((row) => column.values[row]!) };
    case 'dictionary':
      return { kind: 'text', at: known((row) => column.categories[column.values[row]!]!) };
    case 'utf8':
      return { kind: 'text', at: known((row) => column.values[row]!) };
    case 'other':
      return orderedCells(column);
  }
}

function orderedCells({ values, valid }: Extract<AnyColumn, { type: 'other' }>): OrderedColumn {
  const type = DataType.isDictionary(values.type) ? values.type.dictionary : values.type;
  const cell = cellReader(values);
  const known = (at: (row: number) => OrderedValue) => (row: number) =>
    isKnown({ type: 'other', values, valid }, row) && cell(row) !== null ? at(row) : null;
  const text = known((row) => cellText(cell(row)));
  if (DataType.isInt(type)) return { kind: 'number', at: known((row) => cell(row) as number | bigint) };
  if (DataType.isFloat(type) || DataType.isDecimal(type)) {
    const number = (row: number) => Number(cell(row));
    return { kind: 'number', at: known((row) => (Number.isNaN(number(row)) ? null : number(row))) };
  }
  if (DataType.isDuration(type)) return { kind: 'number', at: known((row) => values.get(row)) };
  if (DataType.isDate(type)) return { kind: 'date', at: known((row) => Date.parse(String(cell(row)))) };
  const isText =
    DataType.isTimestamp(type) || DataType.isTime(type) || DataType.isBool(type) || isTextType(type);
  return { kind: isText && !isNested(type) ? 'text' : 'none', at: text };
}

/** The order of two values of one kind, ascending, nulls last. Texts are in the order of their code points. */
export function compareValues(a: OrderedValue, b: OrderedValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : a > b ? 1 : 0;
}
