import type { DuckDBDataChunk } from '@duckdb/node-api';
import { bitmapBytes } from '../../../columns/bitmap.js';

export type Items = Float64Array | BigInt64Array | Int32Array | Uint32Array;

/** A chunk's column as raw memory. The library's public accessors box every value, which is a hundred times slower. */
export interface RawVector<Array extends Items> {
  readonly items: Array;
  readonly validity: {
    readonly data: BigUint64Array | null;
    setItemValid(row: number, valid: boolean): void;
  };
  flush(): void;
}

/** Returns a view of the numbers or times in a column. It is valid as long as the chunk exists. */
export function rawVector<Array extends Items>(chunk: DuckDBDataChunk, column: number): RawVector<Array> {
  return chunk.getColumnVector(column) as unknown as RawVector<Array>;
}

export function validityBytes({ validity }: RawVector<Items>): Uint8Array | null {
  const { data } = validity;
  return data === null ? null : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Copies the validity of a vector's rows from a bitmap, starting at bit `first`, which must be a multiple of eight. */
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
