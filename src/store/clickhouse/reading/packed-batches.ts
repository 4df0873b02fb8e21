import { bitmapBytes, clearBit } from '../../../columns/bitmap.js';
import { wordsOf } from '../../../columns/epoch-words.js';
import { columnNames, type VaryingColumns } from '../../packing/known-series.js';
import type { PackedRows } from '../../packing/packed-columns.js';
import type { ArrowColumns, ColumnKind } from './arrow-columns.js';

const KINDS = { days: 'int32', unit_id: 'int32', reporting_date: 'int64', available_date: 'int64' } as const;

/** What the columns of `packedQuery` hold. */
export function packedKinds(read: VaryingColumns): ColumnKind[] {
  return ['int32', 'int32', 'float64', ...columnNames(read).map((name) => KINDS[name])];
}

/** Reads the columns of `packedQuery`. */
export function packedRows(read: VaryingColumns): (batch: ArrowColumns<readonly ColumnKind[]>) => PackedRows {
  const names = columnNames(read);
  return ({ length, columns: [series, start, value, ...varying] }) => {
    const columnOf = <Column>(name: keyof VaryingColumns) =>
      read[name] ? (varying[names.indexOf(name)] as unknown as Column) : undefined;
    const reporting = columnOf<BigInt64Array>('reporting_date');
    return {
      length,
      series: series as Int32Array,
      start_day: start as Int32Array,
      value: value as Float64Array,
      value_valid: validNumbers(value as Float64Array),
      days: columnOf<Int32Array>('days'),
      unit_id: columnOf<Int32Array>('unit_id'),
      reporting_date: reporting && nullableDates(reporting),
      available_date: columnOf<BigInt64Array>('available_date'),
    };
  };
}

/** The validity bitmap of numbers, where NaN stands for none; null when there is none of them. */
export function validNumbers(values: Float64Array): Uint8Array | null {
  let bitmap: Uint8Array | null = null;
  for (let from = 0; from < values.length; from += VALUES_A_SUM) {
    const to = Math.min(values.length, from + VALUES_A_SUM);
    // A sum with NaN is NaN, and adding takes a fraction of looking at each value.
    let sum = 0;
    for (let row = from; row < to; row++) sum += values[row]!;
    if (!Number.isNaN(sum)) continue;
    for (let row = from; row < to; row++) {
      if (!Number.isNaN(values[row]!)) continue;
      bitmap ??= new Uint8Array(bitmapBytes(values.length)).fill(0xff);
      clearBit(bitmap, row);
    }
  }
  return bitmap;
}

const VALUES_A_SUM = 256;

/** Dates, where the minimum stands for none. */
export function nullableDates(dates: BigInt64Array): { dates: BigInt64Array; valid: Uint8Array | null } {
  const words = wordsOf(dates);
  let valid: Uint8Array | null = null;
  for (let row = 0; row < dates.length; row++) {
    if (words[2 * row + 1] !== MIN_WORD || words[2 * row] !== 0) continue;
    valid ??= new Uint8Array(bitmapBytes(dates.length)).fill(0xff);
    clearBit(valid, row);
    words[2 * row + 1] = 0;
  }
  return { dates, valid };
}

/** The high word of the minimum of 64 bits; the low one is 0. */
const MIN_WORD = -(2 ** 31);
