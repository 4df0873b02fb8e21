import type { DuckDBMaterializedResult, DuckDBType, DuckDBVector } from '@duckdb/node-api';
import {
  Binary,
  Bool,
  type Data,
  DataType,
  DateDay,
  Decimal,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  makeData,
  Schema,
  Struct,
  TimeMicrosecond,
  TimestampMicrosecond,
  TimestampNanosecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { copyBits, emptyBitmap, isValid, setBit } from '../columns/bitmap.js';
import { readEpochs, unpackDates } from '../columns/series-dates.js';
import { Frame } from '../frame/frame.js';
import { createRecordBatch, fixedData, textVector, UTC, utf8Data } from '../frame/table/frame-table.js';
import { DuckDBTypeId } from '../store/duckdb/engine/library.js';
import { type RawVector, validityBytes } from '../store/duckdb/engine/vectors.js';

const CHUNKS_PER_TURN = 64;

interface Column {
  readonly field: Field;
  add(vector: DuckDBVector, rows: number): void;
  data(): Data;
}

/**
 * Converts a query result to a frame. The columns in `enums` contain dictionary codes. A HUGEINT column, such as a sum
 * of integers, becomes Float64 if doubles represent all values exactly; otherwise, Int64 or strings. Timestamps are in
 * milliseconds unless a value has a higher precision. Types with no equivalent in Arrow become strings.
 */
export async function readResult(
  result: DuckDBMaterializedResult,
  enums: ReadonlyMap<string, DuckDBType>,
  metadata: Map<string, string>,
): Promise<Frame> {
  // Columns get distinct names, so that two "id" columns of a join do not hide each other. The second becomes "id:1".
  const columns = result
    .deduplicatedColumnNames()
    .map((name, at) => columnOf(name, enums.get(name) ?? result.columnType(at)));
  for (let at = 0; at < result.chunkCount; at++) {
    if (at % CHUNKS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    const chunk = result.getChunk(at);
    for (const [at, column] of columns.entries()) column.add(chunk.getColumnVector(at), chunk.rowCount);
  }
  const data = columns.map((column) => column.data());
  const fields = columns.map(({ field }, at) => field.clone({ type: data[at]!.type }));
  const schema = new Schema(fields, metadata);
  return new Frame(schema, [createRecordBatch(schema, data, result.rowCount)]);
}

type Items = Float64Array;

/** The types whose values have the same memory layout in the engine and in Arrow, mapped to their Arrow types. */
const RAW: Readonly<Partial<Record<DuckDBTypeId, DataType>>> = {
  [DuckDBTypeId.TINYINT]: new Int8(),
  [DuckDBTypeId.SMALLINT]: new Int16(),
  [DuckDBTypeId.INTEGER]: new Int32(),
  [DuckDBTypeId.BIGINT]: new Int64(),
  [DuckDBTypeId.UTINYINT]: new Uint8(),
  [DuckDBTypeId.USMALLINT]: new Uint16(),
  [DuckDBTypeId.UINTEGER]: new Uint32(),
  [DuckDBTypeId.UBIGINT]: new Uint64(),
  [DuckDBTypeId.FLOAT]: new Float32(),
  [DuckDBTypeId.DOUBLE]: new Float64(),
  [DuckDBTypeId.DATE]: new DateDay(),
  [DuckDBTypeId.TIME]: new TimeMicrosecond(),
  [DuckDBTypeId.TIMESTAMP]: new TimestampMicrosecond('UTC'),
  [DuckDBTypeId.TIMESTAMP_TZ]: new TimestampMicrosecond('UTC'),
  [DuckDBTypeId.TIMESTAMP_MS]: UTC,
  [DuckDBTypeId.TIMESTAMP_NS]: new TimestampNanosecond('UTC'),
};

function columnOf(name: string, type: DuckDBType): Column {
  if (type.typeId === DuckDBTypeId.ENUM)
    return rawColumn(name, new Dictionary(new Utf8(), new Int32()), type);
  const raw = RAW[type.typeId];
  return raw === undefined ? boxedColumn(name, type) : rawColumn(name, raw);
}

function rawColumn(name: string, type: DataType, categories?: DuckDBType): Column {
  const parts: Items[] = [];
  const valid: (Uint8Array | null)[] = [];
  return {
    field: new Field(name, type, true),
    add(vector, rows) {
      const raw = vector as unknown as RawVector<Items>;
      // The values are copied, because the next chunk overwrites their memory.
      parts.push(raw.items.slice(0, rows));
      valid.push(validityBytes(raw)?.slice() ?? null);
    },
    data() {
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      const Kind = categories === undefined ? (parts[0]?.constructor ?? type.ArrayType) : Int32Array;
      const values = new (Kind as new (length: number) => Items)(length);
      const nullBitmap = valid.every((bits) => bits === null) ? null : emptyBitmap(length);
      let at = 0;
      parts.forEach((part, chunk) => {
        values.set(part, at);
        if (nullBitmap !== null)
          copyBits(nullBitmap, at, { bitmap: valid[chunk]!, at: 0, count: part.length });
        at += part.length;
      });
      // Null rows contain whatever the engine's memory contained. They become 0, or NaN if the values are floats.
      const [bytes, size] = [new Uint8Array(values.buffer), values.BYTES_PER_ELEMENT];
      for (let row = 0; nullBitmap !== null && row < length; row++)
        if (!isValid(nullBitmap, row))
          bytes.fill(DataType.isFloat(type) ? 0xff : 0, row * size, (row + 1) * size);
      const dictionary = categories && textVector((categories as unknown as Parts).values);
      return inMilliseconds(makeData({ type, length, data: values, nullBitmap, dictionary } as never));
    },
  };
}

/** Converts timestamps to milliseconds, the unit that frames use, unless a value needs microseconds. */
function inMilliseconds(data: Data): Data {
  if (!(data.type instanceof TimestampMicrosecond)) return data;
  const micros = data.values as BigInt64Array;
  const nullBitmap = data.nullCount === 0 ? null : data.nullBitmap;
  const numbers = readEpochs(micros);
  let isExact = true;
  for (let row = 0; row < micros.length; row++) {
    // Beyond 2⁵³ microseconds, which is in the year 2255, doubles are not exact.
    const isSafe = Number.isSafeInteger(numbers[row]);
    numbers[row] = numbers[row]! / 1000;
    if (!isValid(nullBitmap, row)) continue;
    isExact &&= isSafe;
    if (isSafe ? !Number.isInteger(numbers[row]) : micros[row]! % 1000n !== 0n) return data;
  }
  const times = isExact ? new BigInt64Array(micros.length) : micros.map((time) => time / 1000n);
  if (isExact) unpackDates(numbers, micros.length, times);
  return fixedData(UTC, times, nullBitmap);
}

function boxedColumn(name: string, type: DuckDBType): Column {
  const arrow = arrowType(type);
  const values: unknown[] = [];
  return {
    field: new Field(name, arrow, true),
    add(vector, rows) {
      for (let row = 0; row < rows; row++) values.push(plain(vector.getItem(row), type));
    },
    data() {
      if (arrow instanceof Utf8) return utf8Data(values as (string | null)[]);
      if (arrow instanceof Decimal) return decimalData(values as (bigint | null)[], arrow);
      if (arrow instanceof Float64) return hugeData(values as (bigint | null)[]);
      return values.length === 0
        ? makeData({ type: arrow, length: 0 } as never)
        : vectorFromArray(values, arrow).data[0]!;
    },
  };
}

function hugeData(values: readonly (bigint | null)[]): Data {
  const all = (test: (value: bigint) => boolean) => values.every((value) => value === null || test(value));
  if (all((value) => BigInt(Number(value)) === value))
    return vectorFromArray(
      values.map((value) => (value === null ? null : Number(value))),
      new Float64(),
    ).data[0]!;
  if (all((value) => BigInt.asIntN(64, value) === value))
    return vectorFromArray(values, new Int64()).data[0]!;
  return utf8Data(values.map((value) => (value === null ? null : String(value))));
}

interface Parts {
  readonly valueType: DuckDBType;
  readonly entryNames: readonly string[];
  readonly entryTypes: readonly DuckDBType[];
  readonly width: number;
  readonly scale: number;
  readonly values: readonly string[];
}

/** A type whose values are converted one by one. */
interface Boxed {
  readonly arrow: (type: Parts) => DataType;
  readonly plain: (value: never, type: Parts, isInner: boolean) => unknown;
}

const HUGE: Boxed = {
  arrow: () => new Float64(),
  plain: (value: bigint, _, isInner) => (isInner ? Number(value) : value),
};
const ITEMS: Boxed = {
  arrow: ({ valueType }) => new List(new Field('item', innerType(valueType), true)),
  plain: ({ items }: { items: readonly unknown[] }, { valueType }) =>
    items.map((item) => plain(item, valueType, true)),
};

const BOXED: Readonly<Partial<Record<DuckDBTypeId, Boxed>>> = {
  [DuckDBTypeId.BOOLEAN]: { arrow: () => new Bool(), plain: (value) => value },
  [DuckDBTypeId.HUGEINT]: HUGE,
  [DuckDBTypeId.UHUGEINT]: HUGE,
  [DuckDBTypeId.DECIMAL]: {
    arrow: ({ scale, width }) => new Decimal(scale, width, 128),
    plain: (decimal: { value: bigint }, _, isInner) => (isInner ? String(decimal) : decimal.value),
  },
  [DuckDBTypeId.BLOB]: { arrow: () => new Binary(), plain: ({ bytes }: { bytes: Uint8Array }) => bytes },
  [DuckDBTypeId.LIST]: ITEMS,
  [DuckDBTypeId.ARRAY]: ITEMS,
  [DuckDBTypeId.STRUCT]: {
    arrow: ({ entryNames, entryTypes }) =>
      new Struct(entryNames.map((name, at) => new Field(name, innerType(entryTypes[at]!), true))),
    plain: ({ entries }: { entries: Readonly<Record<string, unknown>> }, { entryNames, entryTypes }) =>
      Object.fromEntries(entryNames.map((name, at) => [name, plain(entries[name], entryTypes[at]!, true)])),
  },
};

function arrowType(type: DuckDBType): DataType {
  return BOXED[type.typeId]?.arrow(type as unknown as Parts) ?? RAW[type.typeId] ?? new Utf8();
}

/** Returns a nested value's Arrow type. Nested dates, times and decimals become strings, as Arrow cannot build them. */
function innerType(type: DuckDBType): DataType {
  const arrow = arrowType(type);
  const isTime = DataType.isDate(arrow) || DataType.isTime(arrow) || DataType.isTimestamp(arrow);
  return DataType.isDecimal(arrow) || isTime ? new Utf8() : arrow;
}

function plain(value: unknown, type: DuckDBType, isInner = false): unknown {
  if (value === null || value === undefined) return null;
  const boxed = BOXED[type.typeId];
  if (boxed !== undefined) return boxed.plain(value as never, type as unknown as Parts, isInner);
  return typeof value === 'number' || typeof value === 'bigint' ? value : String(value);
}

/** Encodes decimals in Arrow's format: two's complement in four 32-bit words. */
function decimalData(values: readonly (bigint | null)[], type: Decimal): Data {
  const words = new Uint32Array(values.length * 4);
  const nullBitmap = emptyBitmap(values.length);
  values.forEach((value, row) => {
    if (value === null) return;
    setBit(nullBitmap, row);
    for (let word = 0; word < 4; word++)
      words[row * 4 + word] = Number(BigInt.asUintN(32, value >> BigInt(32 * word)));
  });
  return makeData({ type, length: values.length, data: words, nullBitmap } as never);
}
