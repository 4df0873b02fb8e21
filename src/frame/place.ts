import type { PointColumns } from '../model/point.js';
import { blankNulls, copyBits, countValid, setBit } from './bitmap.js';
import type { ColumnPool } from './column-pool.js';
import type { DateAxis, DateSpan } from './date-axis.js';

/** A column of a wide frame: NaN and a clear bit where there is no value; no bitmap where every row has one. */
export interface PlacedColumn {
  values: Float64Array;
  valid: Uint8Array | null;
  /** Points that gave way to a later one with the same end date. */
  dropped: number;
}

/** Where columns are placed, and room that is used for one after the other. */
export interface PlaceRoom {
  axis: DateAxis;
  pool: ColumnPool;
  /** For the rows of the longest span. */
  rows: Int32Array;
  /** For what stands in each row of the axis. */
  states: Uint8Array;
}

/** What stands in a row: no point, a point that is null, or a value (whose second bit is the validity). */
const NONE = 0;
const NULL = 1;
const VALUE = 2;

/** Puts the values of the spans, in order, on the rows of their end dates; a later point replaces an earlier one. */
export function placeColumn(
  batches: readonly PointColumns[],
  spans: readonly (DateSpan & { batch: number })[],
  room: PlaceRoom,
): PlacedColumn {
  const { axis, pool } = room;
  const first = spans.length === 1 ? axis.locate(spans[0]!, room.rows) : -1;
  if (first >= 0) return placeRun(batches[spans[0]!.batch]!, spans[0]!, { first, pool });
  const values = pool.values().fill(Number.NaN);
  const states = room.states.fill(NONE);
  let dropped = 0;
  for (const span of spans) {
    const at = axis.locate(span, room.rows);
    if (at >= 0) for (let i = 0; i < span.to - span.from; i++) room.rows[i] = at + i;
    dropped += placeRows(batches[span.batch]!, span, { values, states, rows: room.rows });
  }
  return { values, valid: packValid(states, pool.bitmap()), dropped };
}

/** One unbroken run of dates: copied as it is. */
function placeRun(
  { value, valueValid }: PointColumns,
  { from, to }: DateSpan,
  { first, pool }: { first: number; pool: ColumnPool },
): PlacedColumn {
  const values = pool.values();
  const { length } = values;
  values.set(value.subarray(from, to), first);
  const valid = pool.bitmap();
  copyBits(valid, first, { bitmap: valueValid, at: from, count: to - from });
  if (countValid(valid, length) === length) return { values, valid: null, dropped: 0 };
  blankNulls(values, valid);
  return { values, valid, dropped: 0 };
}

interface Target {
  values: Float64Array;
  states: Uint8Array;
  rows: Int32Array;
}

/** Returns how many points gave way. */
function placeRows(
  { value, valueValid }: PointColumns,
  { from, to }: DateSpan,
  { values, states, rows }: Target,
): number {
  let dropped = 0;
  for (let i = from; i < to; i++) {
    const row = rows[i - from]!;
    if (states[row] !== NONE) dropped++;
    const present = valueValid === null || ((valueValid[i >> 3]! >> (i & 7)) & 1) === 1;
    states[row] = present ? VALUE : NULL;
    values[row] = present ? value[i]! : Number.NaN;
  }
  return dropped;
}

/** The bitmap of the rows that have a value; null where all do. */
function packValid(states: Uint8Array, valid: Uint8Array): Uint8Array | null {
  const whole = states.length & ~7;
  for (let row = 0; row < whole; row += 8) {
    let bits = 0;
    for (let bit = 0; bit < 8; bit++) bits |= (states[row + bit]! >> 1) << bit;
    valid[row >> 3] = bits;
  }
  for (let row = whole; row < states.length; row++) if (states[row] === VALUE) setBit(valid, row);
  return countValid(valid, states.length) === states.length ? null : valid;
}
