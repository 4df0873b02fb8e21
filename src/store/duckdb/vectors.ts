import type { DuckDBDataChunk } from '@duckdb/node-api';

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

/** Clears the bits of `bitmap`, from bit `offset` on, for the rows of `vector` that are null. */
export function clearInvalid(
  bitmap: Uint8Array,
  offset: number,
  { vector, length }: { vector: RawVector<Items>; length: number },
): void {
  const { data } = vector.validity;
  if (data === null) return;
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  for (let row = 0; row < length; row++) {
    const byte = bytes[row >> 3]!;
    if (byte === 0xff) {
      row |= 7;
      continue;
    }
    if (((byte >> (row & 7)) & 1) === 0) bitmap[(offset + row) >> 3]! &= ~(1 << ((offset + row) & 7));
  }
}

/** Whether any of the vector's first `length` rows is null. */
export function hasInvalid(vector: RawVector<Items>, length: number): boolean {
  const { data } = vector.validity;
  if (data === null) return false;
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  for (let row = 0; row < length; row += 8) {
    const mask = length - row >= 8 ? 0xff : (1 << (length - row)) - 1;
    if ((bytes[row >> 3]! & mask) !== mask) return true;
  }
  return false;
}

/** Copies a column's memory to where it belongs; both sides are of one type, which the compiler cannot follow. */
export function copyItems(target: Items, source: Items, offset = 0): void {
  (target as Float64Array).set(source as Float64Array, offset);
}
