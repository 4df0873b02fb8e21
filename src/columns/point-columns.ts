import { isValid, type PointColumns } from '../model/point.js';

/** No points, with the optional columns that are asked for. */
export function emptyPoints(wanted: { withAvailableDate: boolean; withMetadata: boolean }): PointColumns {
  return {
    length: 0,
    series: new Uint32Array(0),
    start_date: new BigInt64Array(0),
    end_date: new BigInt64Array(0),
    value: new Float64Array(0),
    valueValid: null,
    unit_id: new Int32Array(0),
    reporting_date: new BigInt64Array(0),
    reportingValid: null,
    ...(wanted.withAvailableDate ? { available_date: new BigInt64Array(0) } : {}),
    ...(wanted.withMetadata ? { metadata: [] } : {}),
  };
}

/** Rows `from` up to `to`; typed arrays are shared, bitmaps are copied. */
export function sliceColumns(columns: PointColumns, from: number, to: number): PointColumns {
  return {
    length: to - from,
    series: columns.series.subarray(from, to),
    start_date: columns.start_date.subarray(from, to),
    end_date: columns.end_date.subarray(from, to),
    value: columns.value.subarray(from, to),
    valueValid: sliceBitmap(columns.valueValid, from, to),
    unit_id: columns.unit_id.subarray(from, to),
    reporting_date: columns.reporting_date.subarray(from, to),
    reportingValid: sliceBitmap(columns.reportingValid, from, to),
    ...(columns.available_date ? { available_date: columns.available_date.subarray(from, to) } : {}),
    ...(columns.metadata ? { metadata: columns.metadata.slice(from, to) } : {}),
  };
}

/** The same rows in memory of their own. */
export function copyColumns(columns: PointColumns): PointColumns {
  const { length } = columns;
  const bitmapBytes = (length + 7) >> 3;
  return {
    length,
    series: columns.series.slice(0, length),
    start_date: columns.start_date.slice(0, length),
    end_date: columns.end_date.slice(0, length),
    value: columns.value.slice(0, length),
    valueValid: columns.valueValid?.slice(0, bitmapBytes) ?? null,
    unit_id: columns.unit_id.slice(0, length),
    reporting_date: columns.reporting_date.slice(0, length),
    reportingValid: columns.reportingValid?.slice(0, bitmapBytes) ?? null,
    ...(columns.available_date ? { available_date: columns.available_date.slice(0, length) } : {}),
    ...(columns.metadata ? { metadata: columns.metadata.slice(0, length) } : {}),
  };
}

/** The rows of all parts, one after another; one part alone is given back as it is. */
export function joinColumns(parts: readonly PointColumns[]): PointColumns {
  const [first] = parts;
  if (first === undefined) return emptyPoints({ withAvailableDate: false, withMetadata: false });
  if (parts.length === 1) return first;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return {
    length,
    series: joinArrays(parts, (part) => part.series, new Uint32Array(length)),
    start_date: joinArrays(parts, (part) => part.start_date, new BigInt64Array(length)),
    end_date: joinArrays(parts, (part) => part.end_date, new BigInt64Array(length)),
    value: joinArrays(parts, (part) => part.value, new Float64Array(length)),
    valueValid: joinBitmaps(parts, (part) => part.valueValid, length),
    unit_id: joinArrays(parts, (part) => part.unit_id, new Int32Array(length)),
    reporting_date: joinArrays(parts, (part) => part.reporting_date, new BigInt64Array(length)),
    reportingValid: joinBitmaps(parts, (part) => part.reportingValid, length),
    ...(first.available_date
      ? { available_date: joinArrays(parts, (part) => part.available_date!, new BigInt64Array(length)) }
      : {}),
    ...(first.metadata ? { metadata: parts.flatMap((part) => part.metadata!.slice(0, part.length)) } : {}),
  };
}

interface JoinableArray<Column> {
  set(from: Column, at: number): void;
  subarray(from: number, to: number): Column;
}

function joinArrays<Column extends JoinableArray<Column>>(
  parts: readonly PointColumns[],
  columnOf: (part: PointColumns) => Column,
  whole: Column,
): Column {
  let at = 0;
  for (const part of parts) {
    whole.set(columnOf(part).subarray(0, part.length), at);
    at += part.length;
  }
  return whole;
}

function joinBitmaps(
  parts: readonly PointColumns[],
  bitmapOf: (part: PointColumns) => Uint8Array | null,
  length: number,
): Uint8Array | null {
  if (parts.every((part) => bitmapOf(part) === null)) return null;
  const whole = new Uint8Array((length + 7) >> 3);
  let at = 0;
  for (const part of parts) {
    const bitmap = bitmapOf(part);
    for (let i = 0; i < part.length; i++, at++) if (isValid(bitmap, i)) whole[at >> 3]! |= 1 << (at & 7);
  }
  return whole;
}

function sliceBitmap(bitmap: Uint8Array | null, from: number, to: number): Uint8Array | null {
  if (bitmap === null) return null;
  const slice = new Uint8Array((to - from + 7) >> 3);
  for (let i = from; i < to; i++) if (isValid(bitmap, i)) slice[(i - from) >> 3]! |= 1 << ((i - from) & 7);
  return slice;
}
