import type { DuckDBDataChunk } from '@duckdb/node-api';
import { bitmapBytes, nullRows } from '../../../columns/bitmap.js';

export type Items = Float64Array | BigInt64Array | Int32Array | Uint32Array;

/**
 * A column of a chunk as raw memory. The library declares these fields private; its public accessors box every value,
 * which is a hundred times slower.
 */
export interface RawVector<Array extends Items> {
  readonly items: Array;
  readonly validity: {
    readonly data: BigUint64Array | null;
    setItemValid(row: number, valid: boolean): void;
  };
  flush(): void;
}

/** Numbers and times of one column; valid while the chunk lives. */
export function rawVector<Array extends Items>(chunk: DuckDBDataChunk, column: number): RawVector<Array> {
  return chunk.getColumnVector(column) as unknown as RawVector<Array>;
}

/** The rows that are null among the vector's first `length`. */
export function invalidRows({ validity }: RawVector<Items>, length: number): number[] {
  const { data } = validity;
  if (data === null) return [];
  return nullRows(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), length);
}

/** Copies a column's memory to where it belongs; both sides are of one type, which the compiler cannot follow. */
export function copyItems(target: Items, source: Items, offset = 0): void {
  (target as Float64Array).set(source as Float64Array, offset);
}

/** Marks the vector's rows by the bits of a bitmap from `first` on, which is a multiple of eight. */
export function setValidity(
  { validity }: RawVector<Items>,
  bitmap: Uint8Array | null,
  { first, rows }: { first: number; rows: number },
): void {
  if (bitmap === null || rows === 0) return;
  validity.setItemValid(0, false);
  const { buffer, byteOffset, byteLength } = validity.data!;
  const bytes = bitmap.subarray(bitmapBytes(first), bitmapBytes(first + rows));
  new Uint8Array(buffer, byteOffset, byteLength).set(bytes);
}
