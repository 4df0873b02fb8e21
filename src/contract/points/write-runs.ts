import { bitmapBytes } from '../../columns/bitmap.js';
import type { PackedPoints } from '../../columns/packed-points.js';
import { dateAt } from '../../columns/series-dates.js';
import { DAY_MS } from '../../model/time.js';
import type { BlockSeries } from '../series-blocks.js';
import { ARRAYS, cutLists, padded, RECORD, RECORD_LENGTH, writeFrame } from './run-frames.js';

const encoder = new TextEncoder();

/**
 * Encodes runs in the private form as they arrive, never ahead of the consumer.
 * @param series every series of the request, including those without a point
 */
export async function* encodeRuns(
  series: readonly BlockSeries[],
  lists: AsyncIterable<readonly PackedPoints[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const text = encoder.encode(JSON.stringify(series));
  yield writeFrame({ runs: 0, bytes: text.byteLength }, (body) => body.fill(SPACE).set(text));
  let points = 0;
  for await (const runs of cutLists(lists)) {
    for (const { length } of runs) points += length;
    const layouts = runs.map(layoutOf);
    const bytes = layouts.reduce((sum, layout) => sum + layout.bytes, 0);
    yield writeFrame({ runs: runs.length, bytes }, (body) => writeBody(body, layouts));
  }
  yield writeFrame({ runs: 0, bytes: 8 }, (body) => body.set(bytesOf(Float64Array.of(points))));
}

const SPACE = 0x20;

/** The fields of a run that are written. */
interface RunLayout {
  readonly record: readonly number[];
  readonly arrays: readonly Uint8Array[];
  /** Of both, with padding. */
  readonly bytes: number;
}

/** Arrays of a run may have room after the last row, which is not written. */
function layoutOf(run: PackedPoints): RunLayout {
  const { length, start_date, end_date, value, value_valid, unit_id, reporting_date, available_date } = run;
  const reporting = typeof reporting_date === 'object' ? reporting_date : null;
  const inDays =
    isInDays(start_date) && isInDays(end_date) && isInDays(reporting?.dates) && isInDays(available_date);
  const parts = [bytesOf(value, length)];
  let arrays: number = inDays ? ARRAYS.inDays : 0;
  const add = (kind: number, part: Uint8Array | null): void => {
    if (part === null) return;
    arrays += kind;
    parts.push(part);
  };
  const datesOf = (dates: unknown) =>
    dates instanceof Float64Array ? bytesOf(inDays ? daysOf(dates, length) : dates, length) : null;
  const bitsOf = (bitmap: Uint8Array | null | undefined) => bitmap?.subarray(0, bitmapBytes(length)) ?? null;
  add(ARRAYS.startDates, datesOf(start_date));
  add(ARRAYS.endDates, datesOf(end_date));
  add(ARRAYS.valueValid, bitsOf(value_valid));
  add(ARRAYS.units, typeof unit_id === 'object' ? bytesOf(unit_id, length) : null);
  add(ARRAYS.reportingDates, datesOf(reporting?.dates));
  add(ARRAYS.reportingValid, bitsOf(reporting?.valid));
  add(ARRAYS.availableDates, datesOf(available_date));
  const remarks = run.metadata ? encoder.encode(JSON.stringify(run.metadata)) : null;
  if (remarks !== null) parts.push(remarks);
  const record = new Array<number>(RECORD_LENGTH);
  record[RECORD.series] = run.series;
  record[RECORD.length] = length;
  record[RECORD.arrays] = arrays;
  record[RECORD.startMs] = dateAt(start_date, 0);
  record[RECORD.startStepMs] = 'stepMs' in start_date ? start_date.stepMs : 0;
  record[RECORD.endMs] = end_date === null ? Number.NaN : dateAt(end_date, 0);
  record[RECORD.endStepMs] = end_date !== null && 'stepMs' in end_date ? end_date.stepMs : 0;
  record[RECORD.unit] = typeof unit_id === 'number' ? unit_id : 0;
  record[RECORD.reportingMs] = typeof reporting_date === 'number' ? reporting_date : Number.NaN;
  record[RECORD.availableMs] = typeof available_date === 'number' ? available_date : Number.NaN;
  record[RECORD.remarkBytes] = run.metadata === undefined ? -1 : (remarks?.byteLength ?? 0);
  let bytes = RECORD_LENGTH * 8;
  for (const part of parts) bytes += padded(part.byteLength);
  return { record, arrays: parts, bytes };
}

/** Checks whether dates, if they are listed, are whole days. */
function isInDays(dates: unknown): boolean {
  if (!(dates instanceof Float64Array)) return true;
  for (let i = 0; i < dates.length; i++) {
    const day = dates[i]! / DAY_MS;
    if (day !== Math.floor(day)) return false;
  }
  return true;
}

function daysOf(dates: Float64Array, length: number): Int32Array {
  const days = new Int32Array(length);
  for (let i = 0; i < length; i++) days[i] = dates[i]! / DAY_MS;
  return days;
}

function writeBody(body: Uint8Array<ArrayBuffer>, layouts: readonly RunLayout[]): void {
  const records = new Float64Array(body.buffer, body.byteOffset, layouts.length * RECORD_LENGTH);
  let at = records.byteLength;
  layouts.forEach(({ record, arrays }, row) => {
    records.set(record, row * RECORD_LENGTH);
    for (const array of arrays) {
      body.set(array, at);
      at += padded(array.byteLength);
    }
  });
}

function bytesOf(array: Float64Array | Int32Array, length = array.length): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, length * array.BYTES_PER_ELEMENT);
}
