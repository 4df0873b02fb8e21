import { Bool, DataType, type Int, Int64, makeData } from 'apache-arrow';
import { emptyBitmap, setBit } from '../../columns/bitmap.js';
import { unpackDates } from '../../columns/series-dates.js';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { getOrCompute } from '../../model/grouping.js';
import { parseTime } from '../../model/time.js';
import {
  type AnyColumn,
  type DictionaryColumn,
  type FrameColumn,
  otherColumn,
  type Validity,
  validityWhere,
} from './columns.js';

type ColumnType = FrameColumn['type'];

/** A type that a column of strings can be parsed into: a frame column type, boolean, or an integer type. */
export type ReadType = ColumnType | 'bool' | Int;

export function readTypeOf(type: DataType): ReadType {
  if (DataType.isTimestamp(type) || DataType.isDate(type)) return 'timestamp';
  if (DataType.isBool(type)) return 'bool';
  if (DataType.isInt(type)) return type.bitWidth === 64 ? type : 'int32';
  if (DataType.isFloat(type)) return 'float64';
  return DataType.isDictionary(type) ? 'dictionary' : 'utf8';
}

/** Infers a type: boolean, Float64 if it can represent all numbers exactly, Int64 for other integers, or string. */
export function inferReadType(texts: readonly (string | null)[]): ReadType {
  const all = (test: (text: string) => boolean) => texts.every((text) => text === null || test(text));
  if (texts.every((text) => text === null)) return 'float64';
  if (all(isFlag)) return 'bool';
  if (!all(isNumberText)) return 'utf8';
  if (all(isExact)) return 'float64';
  return all((text) => fitsInteger(text, new Int64())) ? new Int64() : 'utf8';
}

/** Checks whether type inference would read a string as a number or boolean. */
export function readsAsValue(text: string): boolean {
  return isFlag(text) || isNumberText(text);
}

export function readsAsTime(text: string): boolean {
  try {
    return Number.isFinite(parseTime(text, ''));
  } catch {
    return false;
  }
}

/**
 * Parses strings as values of a type. Empty strings become null unless the type is string or dictionary.
 * @throws ArgumentError that names the column and the row
 */
export function readTexts(
  texts: readonly (string | null)[],
  { type, shown = texts, ...ofColumn }: TextColumn & { type: ReadType },
): AnyColumn {
  const column = { ...ofColumn, shown };
  if (typeof type === 'string' && type !== 'bool') return parseColumn(texts, { ...column, type });
  const present = texts.map((text) => text || null);
  if (type === 'bool') {
    refuseText(present, isFlag, column, 'is not true or false');
    const bits = emptyBitmap(texts.length);
    present.forEach((text, row) => {
      if (text?.toLowerCase() === 'true') setBit(bits, row);
    });
    return exactly(new Bool(), bits, present);
  }
  refuseText(present, (text) => fitsInteger(text, type), column, 'is not an integer of 64 bits');
  const values = BigInt64Array.from(present, (text) => BigInt(text ?? 0));
  return exactly(type, type.isSigned ? values : new BigUint64Array(values.buffer), present);
}

const isFlag = (text: string) => /^(true|false)$/i.test(text);

function fitsInteger(text: string, { isSigned }: Int): boolean {
  if (!/^-?\d+$/.test(text)) return false;
  const integer = BigInt(text);
  return (isSigned ? BigInt.asIntN(64, integer) : BigInt.asUintN(64, integer)) === integer;
}

/** Checks whether a number is within the range of Float64 and would keep every digit before the decimal point. */
function isExact(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return !/\d/.test(text);
  const integer = Math.abs(number) < Number.MAX_SAFE_INTEGER ? null : /^-?\d+(?=\.?\d*$)/.exec(text);
  return integer === null || BigInt(integer[0]) === BigInt(Number(integer[0]));
}

interface TextColumn {
  readonly name: string;
  readonly shown?: readonly (string | null)[] | undefined;
  readonly remedy?: string | undefined;
}

function refuseText(
  texts: readonly (string | null)[],
  test: (text: string) => boolean,
  column: TextColumn,
  problem: string,
): void {
  const row = texts.findIndex((text) => text !== null && !test(text));
  if (row !== -1) throw badText(row, column, problem);
}

function badText(row: number, { name, shown, remedy = '' }: TextColumn, problem: string): ArgumentError {
  return badArgument(name, `"${shown![row]}" in row ${row + 1} ${problem}${remedy}`);
}

function exactly(
  type: Bool | Int,
  data: Uint8Array | BigInt64Array | BigUint64Array,
  texts: readonly unknown[],
): AnyColumn {
  return otherColumn(makeData({ type, length: texts.length, data, nullBitmap: validityOf(texts) } as never));
}

