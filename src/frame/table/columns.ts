import {
  type Data,
  DataType,
  DateUnit,
  type Field,
  type Schema,
  type Table,
  type Timestamp,
  TimeUnit,
  Vector,
} from 'apache-arrow';
import { emptyBitmap, isValid, joinBits, nanAtNulls, setBit } from '../../columns/bitmap.js';
import { type ArgumentError, badArgument, shownValue } from '../../model/errors.js';
import { getOrCompute } from '../../model/grouping.js';
import { DAY_MS } from '../../model/time.js';
import { checkTable } from './check-table.js';

/** A validity bitmap with the least significant bit first, or null if every row has a value. */
export type Validity = Uint8Array | null;

/** A column with its values in an array. In null rows, doubles are NaN and integers arbitrary, so check `valid`. */
export type FrameColumn =
  | ColumnValues<'timestamp', BigInt64Array>
  | ColumnValues<'float64', Float64Array>
  | ColumnValues<'int32', Int32Array>
  | DictionaryColumn
  | ColumnValues<'utf8', readonly (string | null)[]>;

/** A column of any Arrow type. If `type` is `other`, its values are an Arrow vector. */
export type AnyColumn = FrameColumn | ColumnValues<'other', Vector>;

/** The values of a column. Timestamps are UTC milliseconds. */
export interface ColumnValues<Type extends string, Values> {
  /** The type of the values. */
  type: Type;
  /** The value of each row. */
  values: Values;
  /** The validity bitmap, or null if every row has a value. */
  valid: Validity;
}

/** A dictionary-encoded column of strings. The string in a non-null row is `categories[values[row]]`. */
export interface DictionaryColumn extends ColumnValues<'dictionary', Int32Array> {
  /** The distinct strings, indexed by code. */
  categories: readonly string[];
}

export function otherColumn(data: Data): ColumnValues<'other', Vector> {
  return asOther(new Vector([data]));
}

export function asOther(values: Vector): ColumnValues<'other', Vector> {
  return { type: 'other', values, valid: joinValidity(values) };
}

/** The type of frame columns whose `type` property is `Type`. */
export type ColumnOf<Type extends FrameColumn['type']> = Extract<FrameColumn, ColumnValues<Type, unknown>>;

/**
 * Reads a column from all batches of a table. The arrays share the memory of the table where possible.
 * @param type the type that the column must have
 */
export function readColumn<Type extends FrameColumn['type']>(
  table: Table,
  name: string,
  type: Type,
): ColumnOf<Type>;
export function readColumn(table: Table, name: string): FrameColumn;
export function readColumn(table: Table, name: string, type?: FrameColumn['type']): FrameColumn {
  const at = columnIndex(table, name, 'column');
  const field = table.schema.fields[at]!;
  const column = readVector(table.getChildAt(at)!);
  if (column.type === 'other')
    throw badArgument(
      'column',
      `"${name}" is ${field.type}, but timestamps, dates, Int32, Float64 or strings are needed; convert the column, for example with sql`,
    );
  if (type === undefined || column.type === type) return column;
  throw badArgument(
    'column',
    `"${name}" is ${column.type}, not ${typeof type === 'string' ? type : shownValue(type)}`,
  );
}

export function findColumn(table: Table, name: string, argument: string): AnyColumn {
  return anyColumn(findVector(table, name, argument));
}

export function findVector(table: Table, name: string, argument: string): Vector {
  return table.getChildAt(columnIndex(table, name, argument))!;
}

function columnIndex(table: Table, name: string, argument: string): number {
  const at = indexColumns(table.schema).get(name);
  if (at === REPEATED) throw repeatedColumn(name);
  if (at !== undefined) return at;
  const names = table.schema.fields.map((field) => field.name).slice(0, 12);
  throw badArgument(argument, `the frame has no column ${shownValue(name)}; it has ${names.join(', ')}`);
}

const columnIndexes = new WeakMap<Schema, ReadonlyMap<string, number>>();

const REPEATED = -1;

/** Maps column names to positions. The map is cached per schema, because a frame may have thousands of columns. */
function indexColumns(schema: Schema): ReadonlyMap<string, number> {
  const known = columnIndexes.get(schema);
  if (known !== undefined) return known;
  const positions = new Map<string, number>();
  for (const [at, { name }] of schema.fields.entries())
    positions.set(name, positions.has(name) ? REPEATED : at);
  columnIndexes.set(schema, positions);
  return positions;
}

