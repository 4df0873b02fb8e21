import { isValid, type PointColumns } from '../model/point.js';
import { blankNulls, clearBit, copyBits, countValid, emptyBitmap, setBit, setBits } from './bitmap.js';
import type { DateAxis, DateSpan } from './date-axis.js';

/** A column of a wide frame: NaN and a clear bit where there is no value; no bitmap where every row has one. */
export interface PlacedColumn {
  values: Float64Array;
  valid: Uint8Array | null;
  /** Points that gave way to a later one with the same end date. */
  dropped: number;
}

interface PlaceOnto {
  axis: DateAxis;
  /** Room for the rows of the longest span. */
  scratch: Int32Array;
}

/** Puts the values of the spans, in order, on the rows of their end dates; a later point replaces an earlier one. */
export function placeColumn(
  batches: readonly PointColumns[],
  spans: readonly (DateSpan & { batch: number })[],
  { axis, scratch }: PlaceOnto,
): PlacedColumn {
  const { length } = axis;
  const values = new Float64Array(length);
  const valid = emptyBitmap(length);
  const target = { values, valid, filled: emptyBitmap(length), last: -1, dropped: 0 };
  for (const span of spans) {
    const consecutive = axis.locate(span, scratch);
    if (consecutive && scratch[0]! > target.last) placeRun(target, batches[span.batch]!, span, scratch[0]!);
    else placeRows(target, batches[span.batch]!, span, scratch);
  }
  const whole = countValid(valid, length) === length;
  if (!whole) blankNulls(values, valid);
  return { values, valid: whole ? null : valid, dropped: target.dropped };
}

interface Target {
  values: Float64Array;
  valid: Uint8Array;
  /** Which rows have a point, be its value null or not. */
  filled: Uint8Array;
  /** Greatest row that has a point. */
  last: number;
  dropped: number;
}

function placeRun(target: Target, source: PointColumns, { from, to }: DateSpan, at: number): void {
  target.values.set(source.value.subarray(from, to), at);
  copyBits(target.valid, at, { bitmap: source.valueValid, at: from, count: to - from });
  setBits(target.filled, at, at + to - from);
  target.last = at + to - from - 1;
}

function placeRows(target: Target, source: PointColumns, { from, to }: DateSpan, rows: Int32Array): void {
  const { values, valid, filled } = target;
  const { value, valueValid } = source;
  for (let i = from; i < to; i++) {
    const row = rows[i - from]!;
    if (row > target.last) {
      target.last = row;
    } else if (isValid(filled, row)) {
      target.dropped++;
      clearBit(valid, row);
    }
    setBit(filled, row);
    values[row] = value[i]!;
    if (isValid(valueValid, i)) setBit(valid, row);
  }
}
