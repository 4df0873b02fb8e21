import { Bool, DataType, type Int, Int64, makeData } from 'apache-arrow';
import { emptyBitmap, setBit } from '../../columns/bitmap.js';
import { unpackDates } from '../../columns/series-dates.js';
import { badArgument } from '../../model/errors.js';
import { parseTime } from '../../model/time.js';
import {
  type AnyColumn,
  type DictionaryColumn,
  type FrameColumn,
  otherColumn,
  type Validity,
  validityWhere,
} from './columns.js';
import { LONG_COLUMN_TYPES } from './names.js';

type ColumnType = FrameColumn['type'];

/**
 * The type of a column of texts: that of the Arrow type if there is one, else the type of the long frame's column of that
 * name, else Float64 when every text is a number, else text.
 */
export function inferColumnType(
  name: string,
  texts: readonly (string | null)[],
  arrowType?: DataType,
): ColumnType {
  const type = arrowType === undefined ? LONG_COLUMN_TYPES.get(name) : typeOfArrow(arrowType);
  if (type !== undefined) return type;
  return texts.every((text) => text === null || isNumberText(text)) ? 'float64' : 'utf8';
}

/**
 * A column of booleans, or of integers that doubles do not hold: by its type, or else where all texts are some. Null for any
 * other column.
 * @throws ArgumentError when a text does not fit the type
 */
export function exactColumn(
  texts: readonly (string | null)[],
  { name, type }: { name: string; type: DataType | undefined },
): AnyColumn | null {
  if (type === undefined && (name === 'value' || LONG_COLUMN_TYPES.has(name))) return null;
  const isBool = DataType.isBool(type);
  const long = DataType.isInt(type) && type.bitWidth === 64 ? type : null;
  const isLong = long !== null;
  if (type !== undefined && !isBool && !isLong) return null;
  const present = texts.map((text) => (text === '' && type !== undefined ? null : text));
  const wrong = (test: (text: string) => boolean) =>
    present.findIndex((text) => text !== null && !test(text));
  const isEmpty = present.every((text) => text === null);
  if (isBool || (type === undefined && !isEmpty && wrong(isFlag) === -1)) {
    refuseText(present, wrong(isFlag), { name, wanted: 'true or false' });
    const bits = emptyBitmap(texts.length);
    present.forEach((text, row) => {
      if (text?.toLowerCase() === 'true') setBit(bits, row);
    });
    return exactly(new Bool(), bits, present);
  }
  if (!isLong && !present.some((text) => text !== null && isLarge(text))) return null;
  if (isLong || wrong((text) => WHOLE_TEXT.test(text)) === -1) {
    const isSigned = long?.isSigned !== false;
    const wrapped = isSigned ? BigInt.asIntN : BigInt.asUintN;
    const inRange = (text: string) => WHOLE_TEXT.test(text) && wrapped(64, BigInt(text)) === BigInt(text);
    // Integers of more than 64 bits stay texts, which hold all their digits.
    if (!isLong && wrong(inRange) !== -1) return columnOf('utf8', texts, (text) => text);
    refuseText(present, wrong(inRange), { name, wanted: 'a whole number of 64 bits' });
    const values = BigInt64Array.from(present, (text) => BigInt(text ?? 0));
    return exactly(long ?? new Int64(), isSigned ? values : new BigUint64Array(values.buffer), present);
  }
  return null;
}

const WHOLE_TEXT = /^-?\d+$/;
const isFlag = (text: string) => /^(true|false)$/i.test(text);
/** Whether a double would be written with other digits. */
const isLarge = (text: string) =>
  WHOLE_TEXT.test(text) && !Number.isSafeInteger(Number(text)) && String(Number(text)) !== text;

function refuseText(
  texts: readonly (string | null)[],
  row: number,
  { name, wanted }: { name: string; wanted: string },
): void {
  if (row !== -1) throw badArgument(name, `"${texts[row]}" in row ${row + 1} is not ${wanted}`);
}

function exactly(
  type: Bool | Int,
  data: Uint8Array | BigInt64Array | BigUint64Array,
  texts: readonly unknown[],
): AnyColumn {
  return otherColumn(makeData({ type, length: texts.length, data, nullBitmap: validityOf(texts) } as never));
}

function typeOfArrow(type: DataType): ColumnType {
  if (DataType.isTimestamp(type) || DataType.isDate(type)) return 'timestamp';
  if (DataType.isInt(type)) return 'int32';
  if (DataType.isFloat(type)) return 'float64';
  return DataType.isDictionary(type) ? 'dictionary' : 'utf8';
}

/**
 * Parses texts into a column of a type. Null stays null; an empty text is null unless the column holds texts.
 * @throws ArgumentError that names the column and the row (counted from 1, without the header) that cannot be parsed
 */
export function parseColumn(
  texts: readonly (string | null)[],
  { name, type }: { name: string; type: ColumnType },
): FrameColumn {
  if (type === 'utf8' || type === 'dictionary') return columnOf(type, texts, (text) => text);
  const times = new Map<string, number>();
  return columnOf(type, texts, (text, row) => {
    if (text === null || text === '') return null;
    if (type !== 'timestamp') return numberOf(text, { name, row, whole: type === 'int32' });
    const time = times.get(text) ?? timeOf(text, { name, row });
    times.set(text, time);
    return time;
  });
}

/** A column of a value for each row, null where it has none; dates are UTC milliseconds. */
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

function timeOf(text: string, { name, row }: { name: string; row: number }): number {
  try {
    return parseTime(text, name);
  } catch (cause) {
    throw badArgument(
      name,
      `"${text}" in row ${row + 1} is not a date; write YYYY-MM-DD or an ISO 8601 timestamp`,
      { cause },
    );
  }
}

function numberOf(text: string, { name, row, whole }: { name: string; row: number; whole: boolean }): number {
  const value = Number(text);
  if (isNumberText(text) && (!whole || (value | 0) === value)) return value;
  const wanted = whole ? 'a whole number of 32 bits' : 'a number';
  throw badArgument(name, `"${text}" in row ${row + 1} is not ${wanted}`);
}

/** A number as a text that `parseColumn` reads back exactly, also −0. */
export function exactNumberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

const NUMBER_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$|^[+-]?Infinity$|^NaN$/i;

function isNumberText(text: string): boolean {
  return NUMBER_TEXT.test(text);
}

/** Texts as codes into the list of distinct texts, in order of first appearance. */
export function encodeDictionary(texts: readonly (string | null)[]): DictionaryColumn {
  return encodeTexts(texts, Number.POSITIVE_INFINITY)!;
}

/** The same; null where there are more distinct texts. */
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

/** Which values are not null; null when all are. */
function validityOf(values: readonly unknown[]): Validity {
  return validityWhere(values.length, (row) => values[row] !== null);
}
