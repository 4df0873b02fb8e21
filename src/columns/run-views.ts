import { bitmapBytes, copyBits, nanAtNulls } from './bitmap.js';
import type { NullableDates, PackedPoints } from './packed-points.js';
import type { PointColumns } from './point-columns.js';
import { seriesRuns } from './series-runs.js';

/**
 * The runs of points, as views of their columns. What does not change within a run is not looked for, unlike
 * `packColumns`; only bitmaps are copied, and values whose null rows do not hold NaN.
 */
export function viewRuns(columns: PointColumns): PackedPoints[] {
  const { start_date, end_date, unit_id, value_valid, available_date, metadata } = columns;
  return Array.from(seriesRuns(columns), ({ position, from, to }) => {
    const valid = sliceBits(value_valid, from, to);
    return {
      series: position,
      length: to - from,
      start_date: start_date.subarray(from, to),
      end_date: end_date === start_date ? null : end_date.subarray(from, to),
      value: nanAtNulls(columns.value.subarray(from, to), valid),
      value_valid: valid,
      unit_id: unit_id.subarray(from, to),
      reporting_date: viewReporting(columns, from, to),
      available_date: available_date?.subarray(from, to),
      metadata: metadata?.slice(from, to),
    };
  });
}

function viewReporting(
  { reporting_date, reporting_valid }: PointColumns,
  from: number,
  to: number,
): NullableDates {
  return { dates: reporting_date.subarray(from, to), valid: sliceBits(reporting_valid, from, to) };
}

function sliceBits(bitmap: Uint8Array | null, from: number, to: number): Uint8Array | null {
  if (bitmap === null) return null;
  const slice = new Uint8Array(bitmapBytes(to - from));
  copyBits(slice, 0, { bitmap, at: from, count: to - from });
  return slice;
}
