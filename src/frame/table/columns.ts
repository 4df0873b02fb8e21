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
import { emptyBitmap, isValid, joinBits, setBit } from '../../columns/bitmap.js';
import { type ArgumentError, badArgument, shownValue } from '../../model/errors.js';
import { DAY_MS } from '../../model/time.js';
import { checkTable } from './check-table.js';

/** A validity bitmap, least significant bit first; null when every row has a value. */
export type Validity = Uint8Array | null;

/** A column as typed arrays. The value of a null row is NaN in a Float64 column and arbitrary in others. */
export type FrameColumn =
  | ColumnValues<'timestamp', BigInt64Array>
  | ColumnValues<'float64', Float64Array>
  | ColumnValues<'int32', Int32Array>
  | DictionaryColumn
  | ColumnValues<'utf8', readonly (string | null)[]>;

/** A column of any Arrow type: as typed arrays, or `other`, as Arrow has it. */
export type AnyColumn = FrameColumn | ColumnValues<'other', Vector>;

/** The values of a column; timestamps are UTC milliseconds. */
export interface ColumnValues<Type extends string, Values> {
  /** The type of the values. */
  type: Type;
  /** One value for each row. */
  values: Values;
  /** Which rows have a value. */
  valid: Validity;
}

/** Texts by code: `categories[values[row]]` is the text of a row that is not null. */
export interface DictionaryColumn extends ColumnValues<'dictionary', Int32Array> {
  /** The text of each code. */
  categories: readonly string[];
}

/** Reads one chunk of any type as a column. */
export function otherColumn(data: Data): ColumnValues<'other', Vector> {
  return asOther(new Vector([data]));
}

/** Keeps a column as an Arrow vector. */
export function asOther(values: Vector): ColumnValues<'other', Vector> {
  return { type: 'other', values, valid: joinValidity(values) };
}

/** The column of a frame that holds values of this type. */
export type ColumnOf<Type extends FrameColumn['type']> = Extract<FrameColumn, ColumnValues<Type, unknown>>;

/**
 * Reads a column of a frame as typed arrays over all its batches. A table of one batch is not copied.
 * @param type the type that the column must have
 * @throws ArgumentError when there is no such column, there are two of the name, or it has another type
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
      `"${name}" is ${field.type}, and this needs timestamps, dates, Int32, Float64 or texts; convert it, such as by sql`,
    );
  if (type === undefined || column.type === type) return column;
  throw badArgument(
    'column',
    `"${name}" is ${column.type}, not ${typeof type === 'string' ? type : shownValue(type)}`,
  );
}

/**
 * Finds a column of any type.
 * @param argument the argument that names the column, for the error
 * @throws ArgumentError when there is no such column, or there are two of the name
 */
export function findColumn(table: Table, name: string, argument: string): AnyColumn {
  return anyColumn(findVector(table, name, argument));
}

/** Finds a column of any type as Arrow has it, like `findColumn`. */
export function findVector(table: Table, name: string, argument: string): Vector {
  return table.getChildAt(columnIndex(table, name, argument))!;
}

function columnIndex(table: Table, name: string, argument: string): number {
  const at = indexColumns(table.schema).get(name);
  if (at === REPEATED) throw repeatedColumn(name);
  if (at !== undefined) return at;
  const names = table.schema.fields.map((field) => field.name).slice(0, 12);
  throw badArgument(argument, `the frame has no ${shownValue(name)}; it has ${names.join(', ')}`);
}

const columnIndexes = new WeakMap<Schema, ReadonlyMap<string, number>>();

/** The position of a name that several columns have. */
const REPEATED = -1;

/** Maps each column's name to its position, computed once for each schema: a wide frame may have thousands. */
function indexColumns(schema: Schema): ReadonlyMap<string, number> {
  const known = columnIndexes.get(schema);
  if (known !== undefined) return known;
  const positions = new Map<string, number>();
  for (const [at, { name }] of schema.fields.entries())
    positions.set(name, positions.has(name) ? REPEATED : at);
  columnIndexes.set(schema, positions);
  return positions;
}