export function repeatedName(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

export function refuseRepeatedNames({ schema }: Table): void {
  const repeated = repeatedName(schema.fields.map(({ name }) => name));
  if (repeated !== undefined) throw repeatedColumn(repeated);
}

function repeatedColumn(name: string): ArgumentError {
  return badArgument(
    'table',
    `two columns are called "${name}"; rename one of them at its source, or omit both with select`,
  );
}

export function readColumns(table: Table): { field: Field; column: AnyColumn }[] {
  checkTable(table, 'table');
  return table.schema.fields.map((field, at) => ({ field, column: anyColumn(table.getChildAt(at)!) }));
}

export function anyColumn(vector: Vector): AnyColumn {
  return hasOtherTimes(vector) ? asOther(vector) : readVector(vector);
}

function hasOtherTimes({ type, data }: Vector): boolean {
  if (!DataType.isTimestamp(type)) return false;
  const { unit } = type as Timestamp;
  const divisor = PER_MILLISECOND[unit];
  if (divisor === undefined && unit !== TimeUnit.SECOND) return false;
  const isOtherTime = (time: bigint) =>
    divisor === undefined ? time > MAX_SECONDS || time < -MAX_SECONDS : time % divisor !== 0n;
  return data.some(({ values, length, nullCount, nullBitmap, offset }) =>
    (values as BigInt64Array)
      .subarray(0, length)
      .some((time, row) => isOtherTime(time) && (nullCount === 0 || isValid(nullBitmap, offset + row))),
  );
}

/** The largest number of seconds, positive or negative, that still fits in 64 bits when converted to milliseconds. */
export const MAX_SECONDS = 2n ** 63n / 1000n;

/** Returns the time zone of a timestamp type, or `undefined` for UTC and for types without a time zone. */
export function zoneOf(type: DataType): string | undefined {
  const zone = DataType.isTimestamp(type) ? type.timezone : undefined;
  return zone && !/^(Etc\/)?(UTC|Z)$/i.test(zone) ? zone : undefined;
}

/** Returns the type of a column's values. For a dictionary, it is the type of the categories. */
export function valueType(type: DataType): DataType {
  return DataType.isDictionary(type) ? type.dictionary : type;
}

function readVector(vector: Vector): AnyColumn {
  const valid = joinValidity(vector);
  const kind = columnKind(vector.type);
  switch (kind) {
    case 'timestamp':
      return { type: kind, values: timesOf(vector), valid };
    case 'float64':
      return { type: kind, values: nanAtNulls(joinValues(vector, Float64Array), valid), valid };
    case 'int32':
      return { type: kind, values: joinValues(vector, Int32Array), valid };
    case 'utf8':
      return { type: kind, values: readTexts(vector), valid };
    case 'dictionary':
      return readDictionary(vector, valid);
    case 'other':
      return { type: kind, values: vector, valid };
  }
}

export function columnKind(type: DataType): AnyColumn['type'] {
  const isOf = (array: unknown) => type.ArrayType === array;
  if (DataType.isTimestamp(type) || DataType.isDate(type)) return 'timestamp';
  if (DataType.isFloat(type) && isOf(Float64Array)) return 'float64';
  if (DataType.isInt(type) && isOf(Int32Array)) return 'int32';
  if (isTextType(type)) return 'utf8';
  return DataType.isDictionary(type) && isTextType(type.dictionary) ? 'dictionary' : 'other';
}

export function isTextType(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
}

type NumberArray = Float64Array | Int32Array | BigInt64Array;

export function joinArrays<T extends NumberArray>(arrays: readonly T[], Kind: new (length: number) => T): T {
  if (arrays.length === 1) return arrays[0]!;
  const joined = new Kind(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    joined.set(array as never, at);
    at += array.length;
  }
  return joined;
}

export function joinValues<T extends NumberArray>({ data }: Vector, Kind: new (length: number) => T): T {
  return joinArrays(
    data.map(({ values, length }) => values.subarray(0, length) as T),
    Kind,
  );
}

function joinValidity(vector: Vector): Validity {
  if (DataType.isNull(vector.type)) return emptyBitmap(vector.length);
  const only = vector.data.length === 1 ? vector.data[0]! : null;
  if (only !== null && only.offset === 0) return chunkValidity(only);
  return joinBits(
    vector.data.map((data) => ({ bitmap: chunkValidity(data), at: data.offset, count: data.length })),
  );
}

function chunkValidity(data: Data): Validity {
  return data.nullCount === 0 ? null : data.nullBitmap;
}

const PER_MILLISECOND: Partial<Record<TimeUnit, bigint>> = {
  [TimeUnit.MICROSECOND]: 1_000n,
  [TimeUnit.NANOSECOND]: 1_000_000n,
};

function timesOf(vector: Vector): BigInt64Array {
  const { type } = vector;
  if (DataType.isDate(type) && type.unit === DateUnit.DAY)
    return BigInt64Array.from(joinValues(vector, Int32Array), (day) => BigInt(day) * BigInt(DAY_MS));
  const values = joinValues(vector, BigInt64Array);
  if (!DataType.isTimestamp(type) || type.unit === TimeUnit.MILLISECOND) return values;
  if (type.unit === TimeUnit.SECOND) return values.map((seconds) => seconds * 1_000n);
  const divisor = PER_MILLISECOND[type.unit as TimeUnit]!;
  return values.map((time) => (time - (((time % divisor) + divisor) % divisor)) / divisor);
}

/** The number of rows to decode per call, because the call itself takes longer than decoding most strings. */
const DECODED_ROWS = 4096;

// A U+FEFF at the beginning of a string is part of the string, not a byte order mark.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function readTexts(vector: Vector): (string | null)[] {
  if (DataType.isUtf8View(vector.type)) return Array.from(vector, (text: string | null) => text);
  const texts = new Array<string | null>(vector.length);
  let row = 0;
  for (const { length, nullCount, nullBitmap, offset, values, valueOffsets } of vector.data) {
    const isNull = (at: number) => nullCount > 0 && !isValid(nullBitmap, offset + at);
    for (let from = 0; from < length; from += DECODED_ROWS) {
      const to = Math.min(length, from + DECODED_ROWS);
      const start = Number(valueOffsets[from]);
      const bytes: Uint8Array = values.subarray(start, Number(valueOffsets[to]));
      const decoded = decoder.decode(bytes);
      // If there are as many characters as bytes, byte offsets are also character offsets.
      const isAscii = decoded.length === bytes.length;
      for (let at = from; at < to; at++) {
        const [first, last] = [Number(valueOffsets[at]) - start, Number(valueOffsets[at + 1]) - start];
        if (isNull(at)) texts[row++] = null;
        else
          texts[row++] = isAscii ? decoded.slice(first, last) : decoder.decode(bytes.subarray(first, last));
      }
    }
  }
  return texts;
}

