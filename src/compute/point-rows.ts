import { isValid, type PointColumns } from '../model/point.js';

/** Points with the date at which each became available. */
export type VintageColumns = PointColumns & { readonly available_date: BigInt64Array };

/** The given rows, in the given order, as columns of their own. */
export function takeRows<Columns extends PointColumns>(columns: Columns, rows: Uint32Array): Columns {
  const { available_date, metadata } = columns;
  const taken: PointColumns = {
    length: rows.length,
    series: take(columns.series, rows, new Uint32Array(rows.length)),
    start_date: take(columns.start_date, rows, new BigInt64Array(rows.length)),
    end_date: take(columns.end_date, rows, new BigInt64Array(rows.length)),
    value: take(columns.value, rows, new Float64Array(rows.length)),
    valueValid: takeBits(columns.valueValid, rows),
    unit_id: take(columns.unit_id, rows, new Int32Array(rows.length)),
    reporting_date: take(columns.reporting_date, rows, new BigInt64Array(rows.length)),
    reportingValid: takeBits(columns.reportingValid, rows),
    ...(available_date && { available_date: take(available_date, rows, new BigInt64Array(rows.length)) }),
    ...(metadata && { metadata: Array.from(rows, (row) => metadata[row] ?? null) }),
  };
  return taken as Columns;
}

/** Rows of `one`, then those of `other`; a column that only one of them has is left out. */
export function concatenate(one: PointColumns, other: PointColumns): PointColumns {
  const length = one.length + other.length;
  const available = one.available_date !== undefined && other.available_date !== undefined;
  const metadata = one.metadata !== undefined && other.metadata !== undefined;
  return {
    length,
    series: join(one.series, other.series, new Uint32Array(length)),
    start_date: join(one.start_date, other.start_date, new BigInt64Array(length)),
    end_date: join(one.end_date, other.end_date, new BigInt64Array(length)),
    value: join(one.value, other.value, new Float64Array(length)),
    valueValid: joinBits([one.valueValid, one.length], [other.valueValid, other.length]),
    unit_id: join(one.unit_id, other.unit_id, new Int32Array(length)),
    reporting_date: join(one.reporting_date, other.reporting_date, new BigInt64Array(length)),
    reportingValid: joinBits([one.reportingValid, one.length], [other.reportingValid, other.length]),
    ...(available && {
      available_date: join(one.available_date!, other.available_date!, new BigInt64Array(length)),
    }),
    ...(metadata && { metadata: [...one.metadata!, ...other.metadata!] }),
  };
}

/** Orders rows by series, start and end: zero for vintages of one period. */
export function comparePeriods({ series, start_date, end_date }: PointColumns, a: number, b: number): number {
  return (
    series[a]! - series[b]! ||
    compareTimes(start_date[a]!, start_date[b]!) ||
    compareTimes(end_date[a]!, end_date[b]!)
  );
}

/** Orders vintages of one period by reporting date, of which none is the oldest. */
export function compareReporting(
  { reporting_date, reportingValid }: PointColumns,
  a: number,
  b: number,
): number {
  const validA = isValid(reportingValid, a);
  const validB = isValid(reportingValid, b);
  if (!validA || !validB) return Number(validA) - Number(validB);
  return compareTimes(reporting_date[a]!, reporting_date[b]!);
}

export function compareAvailable({ available_date }: VintageColumns, a: number, b: number): number {
  return compareTimes(available_date[a]!, available_date[b]!);
}

function compareTimes(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type NumberColumn = Uint32Array | Int32Array | Float64Array | BigInt64Array;

/** Both sides are of one type, whichever of the four; the compiler follows only when it is told one. */
function take<Column extends NumberColumn>(from: Column, rows: Uint32Array, to: Column): Column {
  const [source, target] = [from as Float64Array, to as Float64Array];
  for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;
  return to;
}

function join<Column extends NumberColumn>(one: Column, other: Column, to: Column): Column {
  (to as Float64Array).set(one as Float64Array);
  (to as Float64Array).set(other as Float64Array, one.length);
  return to;
}

function takeBits(bitmap: Uint8Array | null, rows: Uint32Array): Uint8Array | null {
  if (bitmap === null) return null;
  const taken = new Uint8Array((rows.length + 7) >> 3);
  for (let i = 0; i < rows.length; i++) if (isValid(bitmap, rows[i]!)) taken[i >> 3]! |= 1 << (i & 7);
  return taken;
}

function joinBits(...parts: readonly (readonly [Uint8Array | null, number])[]): Uint8Array | null {
  if (parts.every(([bitmap]) => bitmap === null)) return null;
  const length = parts.reduce((sum, [, rows]) => sum + rows, 0);
  const joined = new Uint8Array((length + 7) >> 3);
  let row = 0;
  for (const [bitmap, rows] of parts) {
    for (let i = 0; i < rows; i++, row++) if (isValid(bitmap, i)) joined[row >> 3]! |= 1 << (row & 7);
  }
  return joined;
}
