import {
  type Data,
  type DataType,
  type Float64,
  type Int32,
  makeData,
  TimestampMillisecond,
  Utf8,
  Vector,
} from 'apache-arrow';
import { emptyBitmap, setBit } from '../../columns/bitmap.js';

/** The type of every date of a frame. */
export const UTC = new TimestampMillisecond('UTC');

/** Arrow data that shares a typed array; Arrow counts the nulls from the bitmap when it needs them. */
export function fixedData<T extends Int32 | Float64 | TimestampMillisecond>(
  type: T,
  data: T['TArray'],
  nullBitmap: Uint8Array | null = null,
): Data<T> {
  const props = { type: type as Int32, length: data.length, data: data as Int32Array, nullBitmap };
  return makeData(props) as Data<DataType> as Data<T>;
}

const encoder = new TextEncoder();

/** Texts as Arrow data: concatenated UTF-8 bytes with offsets; null stays null. */
export function utf8Data(texts: readonly (string | null)[]): Data<Utf8> {
  const { length } = texts;
  const valueOffsets = new Int32Array(length + 1);
  let bound = 0;
  for (const text of texts) bound += (text?.length ?? 0) * 3;
  const data = new Uint8Array(bound);
  const nullBitmap = emptyBitmap(length);
  let at = 0;
  texts.forEach((text, i) => {
    if (text !== null) {
      at += encoder.encodeInto(text, data.subarray(at)).written;
      setBit(nullBitmap, i);
    }
    valueOffsets[i + 1] = at;
  });
  return makeData({
    type: new Utf8(),
    length,
    nullCount: -1,
    nullBitmap,
    valueOffsets,
    data: data.subarray(0, at),
  });
}

/** A vector of texts. Arrow's own builders compile code at run time, which strict pages forbid. */
export function textVector(texts: readonly string[]): Vector<Utf8> {
  const { type, length, valueOffsets, values } = utf8Data(texts);
  return new Vector([makeData({ type, length, nullCount: 0, valueOffsets, data: values })]);
}