function readDictionary(vector: Vector, valid: Validity): FrameColumn {
  const codeOfText = new Map<string, number>();
  let hasNullText = false;
  const chunks = vector.data.map((data): Int32Array => {
    const codes = readTexts(data.dictionary!).map((category) => {
      if (category === null) {
        hasNullText = true;
        return NO_TEXT;
      }
      return getOrCompute(codeOfText, category, () => codeOfText.size);
    });
    const chunk: ArrayLike<number | bigint> = data.values;
    const isSame =
      chunk instanceof Int32Array && data.nullCount === 0 && codes.every((code, at) => code === at);
    if (isSame) return chunk.subarray(0, data.length);
    const values = new Int32Array(data.length);
    for (let i = 0; i < data.length; i++) values[i] = codes[Number(chunk[i])] ?? 0;
    return values;
  });
  const values = joinArrays(chunks, Int32Array);
  return {
    type: 'dictionary',
    categories: [...codeOfText.keys()],
    valid: hasNullText ? rowsWithText(values, valid) : valid,
    values,
  };
}

/** The code for a null category. Arrow allows dictionaries to contain null. */
const NO_TEXT = -1;

function rowsWithText(codes: Int32Array, valid: Validity): Validity {
  const rows = validityWhere(codes.length, (row) => codes[row] !== NO_TEXT && isValid(valid, row));
  for (const [row, code] of codes.entries()) if (code === NO_TEXT) codes[row] = 0;
  return rows;
}

/** Builds a validity bitmap, or returns null if `hasValue` returns true for every row. */
export function validityWhere(length: number, hasValue: (row: number) => boolean): Validity {
  const valid = emptyBitmap(length);
  let count = 0;
  for (let row = 0; row < length; row++) {
    if (!hasValue(row)) continue;
    setBit(valid, row);
    count++;
  }
  return count === length ? null : valid;
}

/** Returns the value in a row as a number. Dates become UTC milliseconds, and null becomes NaN. */
export function numberAt({ values, valid }: FrameColumn, row: number): number {
  return isValid(valid, row) ? Number(values[row]) : Number.NaN;
}

export function numbersAt(column: FrameColumn, rows: Int32Array): Float64Array {
  const numbers = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) numbers[i] = numberAt(column, rows[i]!);
  return numbers;
}

/** Returns the value in a row as a string. Numbers and dates (in UTC milliseconds) become digits; null stays null. */
export function textAt(column: FrameColumn, row: number): string | null {
  if (!isValid(column.valid, row)) return null;
  return column.type === 'dictionary' ? column.categories[column.values[row]!]! : String(column.values[row]);
}

export function columnReader(table: Table): (name: string) => FrameColumn {
  const cached = new Map<string, FrameColumn>();
  return (name) => getOrCompute(cached, name, () => readColumn(table, name));
}

/** Converts a column of integers to doubles if doubles represent every value exactly. Other columns stay unchanged. */
export function wholeAsDoubles(column: AnyColumn): AnyColumn {
  const { type, values, valid } = column;
  if (type !== 'int32' && !(type === 'other' && DataType.isInt(values.type))) return column;
  const doubles = Float64Array.from(values as Iterable<number | bigint | null>, (whole) =>
    Number(whole ?? 0),
  );
  return doubles.every(Number.isSafeInteger) ? { type: 'float64', values: doubles, valid } : column;
}

/** Checks whether a row has a value. NaN does not count as a value. */
export function isKnown({ type, valid, values }: AnyColumn, row: number): boolean {
  if (!isValid(valid, row)) return false;
  if (type !== 'other') return !Number.isNaN(values[row]);
  if (!DataType.isFloat(values.type) && !DataType.isDictionary(values.type)) return true;
  // A dictionary's categories may include null.
  const value: unknown = values.get(row);
  return value !== null && !Number.isNaN(value);
}
