import { isValid } from '../../columns/bitmap.js';
import { ArgumentError } from '../../model/errors.js';

/** One chunk of an Arrow Float64 vector. */
export interface Float64Chunk {
  /** Number of rows. */
  readonly length: number;
  /** Position of the chunk's first row in its validity bitmap. */
  readonly offset: number;
  /** One value a row. */
  readonly values: ArrayLike<number>;
  /** Validity bitmap; null or absent when every row has a value. */
  readonly nullBitmap?: Uint8Array | null | undefined;
}

/** The part of an Arrow Float64 vector that is read: its chunks of values and their validity bitmaps. */
export interface Float64Vector {
  /** Number of rows. */
  readonly length: number;
  /** The chunks, in order. */
  readonly data: readonly Float64Chunk[];
}

/** A column of numbers: a typed array in which NaN is a missing value, or an Arrow Float64 vector with nulls. */
export type NumberColumn = Float64Array | Float64Vector;

/**
 * The column as one typed array, with NaN for null. A typed array and a vector of one chunk without nulls are not copied.
 * The input is never changed.
 * @throws ArgumentError that names `argument` when the column is neither a Float64Array nor a Float64 vector
 */
export function numberColumn(column: NumberColumn, argument: string): Float64Array {
  if (column instanceof Float64Array) return column;
  if (!isFloat64Vector(column)) {
    throw new ArgumentError(
      argument,
      `${argument} must be a Float64Array (NaN where a value is missing) or an Arrow Float64 vector; convert it with Float64Array.from`,
    );
  }
  const only = column.data.length === 1 ? column.data[0]! : undefined;
  if (only !== undefined && !hasBitmap(only)) return only.values.subarray(0, only.length);
  return joinChunks(column);
}

interface CheckedChunk extends Float64Chunk {
  readonly values: Float64Array;
}

function isFloat64Vector(
  column: unknown,
): column is { readonly length: number; readonly data: readonly CheckedChunk[] } {
  const data = (column as Partial<Float64Vector> | null | undefined)?.data;
  return Array.isArray(data) && data.every((chunk) => chunk?.values instanceof Float64Array);
}

function hasBitmap(chunk: Float64Chunk): boolean {
  return chunk.nullBitmap != null && chunk.nullBitmap.length > 0;
}

function joinChunks(column: {
  readonly length: number;
  readonly data: readonly CheckedChunk[];
}): Float64Array {
  const joined = new Float64Array(column.length);
  let row = 0;
  for (const chunk of column.data) {
    joined.set(chunk.values.subarray(0, chunk.length), row);
    if (hasBitmap(chunk)) {
      for (let i = 0; i < chunk.length; i++) {
        if (!isValid(chunk.nullBitmap!, chunk.offset + i)) joined[row + i] = Number.NaN;
      }
    }
    row += chunk.length;
  }
  return joined;
}
