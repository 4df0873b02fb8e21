import { DataType, type Table } from 'apache-arrow';
import { nanAtNulls } from '../../columns/bitmap.js';
import { readEpochs } from '../../columns/series-dates.js';
import { badArgument } from '../../model/errors.js';
import { type AnyColumn, findColumn, findVector, joinValues, valueType } from '../table/columns.js';
import { type OrderedValue, orderedColumn } from '../table/ordered.js';
import { computableOf } from '../table/row-reader.js';
import { takeColumn } from '../table/take-rows.js';
import { type ColumnCodes, encodeColumn } from './encode-column.js';

/**
 * Reads the columns of a table for aggregates and caches them. With `rows`, values are in the order of these rows.
 */
export class TableValues {
  readonly table: Table;
  readonly #rows: Int32Array | undefined;
  readonly #columns = new Map<string, AnyColumn>();
  readonly #numbers = new Map<string, Float64Array>();
  readonly #codes = new Map<string, ColumnCodes>();

  constructor(table: Table, rows?: Int32Array) {
    this.table = table;
    this.#rows = rows;
  }

  /** Returns a column. @throws ArgumentError if the column does not exist */
  column(name: string): AnyColumn {
    return remember(this.#columns, name, () => {
      const column = findColumn(this.table, name, 'column');
      return this.#rows === undefined ? column : takeColumn(column, this.#rows);
    });
  }

  codes(name: string): ColumnCodes {
    return remember(this.#codes, name, () => {
      const all = encodeColumn(findVector(this.table, name, 'column'));
      return this.#rows === undefined ? all : { ...all, codes: this.#rows.map((row) => all.codes[row]!) };
    });
  }

  /**
   * Returns the values of a column for comparison. Values without an order are returned as strings that identify them.
   */
  ordered(name: string): (row: number) => OrderedValue {
    return orderedColumn(this.column(name), true).at;
  }

  /**
   * Returns the values of a column as doubles; NaN for nulls.
   * @throws ArgumentError if the column has neither numbers nor booleans
   */
  numbers(name: string, how: string): Float64Array {
    return remember(this.#numbers, name, () => {
      const numbers = readNumbers(this.column(name));
      if (numbers !== undefined) return numbers;
      const { type } = this.table.getChild(name)!;
      throw badArgument('column', `"${name}" is ${type}, and ${how} needs numbers`);
    });
  }

  /** Returns Float64, Int32 or date columns as doubles; NaN for nulls. Returns undefined for other types. */
  exactNumbers(name: string): Float64Array | undefined {
    const column = this.column(name);
    if (column.type === 'float64' || column.type === 'int32') return this.numbers(name, '');
    return exactNumbers(column);
  }

  /** Returns the 64-bit integers of a column. Returns undefined for other columns. */
  integers(name: string): BigInt64Array | undefined {
    const column = this.column(name);
    if (column.type !== 'other' || !DataType.isInt(column.values.type)) return undefined;
    return column.values.type.bitWidth < 64
      ? undefined
      : joinValues(column.values, column.values.type.ArrayType as BigInt64ArrayConstructor);
  }
}

function remember<Value>(known: Map<string, Value>, name: string, read: () => Value): Value {
  const value = known.get(name) ?? read();
  known.set(name, value);
  return value;
}

/** Returns Float64, Int32 or date columns as doubles; NaN for nulls. Returns undefined for other types. */
export function exactNumbers({ type, values, valid }: AnyColumn): Float64Array | undefined {
  if (type === 'float64') return nanAtNulls(values, valid);
  if (type === 'int32') return nanAtNulls(new Float64Array(values), valid);
  return type === 'timestamp' ? nanAtNulls(readEpochs(values), valid) : undefined;
}

function readNumbers(column: AnyColumn): Float64Array | undefined {
  if (column.type === 'timestamp') return undefined;
  if (column.type !== 'other') return exactNumbers(column);
  const type = valueType(column.values.type);
  if (![DataType.isInt, DataType.isFloat, DataType.isDecimal, DataType.isBool].some((is) => is(type)))
    return undefined;
  const cell = computableOf(column);
  const numbers = new Float64Array(column.values.length);
  for (let row = 0; row < numbers.length; row++) {
    const value = cell(row);
    numbers[row] = value === null ? Number.NaN : Number(value);
  }
  return numbers;
}
