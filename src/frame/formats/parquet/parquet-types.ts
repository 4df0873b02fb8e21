import {
  type Data,
  DataType,
  DateDay,
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
import { DAY_MS } from '../../../model/time.js';
import { isNested } from '../../table/cells.js';
import { asOther, MAX_SECONDS } from '../../table/columns.js';
import { createRecordBatch, emptyData, nestedType, utf8Data } from '../../table/frame-table.js';
import { takeColumn } from '../../table/take-rows.js';

export interface Batches {
  readonly schema: Schema;
  readonly batches: readonly RecordBatch[];
}

/**
 * Casts columns to types that other Parquet readers support. Times in seconds become milliseconds, because Parquet has
 * no such unit. Dates in milliseconds become days, or timestamps if they have a time of day. Dictionaries that the
 * encoder does not support become plain values; dictionaries of string views become dictionaries of strings. All other
 * columns are shared with the input.
 * @throws ArgumentError that names the column if its times would exceed 64 bits in milliseconds
 */
export function castForParquet({ schema, batches }: Batches): Batches {
  const columns = schema.fields.map(({ name }, at) =>
    castChunks(
      batches.map(({ data, numRows }) =>
        numRows === 0 ? emptyData(schema.fields[at]!.type) : data.children[at]!,
      ),
      name,
    ),
  );
  const fields = schema.fields.map((field, at) => withType(field, columns[at]![0]?.type ?? field.type));
  const cast = new Schema(fields, schema.metadata);
  return {
    schema: cast,
    batches: batches.map(({ numRows }, at) =>
      createRecordBatch(
        cast,
        columns.map((chunks) => chunks[at]!),
        numRows,
      ),
    ),
  };
}

function withType({ name, nullable, metadata }: Field, type: DataType): Field {
  return new Field(name, type, nullable, metadata);
}

function castChunks(chunks: readonly Data[], name: string): Data[] {
  const type = chunks[0]?.type;
  if (type === undefined || DataType.isUnion(type)) return [...chunks];
  if (DataType.isTimestamp(type) && type.unit === TimeUnit.SECOND)
    return chunks.map((chunk) =>
      withFixedWidth(chunk, new TimestampMillisecond(type.timezone), milliseconds(chunk, name)),
    );
  if (DataType.isTime(type) && type.unit === TimeUnit.SECOND)
    return chunks.map((chunk) =>
      withFixedWidth(
        chunk,
        new TimeMillisecond(),
        (chunk.values as Int32Array).map((second) => second * 1000),
      ),
    );
  if (DataType.isDate(type) && type.unit === DateUnit.MILLISECOND) return castDates(chunks);
  if (DataType.isDictionary(type)) return chunks.map((chunk) => castDictionary(chunk, name));
  if ((type.children ?? []).length === 0) return [...chunks];
  const parts = (type.children as Field[]).map((_, at) =>
    castChunks(
      chunks.map(({ children }) => children[at]!),
      name,
    ),
  );
  return chunks.map((chunk, at) => {
    const { offset, length, nullCount, buffers } = chunk;
    const children = parts.map((cast) => cast[at]!);
    const nested = nestedType(type, children);
    return chunk.clone(nested, offset, length, nullCount, buffers as never, children);
  });
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

function castDates(chunks: readonly Data[]): Data[] {
  const dayMs = BigInt(DAY_MS);
  const hasTimes = chunks.some(({ values, length, nullCount, nullBitmap, offset }) =>
    (values as BigInt64Array)
      .subarray(0, length)
      .some((ms, row) => ms % dayMs !== 0n && (nullCount === 0 || isValid(nullBitmap, offset + row))),
  );
  return chunks.map((chunk) => {
    const values = chunk.values as BigInt64Array;
    if (hasTimes) return withFixedWidth(chunk, new TimestampMillisecond(), values);
    return withFixedWidth(
      chunk,
      new DateDay(),
      Int32Array.from(values, (ms) => Number(ms / dayMs)),
    );
  });
}

function castDictionary(chunk: Data, name: string): Data {
  const { type, values, length, offset, nullCount, nullBitmap, dictionary } = chunk as Data<Dictionary>;
  const of = type.dictionary;
  if (DataType.isBool(of) || DataType.isBinaryView(of) || DataType.isNull(of) || isNested(of)) {
    const hasValue = (row: number) => nullCount === 0 || isValid(nullBitmap, offset + row);
    const rows = Int32Array.from({ length }, (_, row) => (hasValue(row) ? Number(values[row]) : -1));
    return castChunks([takeColumn(asOther(dictionary!), rows).values.data[0]!], name)[0]!;
  }
  const entries = DataType.isUtf8View(of)
    ? [utf8Data(Array.from(dictionary!, (text: string | null) => text))]
    : castChunks(dictionary!.data, name);
  if (entries[0]?.type === of) return chunk;
  return makeData({
    type: new Dictionary(entries[0]!.type, type.indices, null, type.isOrdered),
    ...{ length, offset, nullCount, nullBitmap },
    data: values,
    dictionary: new Vector(entries),
  } as never);
}
