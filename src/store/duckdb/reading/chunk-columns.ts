import type { DuckDBDataChunk } from '@duckdb/node-api';
import { allValid, bitmapBytes, copyBits, countValid, isValid } from '../../../columns/bitmap.js';
import { epochWords, setEpoch } from '../../../columns/epoch-words.js';
import { copyItems, rawVector, validityBytes } from '../engine/vectors.js';

type Chunks = readonly DuckDBDataChunk[];

/** The number of rows of some chunks. */
export function countRows(chunks: Chunks): number {
  return chunks.reduce((rows, chunk) => rows + chunk.rowCount, 0);
}

/** Copies the items of a column into `joined`, chunk after chunk. */
export function joinItems<Items extends Float64Array | BigInt64Array | Int32Array>(
  chunks: Chunks,
  column: number,
  joined: Items,
): Items {
  let row = 0;
  for (const chunk of chunks) {
    copyItems(joined, rawVector<Items>(chunk, column).items, row);
    row += chunk.rowCount;
  }
  return joined;
}

/** Copies a column's values, and returns its validity bitmap. Values of null rows are undefined memory. */
export function joinNullable(
  chunks: Chunks,
  column: number,
  joined: Float64Array | BigInt64Array,
): Uint8Array | null {
  let bitmap: Uint8Array | null = null;
  let row = 0;
  for (const chunk of chunks) {
    const count = chunk.rowCount;
    const vector = rawVector<Float64Array | BigInt64Array>(chunk, column);
    const valid = validityBytes(vector);
    if (bitmap === null && !allValid(valid, count)) {
      bitmap = new Uint8Array(bitmapBytes(joined.length));
      copyBits(bitmap, 0, { bitmap: null, at: 0, count: row });
    }
    if (bitmap !== null) copyBits(bitmap, row, { bitmap: valid, at: 0, count });
    if (countValid(valid, count) > 0) copyItems(joined, vector.items, row);
    row += count;
  }
  return bitmap;
}

/** A column of dates with 0 in null rows, and its validity bitmap. */
export function joinDates(
  chunks: Chunks,
  column: number,
  length: number,
): { dates: BigInt64Array; valid: Uint8Array | null } {
  const dates = new BigInt64Array(length);
  const valid = joinNullable(chunks, column, dates);
  const words = epochWords(dates);
  for (let i = 0; valid !== null && i < length; i++) if (!isValid(valid, i)) setEpoch(words, i, 0);
  return { dates, valid };
}