function parseColumn(
  texts: readonly (string | null)[],
  { type, ...column }: TextColumn & { type: ColumnType },
): FrameColumn {
  if (type === 'utf8' || type === 'dictionary') return columnOf(type, texts, (text) => text);
  const times = new Map<string, number>();
  const areDays = type === 'timestamp' && texts.every((text) => !text || LOCAL_MIDNIGHT.test(text));
  const ofColumn = { ...column, whole: type === 'int32' };
  return columnOf(type, texts, (text, row) => {
    if (text === null || text === '') return null;
    if (type !== 'timestamp') return numberOf(text, row, ofColumn);
    return getOrCompute(times, text, () => timeOf(areDays ? text.slice(0, 10) : text, row, column));
  });
}

// A column that contains only midnights with UTC offsets is read as calendar days, ignoring the offsets.
const LOCAL_MIDNIGHT = /^\d{4}-\d{2}-\d{2}[T ]00:00(?::00(?:\.0+)?)?[+-]\d{2}:?\d{2}$/;

/** Builds a column from the values that `valueAt` returns, with dates in UTC milliseconds. Nulls become null rows. */
export function columnOf<Type extends ColumnType, Row>(
  type: Type,
  rows: readonly Row[],
  valueAt: (row: Row, at: number) => (Type extends 'utf8' | 'dictionary' ? string : number) | null,
): FrameColumn {
  if (type === 'utf8' || type === 'dictionary') {
    const values = rows.map(valueAt) as (string | null)[];
    return type === 'utf8' ? { type: 'utf8', values, valid: validityOf(values) } : encodeDictionary(values);
  }
  const { length } = rows;
  const numbers =
    type === 'int32'
      ? new Int32Array(length)
      : new Float64Array(length).fill(type === 'float64' ? Number.NaN : 0);
  const valid = validityWhere(length, (at) => {
    const number = valueAt(rows[at]!, at) as number | null;
    if (number !== null) numbers[at] = number;
    return number !== null;
  });
  if (type !== 'timestamp') return { type, values: numbers, valid } as FrameColumn;
  const values = new BigInt64Array(length);
  unpackDates(numbers as Float64Array, length, values);
  return { type: 'timestamp', values, valid };
}

function timeOf(text: string, row: number, column: TextColumn): number {
  try {
    return parseTime(text, column.name);
  } catch {
    throw badText(row, column, 'is not a date; write YYYY-MM-DD or an ISO 8601 timestamp');
  }
}

function numberOf(text: string, row: number, column: TextColumn & { whole: boolean }): number {
  const value = Number(text);
  const isNumber = readsAsNumber(text);
  if (isNumber && (column.whole ? (value | 0) === value : isExact(text))) return value;
  if (column.whole) throw badText(row, column, 'is not an integer of 32 bits');
  throw badText(row, column, isNumber ? 'has more digits than a 64-bit float holds' : 'is not a number');
}

/**
 * Formats a number so that it can be read back unchanged. Doubles beyond 2⁵³ are written with an exponent; without it,
 * they would be read as integers in which every digit is significant.
 */
export function exactNumberText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Math.abs(value) > Number.MAX_SAFE_INTEGER && Number.isFinite(value)
    ? value.toExponential()
    : String(value);
}

const ANY_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$|^-?Infinity$|^NaN$/;

/** Matches numbers, but not codes with leading zeros (`01001`), a plus sign (`+49`) or an unsigned exponent (`1E5`). */
const NUMBER_TEXT = /^-?(?!0\d|\d+[eE]\d)(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$|^-?Infinity$|^NaN$/;

function isNumberText(text: string): boolean {
  return NUMBER_TEXT.test(text);
}

/** Checks whether a string can be read as a number in a column that the caller declared to be numeric. */
export function readsAsNumber(text: string): boolean {
  return ANY_NUMBER.test(text);
}

/** Checks whether a string is a number, such as `01001`, that type inference reads as a string. */
export function isCode(text: string): boolean {
  return readsAsNumber(text) && !isNumberText(text);
}

export function encodeDictionary(texts: readonly (string | null)[]): DictionaryColumn {
  return encodeTexts(texts, Number.POSITIVE_INFINITY)!;
}

/** Dictionary-encodes strings. Returns null if there are more than `most` distinct strings. */
export function encodeTexts(texts: readonly (string | null)[], most: number): DictionaryColumn | null {
  const codes = new Map<string, number>();
  const values = new Int32Array(texts.length);
  for (let row = 0; row < texts.length; row++) {
    const text = texts[row]!;
    if (text === null) continue;
    const code = codes.get(text);
    values[row] = code ?? codes.size;
    if (code === undefined) codes.set(text, codes.size);
    if (codes.size > most) return null;
  }
  return { type: 'dictionary', values, categories: [...codes.keys()], valid: validityOf(texts) };
}

function validityOf(values: readonly unknown[]): Validity {
  return validityWhere(values.length, (row) => values[row] !== null);
}