/** Finds the first name that an earlier column also has. Returns undefined if all names differ. */
export function repeatedName(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

/** @throws ArgumentError when two columns have one name */
export function refuseRepeatedNames({ schema }: Table): void {
  const repeated = repeatedName(schema.fields.map(({ name }) => name));
  if (repeated !== undefined) throw repeatedColumn(repeated);
}

function repeatedColumn(name: string): ArgumentError {
  return badArgument(
    'table',
    `two columns are called "${name}"; give each another name where the table comes from, or leave both out with select`,
  );
}

/** Reads every column of a table, in order, with its field. A column of timestamps below the millisecond is `other`. */
export function readColumns(table: Table): { field: Field; column: AnyColumn }[] {
  checkTable(table, 'table');
  return table.schema.fields.map((field, at) => ({ field, column: anyColumn(table.getChildAt(at)!) }));
}

/** Reads an Arrow column of one or several chunks. */
export function anyColumn(vector: Vector): AnyColumn {
  return hasOtherTimes(vector) ? asOther(vector) : readVector(vector);
}

/** Checks whether a column has times that do not fit milliseconds of 64 bits. */
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

/** Milliseconds of 64 bits hold times in seconds below this. */
export const MAX_SECONDS = 2n ** 63n / 1000n;

/** Returns the time zone of a timestamp type; undefined for UTC. */
export function zoneOf(type: DataType): string | undefined {
  const zone = DataType.isTimestamp(type) ? type.timezone : undefined;
  return zone && !/^(Etc\/)?(UTC|Z)$/i.test(zone) ? zone : undefined;
}

/** Returns the type of values, which is that of the categories of a dictionary. */
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
      return { type: kind, values: joinValues(vector, Float64Array), valid };
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

/** Returns the kind of column that an Arrow type is read as. */
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

/** Concatenates arrays of numbers of one kind. A single array is shared. */
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
  // The nulls of a union are those of its parts.
  if (DataType.isUnion(vector.type)) return null;
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

/** Converts days, or times in any unit, to UTC milliseconds. */
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

/** Rows whose bytes are decoded at once: a call of the decoder takes longer than most texts do. */
const DECODED_ROWS = 4096;

// A string may begin with U+FEFF, which is not a byte order mark there.
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
      // With as many characters as bytes, positions are those of the characters.
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
      const code = codeOfText.get(category) ?? codeOfText.size;
      codeOfText.set(category, code);
      return code;
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

/** Replaces the code of a null among the texts of a dictionary, which Arrow allows. */
const NO_TEXT = -1;

/** Finds the rows that have a string. The codes of rows without one are cleared. */
function rowsWithText(codes: Int32Array, valid: Validity): Validity {
  const rows = validityWhere(codes.length, (row) => codes[row] !== NO_TEXT && isValid(valid, row));
  for (const [row, code] of codes.entries()) if (code === NO_TEXT) codes[row] = 0;
  return rows;
}

/** Builds the validity bitmap of the rows that pass a test. Returns null if all pass. */
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

/** Returns the number of a row, or the UTC milliseconds of a date; NaN for null. */
export function numberAt({ values, valid }: FrameColumn, row: number): number {
  return isValid(valid, row) ? Number(values[row]) : Number.NaN;
}

/** Returns the numbers of some rows, as `numberAt`. */
export function numbersAt(column: FrameColumn, rows: Int32Array): Float64Array {
  const numbers = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) numbers[i] = numberAt(column, rows[i]!);
  return numbers;
}

/** Returns the string of a row, with numbers as digits; null for null. */
export function textAt(column: FrameColumn, row: number): string | null {
  if (!isValid(column.valid, row)) return null;
  return column.type === 'dictionary' ? column.categories[column.values[row]!]! : String(column.values[row]);
}

/** Reads each column once, though many series are in it: the parts of a frame of several batches are joined each time. */
export function columnReader(table: Table): (name: string) => FrameColumn {
  const cached = new Map<string, FrameColumn>();
  return (name) => {
    const column = cached.get(name) ?? readColumn(table, name);
    cached.set(name, column);
    return column;
  };
}

/** Converts integers of any size to doubles. Other columns, and integers that doubles cannot hold, stay unchanged. */
export function wholeAsDoubles(column: AnyColumn): AnyColumn {
  const { type, values, valid } = column;
  if (type !== 'int32' && !(type === 'other' && DataType.isInt(values.type))) return column;
  const doubles = Float64Array.from(values as Iterable<number | bigint | null>, (whole) =>
    Number(whole ?? 0),
  );
  return doubles.every(Number.isSafeInteger) ? { type: 'float64', values: doubles, valid } : column;
}

/** Checks whether a row has a value. NaN is not a value. */
export function isKnown({ type, valid, values }: AnyColumn, row: number): boolean {
  return isValid(valid, row) && (type === 'other' || !Number.isNaN(values[row]));
}
