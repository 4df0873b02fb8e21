import {
  type Data,
  DataType,
  type Dictionary,
  Field,
  FixedSizeList,
  type Float64,
  type Int32,
  LargeList,
  List,
  Map_,
  makeData,
  RecordBatch,
  type Schema,
  Struct,
  Table,
  TimestampMillisecond,
  Utf8,
  Vector,
} from 'apache-arrow';
import { emptyBitmap, setBit } from '../../columns/bitmap.js';

export function createTable(schema: Schema, batches: readonly RecordBatch[]): Table {
  return new Table(schema, [...batches]);
}

/**
 * Creates a record batch. Arrow's constructor compares all pairs of column names. This function skips the comparison,
 * which would take most of the time for a thousand columns or more.
 */
export function createRecordBatch(schema: Schema, children: Data[], length: number): RecordBatch {
  const data = makeData({ type: new Struct(schema.fields), length, nullCount: 0, children });
  return Object.assign(new RecordBatch({}), { schema, data });
}

export function emptyRecordBatch(schema: Schema): RecordBatch {
  const children = schema.fields.map(({ type }) => emptyData(type));
  return createRecordBatch(schema, children, 0);
}

/** Creates an empty chunk. Nested types get empty chunks as children, which Arrow itself would omit. */
export function emptyData(type: DataType): Data {
  const dictionary = (type as Dictionary).dictionary;
  const children = ((type.children ?? []) as Field[]).map((part) => emptyData(part.type));
  return makeData({
    ...{ type, length: 0, nullCount: 0, children, child: children[0] },
    ...(dictionary !== undefined && { dictionary: new Vector([emptyData(dictionary)]) }),
  } as never);
}

/** Returns a copy of a nested type in which the child types are those of the given chunks. */
export function nestedType(type: DataType, parts: readonly Data[]): DataType {
  const fields = ((type.children ?? []) as Field[]).map(
    ({ name, nullable, metadata }, at) => new Field(name, parts[at]!.type, nullable, metadata),
  );
  if (DataType.isList(type)) return new List(fields[0]!);
  if (DataType.isLargeList(type)) return new LargeList(fields[0]!);
  if (DataType.isFixedSizeList(type)) return new FixedSizeList(type.listSize, fields[0]!);
  if (DataType.isMap(type)) return new Map_(fields[0] as Field<Struct>, type.keysSorted);
  return new Struct(fields);
}

/** The Arrow type of all dates in a frame. */
export const UTC = new TimestampMillisecond('UTC');

/** Creates Arrow data that shares the memory of a typed array. Arrow counts the nulls in the bitmap on demand. */
export function fixedData<T extends Int32 | Float64 | TimestampMillisecond>(
  type: T,
  data: T['TArray'],
  nullBitmap: Uint8Array | null = null,
): Data<T> {
  const props = { type: type as Int32, length: data.length, data: data as Int32Array, nullBitmap };
  return makeData(props) as Data<DataType> as Data<T>;
}

const encoder = new TextEncoder();

/** The number of strings to encode per call, because the call itself takes longer than encoding most strings. */
const ENCODED_TEXTS = 4096;

/** Encodes strings as Arrow data: concatenated UTF-8 bytes and their offsets. Nulls stay null. */
export function utf8Data(texts: readonly (string | null)[]): Data<Utf8> {
  const { length } = texts;
  const valueOffsets = new Int32Array(length + 1);
  let bound = 0;
  for (const text of texts) bound += (text?.length ?? 0) * 3;
  const data = new Uint8Array(bound);
  const nullBitmap = emptyBitmap(length);
  let at = 0;
  for (let from = 0; from < length; from += ENCODED_TEXTS) {
    const some = texts.slice(from, from + ENCODED_TEXTS);
    const joined = some.join('');
    // If there are as many bytes as characters, character counts are also byte counts.
    const isAscii = encoder.encodeInto(joined, data.subarray(at)).written === joined.length;
    some.forEach((text, i) => {
      if (text !== null) {
        at += isAscii ? text.length : encoder.encodeInto(text, data.subarray(at)).written;
        setBit(nullBitmap, from + i);
      }
      valueOffsets[from + i + 1] = at;
    });
  }
  return makeData({
    type: new Utf8(),
    length,
    nullCount: -1,
    nullBitmap,
    valueOffsets,
    data: data.subarray(0, at),
  });
}

// Arrow's own builders compile code at run time, which a strict content security policy forbids.
export function textVector(texts: readonly string[]): Vector<Utf8> {
  const { type, length, valueOffsets, values } = utf8Data(texts);
  return new Vector([makeData({ type, length, nullCount: 0, valueOffsets, data: values })]);
}
