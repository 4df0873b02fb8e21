import {
  type Data,
  DataType,
  DateUnit,
  Dictionary,
  Field,
  makeData,
  type RecordBatch,
  Schema,
  TimeMillisecond,
  TimestampMillisecond,
  TimeUnit,
  Vector,
} from 'apache-arrow';
import { isValid } from '../../../columns/bitmap.js';
import { badArgument } from '../../../model/errors.js';
import { isNested } from '../../table/cells.js';
import { asOther, MAX_SECONDS } from '../../table/columns.js';
import { createRecordBatch, emptyData, nestedType, utf8Data } from '../../table/frame-table.js';
import { takeColumn } from '../../table/take-rows.js';

export interface Batches {
  readonly schema: Schema;
  readonly batches: readonly RecordBatch[];
}

/**
 * Casts columns to types that other Parquet readers support. Times in seconds become milliseconds, and dates in
 * milliseconds become timestamps. Dictionaries of string views become dictionaries of strings, and other dictionaries
 * that the encoder does not support become plain values. All other columns are shared with the input.
 * @throws ArgumentError that names the column if its times in milliseconds would exceed 64 bits
 */
export function castForParquet({ schema, batches }: Batches): Batches {
  const columns = batches.map(({ data, numRows }) =>
    schema.fields.map(({ name, type }, at) =>
      castData(numRows === 0 ? emptyData(type) : data.children[at]!, name),
    ),
  );
  const fields = schema.fields.map(({ name, type, nullable, metadata }, at) => {
    const own = columns[0]?.[at];
    return new Field(name, own?.type ?? type, nullable, metadata);
  });
  const cast = new Schema(fields, schema.metadata);
  return {
    schema: cast,
    batches: batches.map(({ numRows }, at) => createRecordBatch(cast, columns[at]!, numRows)),
  };
}

function castData(chunk: Data, name: string): Data {
  const { type, values } = chunk;
  if (DataType.isTimestamp(type) && type.unit === TimeUnit.SECOND)
    return withFixedWidth(chunk, new TimestampMillisecond(type.timezone), milliseconds(chunk, name));
  if (DataType.isTime(type) && type.unit === TimeUnit.SECOND) {
    const milliseconds = (values as Int32Array).map((second) => second * 1000);
    return withFixedWidth(chunk, new TimeMillisecond(), milliseconds);
  }
  if (DataType.isDate(type) && type.unit === DateUnit.MILLISECOND)
    return withFixedWidth(chunk, new TimestampMillisecond(), values);
  if (DataType.isDictionary(type)) return castDictionary(chunk, name);
  if (chunk.children.length === 0) return chunk;
  const children = chunk.children.map((child) => castData(child, name));
  const { offset, length, nullCount, buffers } = chunk;
  return chunk.clone(nestedType(type, children), offset, length, nullCount, buffers as never, children);
}

function withFixedWidth(
  { length, offset, nullCount, nullBitmap }: Data,
  type: DataType,
  data: ArrayBufferView,
): Data {
  return makeData({ type, length, offset, nullCount, nullBitmap, data } as never);
}

function milliseconds({ values, length, nullCount, nullBitmap, offset }: Data, name: string): BigInt64Array {
  return (values as BigInt64Array).map((second, row) => {
    const isHeld = second < MAX_SECONDS && second > -MAX_SECONDS;
    if (!isHeld && row < length && (nullCount === 0 || isValid(nullBitmap, offset + row)))
      throw badArgument(
        'table',
        `column "${name}" contains the time ${second} s since 1970, which exceeds the 64-bit milliseconds of Parquet; omit the column or write .arrow`,
      );
    return isHeld ? second * 1000n : 0n;
  });
}

function castDictionary(chunk: Data, name: string): Data {
  const { type, values, length, offset, nullCount, nullBitmap, dictionary } = chunk as Data<Dictionary>;
  const of = type.dictionary;
  if (DataType.isBool(of) || DataType.isBinaryView(of) || DataType.isNull(of) || isNested(of)) {
    const hasValue = (row: number) => nullCount === 0 || isValid(nullBitmap, offset + row);
    const rows = Int32Array.from({ length }, (_, row) => (hasValue(row) ? Number(values[row]) : -1));
    return castData(takeColumn(asOther(dictionary!), rows).values.data[0]!, name);
  }
  const entries = DataType.isUtf8View(of)
    ? [utf8Data(Array.from(dictionary!, (text: string | null) => text))]
    : dictionary!.data.map((entries) => castData(entries, name));
  if (entries[0]?.type === of) return chunk;
  return makeData({
    type: new Dictionary(entries[0]!.type, type.indices, null, type.isOrdered),
    ...{ length, offset, nullCount, nullBitmap },
    data: values,
    dictionary: new Vector(entries),
  } as never);
}
