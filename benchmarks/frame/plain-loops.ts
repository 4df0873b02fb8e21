import { SERIES_KEY_FIELDS } from '../../src/model/series.js';
import { DAY_MS } from '../../src/model/time.js';
import type { PointBatches } from './points.js';

/** The columns of a long frame in plain arrays; one byte a row tells a value from a null. */
export interface PlainLong {
  start: BigInt64Array;
  end: BigInt64Array;
  value: Float64Array;
  hasValue: Uint8Array;
  unit: Int32Array;
  reporting: BigInt64Array;
  ids: Int32Array[];
}

/** Batch after batch into one array a column. */
export function concatenatePlainly({ series, batches }: PointBatches): PlainLong {
  const rows = batches.reduce((sum, batch) => sum + batch.length, 0);
  const long = {
    start: new BigInt64Array(rows),
    end: new BigInt64Array(rows),
    value: new Float64Array(rows),
    hasValue: new Uint8Array(rows),
    unit: new Int32Array(rows),
    reporting: new BigInt64Array(rows),
    ids: SERIES_KEY_FIELDS.map(() => new Int32Array(rows)),
  };
  const tables = SERIES_KEY_FIELDS.map((field) => Int32Array.from(series, (key) => key[field]));
  let at = 0;
  for (const batch of batches) {
    long.start.set(batch.start_date, at);
    long.end.set(batch.end_date, at);
    long.value.set(batch.value, at);
    long.unit.set(batch.unit_id, at);
    long.reporting.set(batch.reporting_date, at);
    for (let i = 0; i < batch.length; i++)
      long.hasValue[at + i] = (batch.value_valid![i >> 3]! >> (i & 7)) & 1;
    for (let field = 0; field < tables.length; field++) {
      const table = tables[field]!;
      const ids = long.ids[field]!;
      for (let i = 0; i < batch.length; i++) ids[at + i] = table[batch.series[i]!]!;
    }
    at += batch.length;
  }
  return long;
}

/** A wide frame in plain arrays: NaN where there is no value. */
export interface PlainWide {
  dates: Float64Array;
  columns: Float64Array[];
}

/** Milliseconds of a 64-bit column as numbers, read by halves: twice as fast as through BigInt. */
export function readEnds(end_date: BigInt64Array): Float64Array {
  const words = new Int32Array(end_date.buffer, end_date.byteOffset, end_date.length * 2);
  const ends = new Float64Array(end_date.length);
  for (let i = 0; i < ends.length; i++) ends[i] = words[2 * i + 1]! * 4_294_967_296 + (words[2 * i]! >>> 0);
  return ends;
}

/** Every value onto a grid of days, then the days that no series has are left out. */
export function gridPlainly({ series, batches }: PointBatches): PlainWide {
  const ends = batches.map(({ end_date }) => readEnds(end_date));
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const some of ends) {
    for (let i = 0; i < some.length; i++) {
      if (some[i]! < first) first = some[i]!;
      if (some[i]! > last) last = some[i]!;
    }
  }
  const days = (last - first) / DAY_MS + 1;
  const columns = Array.from(series, () => new Float64Array(days).fill(Number.NaN));
  const present = new Uint8Array(days);
  batches.forEach(({ length, series: positions, value, value_valid }, batch) => {
    const some = ends[batch]!;
    for (let i = 0; i < length; i++) {
      const day = (some[i]! - first) / DAY_MS;
      present[day] = 1;
      if ((value_valid![i >> 3]! >> (i & 7)) & 1) columns[positions[i]!]![day] = value[i]!;
    }
  });
  const kept = Array.from(present.keys()).filter((day) => present[day] === 1);
  const dates = Float64Array.from(kept, (day) => first + day * DAY_MS);
  if (kept.length === days) return { dates, columns };
  return { dates, columns: columns.map((column) => Float64Array.from(kept, (day) => column[day]!)) };
}

/** The same by a hash map from date to row, for dates that lie on no grid. */
export function mapPlainly({ series, batches }: PointBatches): PlainWide {
  const rows = new Map<number, number>();
  for (const { end_date, length } of batches) {
    for (let i = 0; i < length; i++) rows.set(Number(end_date[i]), 0);
  }
  const dates = Float64Array.from(rows.keys()).sort();
  dates.forEach((date, row) => {
    rows.set(date, row);
  });
  const columns = Array.from(series, () => new Float64Array(dates.length).fill(Number.NaN));
  for (const batch of batches) {
    for (let i = 0; i < batch.length; i++) {
      if (((batch.value_valid![i >> 3]! >> (i & 7)) & 1) === 0) continue;
      columns[batch.series[i]!]![rows.get(Number(batch.end_date[i]))!] = batch.value[i]!;
    }
  }
  return { dates, columns };
}
