import { bitmapBytes, copyBits, countValid, emptyBitmap, isValid, setBit } from './bitmap.js';
import { NO_AVAILABLE_DATE, NO_UNIT_ID, type PointColumns, type PointSeries } from './point-columns.js';
import { type RowRun, runLength } from './row-runs.js';
import { dateAt, gridOf, type SeriesDates, sliceDates, unpackDates } from './series-dates.js';

function allValid(bitmap: Uint8Array | null, length: number): boolean {
  return countValid(bitmap, length) === length;
}

/**
 * Consecutive points of one series. A unit or date that is the same in all rows is stored only once, and evenly spaced
 * dates are stored as a grid. Rows are ordered as in `PointColumns`. Arrays may share memory with other runs.
 */
export interface PackedPoints {
  /** The position of the series in the accompanying list of series. */
  readonly series: number;
  /** The number of rows. */
  readonly length: number;
  /** The first date of each period. */
  readonly start_date: SeriesDates;
  /** The last date of each period, inclusive, or null if it equals the first date in every row. */
  readonly end_date: SeriesDates | null;
  /** The values, with NaN in null rows. */
  readonly value: Float64Array;
  /** The validity bitmap of `value`, or null if every row has a value. */
  readonly value_valid: Uint8Array | null;
  /** The unit id: one number for all values, or one per value. `NO_UNIT_ID` means that a value has no unit. */
  readonly unit_id: number | Int32Array;
  /**
   * When the source reported the values: one date in UTC milliseconds for all rows, a date or null for each row, or
   * null if no row has a reporting date.
   */
  readonly reporting_date: number | NullableDates | null;
  /**
   * When the values became available, in UTC milliseconds: one number for all rows, or one per row. Included only if
   * requested; `NO_AVAILABLE_DATE` in rows that fill a gap in the series.
   */
  readonly available_date?: number | Float64Array | undefined;
  /** The source's remarks: JSON text or null for each row, or null if no row has any. Included only if requested. */
  readonly metadata?: readonly (string | null)[] | null | undefined;
}

/** A date or null for each row. */
export interface NullableDates {
  /** The dates in UTC milliseconds, with 0 in null rows. */
  readonly dates: Float64Array;
  /** The validity bitmap, or null if every row has a date. */
  readonly valid: Uint8Array | null;
}

/** Points of several series. */
export interface PointSet {
  /** Every requested series, including those without points. */
  readonly series: readonly PointSeries[];
  /** The points, in runs. A run's `series` property is a position in the `series` array. */
  readonly runs: readonly PackedPoints[];
}

export function atPosition(run: PackedPoints, position: number): PackedPoints {
  return run.series === position ? run : { ...run, series: position };
}

export function countRows(runs: readonly PackedPoints[]): number {
  return runs.reduce((rows, { length }) => rows + length, 0);
}

export function unitsOf(runs: readonly Pick<PackedPoints, 'unit_id'>[]): Set<number> {
  const units = new Set<number>();
  for (const { unit_id } of runs)
    for (const unit of typeof unit_id === 'number' ? [unit_id] : unit_id) units.add(unit);
  units.delete(NO_UNIT_ID);
  return units;
}

export function endAt({ start_date, end_date }: PackedRows, i: number): number {
  return dateAt(end_date ?? start_date, i);
}

export function valueAt({ value, value_valid }: PackedRows, i: number): number | null {
  return isValid(value_valid, i) ? value[i]! : null;
}

export function unitAt({ unit_id }: PackedRows, i: number): number {
  return typeof unit_id === 'number' ? unit_id : unit_id[i]!;
}

/** Returns the reporting date in UTC milliseconds, or null. */
export function reportingAt({ reporting_date }: PackedRows, i: number): number | null {
  if (reporting_date === null || typeof reporting_date === 'number') return reporting_date;
  return isValid(reporting_date.valid, i) ? reporting_date.dates[i]! : null;
}

/** Returns the available date in UTC milliseconds, or 0 if it was not requested or the row fills a gap. */
export function availableAt({ available_date = 0 }: PackedRows, i: number): number {
  return typeof available_date === 'number' ? available_date : available_date[i]!;
}

