import { DataType, type Table, type Vector } from 'apache-arrow';
import { nanAtNulls } from '../../columns/bitmap.js';
import { readEpochs } from '../../columns/series-dates.js';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { getOrCompute } from '../../model/grouping.js';
import { type AnyColumn, findColumn, findVector, joinValues, valueType } from '../table/columns.js';
import { type OrderedValue, orderedColumn } from '../table/ordered.js';
import { computableOf } from '../table/row-reader.js';
import { takeColumn } from '../table/take-rows.js';
import { type ColumnCodes, encodeColumn } from './encode-column.js';

/** Reads and caches columns for aggregates. If `rows` is given, only those rows are read, in that order. */
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

  column(name: string): AnyColumn {
    return getOrCompute(this.#columns, name, () => {
      const column = findColumn(this.table, name, 'column');
      return this.#rows === undefined ? column : takeColumn(column, this.#rows);
    });
  }

  codes(name: string): ColumnCodes {
    return getOrCompute(this.#codes, name, () => {
      const all = encodeColumn(findVector(this.table, name, 'column'));
      return this.#rows === undefined ? all : { ...all, codes: this.#rows.map((row) => all.codes[row]!) };
    });
  }

  ordered(name: string, how: string): (row: number) => OrderedValue {
    const { kind, at } = orderedColumn(this.column(name), true);
    if (kind !== 'none') return at;
    throw this.#unsuitable(name, `${how} needs numbers, dates or strings`);
  }

  numbers(name: string, how: string): Float64Array {
    return getOrCompute(this.#numbers, name, () => {
      const numbers = readNumbers(this.column(name));
      if (numbers !== undefined) return numbers;
      throw this.#unsuitable(name, `${how} needs numbers`);
    });
  }

  #unsuitable(name: string, need: string): ArgumentError {
    return badArgument('column', `"${name}" is ${this.table.getChild(name)!.type}, but ${need}`);
  }

  /** Returns a column's numbers or dates, with NaN for null, or `undefined` if doubles cannot represent them all. */
  exactNumbers(name: string): Float64Array | undefined {
    const column = this.column(name);
    if (column.type === 'float64' || column.type === 'int32') return this.numbers(name, '');
    return exactNumbers(column);
  }

  /** Checks whether a column contains 64-bit integers, whose sums doubles cannot hold exactly. */
  hasIntegers(name: string): boolean {
    return this.#integerVector(name) !== undefined;
  }

  integers(name: string): BigInt64Array | BigUint64Array | undefined {
    const values = this.#integerVector(name);
    if (values === undefined) return undefined;
    const Integers = valueType(values.type).ArrayType as BigInt64ArrayConstructor;
    return DataType.isDictionary(values.type)
      ? Integers.from(values, (value: bigint | null) => value ?? 0n)
      : joinValues(values, Integers);
  }

  #integerVector(name: string): Vector | undefined {
    const { type: kind, values } = this.column(name);
    if (kind !== 'other') return undefined;
    const type = valueType(values.type);
    return DataType.isInt(type) && type.bitWidth === 64 ? values : undefined;
  }
}

function exactNumbers({ type, values, valid }: AnyColumn): Float64Array | undefined {
  if (type === 'float64') return values;
  if (type === 'int32') return nanAtNulls(new Float64Array(values), valid);
  if (type !== 'timestamp') return undefined;
  const times = nanAtNulls(readEpochs(values), valid);
  // Other software represents an infinite time as the largest integer.
  return times.some((time) => Math.abs(time) > Number.MAX_SAFE_INTEGER) ? undefined : times;
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
