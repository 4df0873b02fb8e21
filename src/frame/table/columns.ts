import {
  type Data,
  DataType,
  type Field,
  type Schema,
  type Table,
  TimeUnit,
  type Vector,
} from 'apache-arrow';
import { copyBits, emptyBitmap, isValid, setBit } from '../../columns/bitmap.js';
import { ArgumentError, shownValue } from '../../model/errors.js';
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

/** The column of a frame that holds values of this type. */
export type ColumnOf<Type extends FrameColumn['type']> = Extract<FrameColumn, ColumnValues<Type, unknown>>;

/**
 * A column of a frame as typed arrays over all its batches; a table of one batch is not copied.
 * @param type the type that the column must have
 * @throws ArgumentError when there is no such column, or its type is another one or one that frames do not have
 */
export function readColumn<Type extends FrameColumn['type']>(
  table: Table,
  name: string,
  type: Type,
): ColumnOf<Type>;
export function readColumn(table: Table, name: string): FrameColumn;
export function readColumn(table: Table, name: string, type?: FrameColumn['type']): FrameColumn {
  checkTable(table, 'table');
  const at = indexColumns(table.schema).get(name);
  if (at === undefined) {
    const names = table.schema.fields.map((field) => field.name).slice(0, 12);
    throw new ArgumentError(
      'column',
      `column: the frame has no ${shownValue(name)}; it has ${names.join(', ')}`,
    );
  }
  const column = readVector(table.getChildAt(at)!, table.schema.fields[at]!);
  if (type === undefined || column.type === type) return column;
  throw new ArgumentError(
    'column',
    `column: "${name}" is ${column.type}, not ${typeof type === 'string' ? type : shownValue(type)}`,
  );
}

const columnIndexes = new WeakMap<Schema, ReadonlyMap<string, number>>();

/** The position of each column, computed once for each schema: a wide frame may have thousands. */
function indexColumns(schema: Schema): ReadonlyMap<string, number> {
  const positions = columnIndexes.get(schema) ?? new Map(schema.fields.map(({ name }, at) => [name, at]));
  columnIndexes.set(schema, positions);
  return positions;
}

/** Every column of a frame, in order, with its field. */
export function readColumns(table: Table): { field: Field; column: FrameColumn }[] {
  checkTable(table, 'table');
  return table.schema.fields.map((field, at) => ({
    field,
    column: readVector(table.getChildAt(at)!, field),
  }));
}

function readVector(vector: Vector, field: Field): FrameColumn {
  const { type } = field;
  const valid = joinValidity(vector);
  if (DataType.isTimestamp(type)) {
    return { type: 'timestamp', values: milliseconds(vector, type.unit), valid };
  }
  if (DataType.isDate(type) && type.ArrayType === Int32Array) {
    return { type: 'timestamp', values: daysToMs(joinValues(vector, Int32Array)), valid };
  }
  if (DataType.isFloat(type) && type.ArrayType === Float64Array) {
    return { type: 'float64', values: joinValues(vector, Float64Array), valid };
  }
  if (DataType.isInt(type) && type.ArrayType === Int32Array) {
    return { type: 'int32', values: joinValues(vector, Int32Array), valid };
  }
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
    return { type: 'utf8', values: Array.from(vector, (text: string | null) => text), valid };
  }
  if (DataType.isDictionary(type)) return readDictionary(vector, valid);
  throw new ArgumentError(
    'table',
    `table: column "${field.name}" is ${type}; frames hold timestamps, dates, Int32, Float64, texts and dictionaries of texts`,
  );
}

type Values = Float64Array | Int32Array | BigInt64Array;

function joinValues<T extends Values>(vector: Vector, Kind: new (length: number) => T): T {
  const only = vector.data.length === 1 ? vector.data[0]! : null;
  if (only !== null && only.values instanceof Kind) return only.values.subarray(0, only.length) as T;
  const joined = new Kind(vector.length);
  let at = 0;
  for (const data of vector.data) {
    joined.set(data.values.subarray(0, data.length), at);
    at += data.length;
  }
  return joined;
}

function joinValidity(vector: Vector): Validity {
  if (vector.data.every((data) => data.nullCount === 0)) return null;
  const only = vector.data.length === 1 ? vector.data[0]! : null;
  if (only !== null && only.offset === 0) return only.nullBitmap;
  const joined = emptyBitmap(vector.length);
  let at = 0;
  for (const data of vector.data) {
    copyBits(joined, at, { bitmap: chunkValidity(data), at: data.offset, count: data.length });
    at += data.length;
  }
  return joined;
}

function chunkValidity(data: Data): Validity {
  return data.nullCount === 0 ? null : data.nullBitmap;
}

const PER_MILLISECOND: Partial<Record<TimeUnit, bigint>> = {
  [TimeUnit.MICROSECOND]: 1_000n,
  [TimeUnit.NANOSECOND]: 1_000_000n,
};

function milliseconds(vector: Vector, unit: TimeUnit): BigInt64Array {
  const values = joinValues(vector, BigInt64Array);
  if (unit === TimeUnit.MILLISECOND) return values;
  if (unit === TimeUnit.SECOND) return values.map((seconds) => seconds * 1_000n);
  const divisor = PER_MILLISECOND[unit]!;
  return values.map((time) => (time - (((time % divisor) + divisor) % divisor)) / divisor);
}

function daysToMs(days: Int32Array): BigInt64Array {
  return BigInt64Array.from(days, (day) => BigInt(day) * BigInt(DAY_MS));
}

function readDictionary(vector: Vector, valid: Validity): FrameColumn {
  const codeOfText = new Map<string, number>();
  const values = new Int32Array(vector.length);
  let at = 0;
  for (const data of vector.data) {
    const codes = Array.from(data.dictionary!, (text: unknown) => {
      if (text === null) return NO_TEXT;
      const category = String(text);
      const code = codeOfText.get(category) ?? codeOfText.size;
      codeOfText.set(category, code);
      return code;
    });
    const chunk: ArrayLike<number | bigint> = data.values;
    for (let i = 0; i < data.length; i++) values[at++] = codes[Number(chunk[i])] ?? 0;
  }
  return {
    type: 'dictionary',
    categories: [...codeOfText.keys()],
    valid: rowsWithText(values, valid),
    values,
  };
}

/** Stands for the code of a null among the texts of a dictionary, which Arrow allows. */
const NO_TEXT = -1;

/** The rows that have a text; the codes of those that have none are cleared. */
function rowsWithText(codes: Int32Array, valid: Validity): Validity {
  if (!codes.includes(NO_TEXT)) return valid;
  const rows = validityWhere(codes.length, (row) => codes[row] !== NO_TEXT && isValid(valid, row));
  for (const [row, code] of codes.entries()) if (code === NO_TEXT) codes[row] = 0;
  return rows;
}

/** The validity of a column that has a value where the test holds; null when it holds for every row. */
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

/** A number of a column, or the UTC milliseconds of a date; NaN where it is null. */
export function numberAt({ values, valid }: FrameColumn, row: number): number {
  return isValid(valid, row) ? Number(values[row]) : Number.NaN;
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