/** Returns rows `from` to `to` (exclusive) of a run. Typed arrays are shared; bitmaps and remarks are copied. */
export function sliceRun(run: PackedPoints, from: number, to: number): PackedPoints {
  if (from === 0 && to === run.length) return run;
  const { unit_id, reporting_date, available_date, metadata } = run;
  return {
    series: run.series,
    length: to - from,
    start_date: sliceDates(run.start_date, from, to),
    end_date: run.end_date && sliceDates(run.end_date, from, to),
    value: run.value.subarray(from, to),
    value_valid: sliceValid(run.value_valid, from, to),
    unit_id: typeof unit_id === 'number' ? unit_id : unit_id.subarray(from, to),
    reporting_date:
      reporting_date === null || typeof reporting_date === 'number'
        ? reporting_date
        : {
            dates: reporting_date.dates.subarray(from, to),
            valid: sliceValid(reporting_date.valid, from, to),
          },
    available_date: typeof available_date === 'object' ? available_date.subarray(from, to) : available_date,
    metadata: metadata?.slice(from, to) ?? metadata,
  };
}

/** One point. Dates are in UTC milliseconds. */
export interface PointRow {
  readonly startMs: number;
  readonly endMs: number;
  /** The value; null or NaN if it is missing. */
  readonly value: number | null;
  readonly unitId: number;
  readonly reportingMs: number | null;
  /** When the value became available; omitted from every row if not requested. */
  readonly availableMs?: number | undefined;
  /** The source's remarks as JSON text; omitted from every row if not requested. */
  readonly metadata?: string | null | undefined;
}

export function rowAt(run: PackedRows, i: number): PointRow {
  return {
    startMs: dateAt(run.start_date, i),
    endMs: endAt(run, i),
    value: valueAt(run, i),
    unitId: unitAt(run, i),
    reportingMs: reportingAt(run, i),
    availableMs: run.available_date === undefined ? undefined : availableAt(run, i),
    metadata: run.metadata && run.metadata[i]!,
  };
}

/** Packs the points of one series into a run. The points must already be sorted. */
export function packRows(series: number, rows: readonly PointRow[]): PackedPoints {
  const start = Float64Array.from(rows, ({ startMs }) => startMs);
  const end = Float64Array.from(rows, ({ endMs }) => endMs);
  const value = Float64Array.from(rows, ({ value }) => value ?? Number.NaN);
  const reported = bitsOf(rows, ({ reportingMs }) => reportingMs !== null);
  const reporting = Float64Array.from(rows, ({ reportingMs }) => reportingMs ?? 0);
  const available = Float64Array.from(rows, ({ availableMs }) => availableMs ?? 0);
  return {
    series,
    length: rows.length,
    start_date: gridOf(start),
    end_date: end.every((date, i) => date === start[i]) ? null : gridOf(end),
    value,
    value_valid: bitsOf(rows, (_, i) => !Number.isNaN(value[i])),
    unit_id: oneOrEach(Int32Array.from(rows, ({ unitId }) => unitId)),
    reporting_date: packReported(reporting, reported),
    available_date: rows.some(({ availableMs }) => availableMs !== undefined)
      ? oneOrEach(available)
      : undefined,
    metadata: rows.some(({ metadata }) => metadata !== undefined)
      ? textsOrNone(rows.map(({ metadata }) => metadata ?? null))
      : undefined,
  };
}

function bitsOf(rows: readonly PointRow[], isSet: (row: PointRow, i: number) => boolean): Uint8Array | null {
  const bitmap = new Uint8Array(bitmapBytes(rows.length));
  for (const [i, row] of rows.entries()) if (isSet(row, i)) setBit(bitmap, i);
  return allValid(bitmap, rows.length) ? null : bitmap;
}

export function oneOrEach<Numbers extends Int32Array | Float64Array>(numbers: Numbers): number | Numbers {
  for (let i = 1; i < numbers.length; i++) if (numbers[i] !== numbers[0]) return numbers;
  return numbers[0] ?? 0;
}

export function packReported(dates: Float64Array, valid: Uint8Array | null): PackedPoints['reporting_date'] {
  if (countValid(valid, dates.length) === 0) return null;
  const packed = valid === null ? oneOrEach(dates) : dates;
  return typeof packed === 'number' ? packed : { dates, valid };
}

export function textsOrNone(texts: readonly (string | null)[]): readonly (string | null)[] | null {
  return texts.every((text) => text === null) ? null : texts;
}

export async function* unpackLists(
  lists: AsyncIterable<readonly PackedPoints[]>,
): AsyncGenerator<PointColumns, void, void> {
  for await (const parts of lists) if (parts.length > 0) yield unpackPoints(parts);
}

export type ValueColumns = Omit<PointColumns, 'series'>;

