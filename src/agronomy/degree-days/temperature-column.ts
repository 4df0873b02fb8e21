import { isValid } from '../../columns/bitmap.js';
import { ArgumentError } from '../../model/errors.js';
import type { ExtremesOf } from './plan.js';

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

/**
 * A column of numbers: a typed array in which NaN is a missing value, a list of numbers and nulls, or an Arrow Float64 vector
 * with nulls.
 */
export type NumberColumn = Float64Array | readonly (number | null)[] | Float64Vector;

/**
 * Returns the column as one typed array, with NaN for null. A typed array is not copied, and the input is never changed.
 * @throws ArgumentError that names `argument` when the column is none of these
 */
export function numberColumn(column: NumberColumn, argument: string): Float64Array {
  if (column instanceof Float64Array) return column;
  if (Array.isArray(column) && column.every((value) => value === null || typeof value === 'number'))
    return Float64Array.from(column, (value: number | null) => value ?? Number.NaN);
  const chunks = (column as Partial<Float64Vector> | null | undefined)?.data;
  if (!Array.isArray(chunks) || !chunks.every((chunk) => chunk?.values instanceof Float64Array)) {
    throw new ArgumentError(
      argument,
      `${argument} must be a Float64Array (NaN where a value is missing), a list of numbers and nulls, or an Arrow Float64 vector`,
    );
  }
  const joined = new Float64Array(column.length);
  let row = 0;
  for (const { length, offset, values, nullBitmap } of chunks as readonly Float64Chunk[])
    for (let i = 0; i < length; i++) {
      const isNull = nullBitmap != null && nullBitmap.length > 0 && !isValid(nullBitmap, offset + i);
      joined[row++] = isNull ? Number.NaN : values[i]!;
    }
  return joined;
}

/**
 * Returns daily minima and maxima of the same days.
 * @throws ArgumentError when they differ in length or are empty, or one is no column of numbers
 */
export function dailyColumns(options: ExtremesOf<NumberColumn>): ExtremesOf<Float64Array> {
  const tmin = numberColumn(options.tmin, 'tmin');
  const tmax = numberColumn(options.tmax, 'tmax');
  if (tmin.length !== tmax.length) {
    throw new ArgumentError(
      'tmax',
      `tmin and tmax differ in length, ${tmin.length} and ${tmax.length}; pass one value for each of the same days, NaN where it is missing`,
    );
  }
  if (tmin.length === 0) throw new ArgumentError('tmin', 'tmin has no days; pass at least one');
  return { tmin, tmax };
}