export type PackedRows = Omit<PackedPoints, 'series'>;

export interface PackedRun extends Readonly<RowRun> {
  readonly points: PackedRows;
}

/** Unpacks points into columns. The columns do not share memory with the packed points. */
export function unpackPoints(parts: readonly PackedPoints[]): PointColumns {
  const columns = unpackRows(parts.map((points) => ({ points, from: 0, to: points.length })));
  const series = new Uint32Array(columns.length);
  let at = 0;
  for (const { series: position, length } of parts) {
    series.fill(position, at, at + length);
    at += length;
  }
  return { ...columns, series };
}

export function unpackRows(ranges: readonly PackedRun[]): ValueColumns {
  const length = runLength(ranges);
  const some = (has: (points: PackedRows) => boolean) => ranges.some(({ points }) => has(points));
  const columns = {
    length,
    start_date: new BigInt64Array(length),
    end_date: new BigInt64Array(length),
    value: new Float64Array(length),
    value_valid: some(({ value_valid }) => value_valid !== null) ? emptyBitmap(length) : null,
    unit_id: new Int32Array(length),
    reporting_date: new BigInt64Array(length),
    reporting_valid: ranges.every(isReportedWhole) ? null : emptyBitmap(length),
    available_date: some(({ available_date }) => available_date !== undefined)
      ? new BigInt64Array(length).fill(NO_AVAILABLE_DATE)
      : undefined,
    metadata: some(({ metadata }) => metadata !== undefined)
      ? new Array<string | null>(length).fill(null)
      : undefined,
  };
  let at = 0;
  for (const range of ranges) {
    unpackRange(range, columns, at);
    at += range.to - range.from;
  }
  return columns;
}

type Unpacked = ValueColumns & { readonly metadata?: (string | null)[] | undefined };

function unpackRange(range: PackedRun, columns: Unpacked, at: number): void {
  const { points, from, to } = range;
  const { unit_id, available_date, metadata } = points;
  const end = at + to - from;
  unpackPeriods(range, columns, at);
  columns.value.set(points.value.subarray(from, to), at);
  if (columns.value_valid !== null)
    copyBits(columns.value_valid, at, { bitmap: points.value_valid, at: from, count: to - from });
  if (typeof unit_id === 'number') columns.unit_id.fill(unit_id, at, end);
  else columns.unit_id.set(unit_id.subarray(from, to), at);
  unpackReporting(range, columns, at);
  if (typeof available_date === 'number') columns.available_date!.fill(BigInt(available_date), at, end);
  else if (available_date !== undefined)
    unpackDates(available_date.subarray(from, to), to - from, columns.available_date!, at);
  for (let row = from; metadata && row < to; row++)
    columns.metadata![at + row - from] = metadata[row] ?? null;
}

function unpackPeriods({ points, from, to }: PackedRun, columns: Unpacked, at: number): void {
  const { start_date, end_date } = points;
  unpackDates(sliceDates(start_date, from, to), to - from, columns.start_date, at);
  if (end_date === null) columns.end_date.set(columns.start_date.subarray(at, at + to - from), at);
  else unpackDates(sliceDates(end_date, from, to), to - from, columns.end_date, at);
}

function unpackReporting(
  { points: { reporting_date }, from, to }: PackedRun,
  columns: Unpacked,
  at: number,
): void {
  if (reporting_date === null) return;
  if (typeof reporting_date === 'number')
    columns.reporting_date.fill(BigInt(reporting_date), at, at + to - from);
  else unpackDates(reporting_date.dates.subarray(from, to), to - from, columns.reporting_date, at);
  if (columns.reporting_valid === null) return;
  const bitmap = typeof reporting_date === 'number' ? null : reporting_date.valid;
  copyBits(columns.reporting_valid, at, { bitmap, at: from, count: to - from });
}

function isReportedWhole({ points: { reporting_date }, from, to }: PackedRun): boolean {
  if (from === to || typeof reporting_date === 'number') return true;
  return reporting_date !== null && reporting_date.valid === null;
}

/** Slices a validity bitmap. Returns null if every row of the slice has a value. */
function sliceValid(bitmap: Uint8Array | null, from: number, to: number): Uint8Array | null {
  if (bitmap === null) return null;
  const slice = new Uint8Array(bitmapBytes(to - from));
  copyBits(slice, 0, { bitmap, at: from, count: to - from });
  return allValid(slice, to - from) ? null : slice;
}
