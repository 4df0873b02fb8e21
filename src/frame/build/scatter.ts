import { blankNulls, copyBits, countValid, isValid, setBit } from '../../columns/bitmap.js';
import type { ColumnPool } from '../../columns/column-pool.js';
import type { PointColumns } from '../../columns/point-columns.js';
import type { DateAxis, DateSpan } from './date-axis.js';

/** A column of a wide frame: NaN and a clear bit where there is no value; no bitmap where every row has one. */
export interface ScatteredColumn {
  values: Float64Array;
  valid: Uint8Array | null;
  /** Points that gave way to a later one with the same end date. */
  dropped: number;
}

/** Rows of some points, all of one series and unit. */
export interface PointSpan extends DateSpan {
  columns: PointColumns;
}

/** Where columns are placed, and room that is used for one after the other. */
export interface Scratch {
  axis: DateAxis;
  pool: ColumnPool;
  /** For the rows of the longest span. */
  rows: Int32Array;
  /** For what stands in each row of the axis. */
  states: Uint8Array;
  /** True when values may be moved within the memory in which they stand. */
  takesOver: boolean;
}

/** What stands in a row: no point, a point that is null, or a value (whose second bit is the validity). */
const NONE = 0;
const NULL = 1;
const VALUE = 2;

/** Puts the values of the spans, in order, on the rows of their end dates; a later point replaces an earlier one. */
export function scatterColumn(spans: readonly PointSpan[], room: Scratch): ScatteredColumn {
  const { axis, pool } = room;
  const first = spans.length === 1 ? axis.locate(spans[0]!, room.rows) : -1;
  if (first >= 0) return placeRun(spans[0]!, first, room);
  const states = room.states.fill(NONE);
  if (spans.length === 1 && room.takesOver && hasRoom(spans[0]!, room))
    return { values: spread(spans[0]!, room), valid: packValid(states, pool.bitmap()), dropped: 0 };
  const values = pool.values().fill(Number.NaN);
  let dropped = 0;
  for (const span of spans) {
    const at = axis.locate(span, room.rows);
    if (at >= 0) for (let i = 0; i < span.to - span.from; i++) room.rows[i] = at + i;
    dropped += placeRows(span, { values, states, rows: room.rows });
  }
  return { values, valid: packValid(states, pool.bitmap()), dropped };
}

/** One unbroken run of dates: copied as it is, and not even that where it fills a column in memory that is taken over. */
function placeRun({ columns, from, to }: PointSpan, first: number, room: Scratch): ScatteredColumn {
  const { length } = room.axis;
  const run = columns.value.subarray(from, to);
  const stays = room.takesOver && run.length === length && run.byteLength === run.buffer.byteLength;
  const values = stays ? run : room.pool.values();
  if (!stays) values.set(run, first);
  const valid = room.pool.bitmap();
  copyBits(valid, first, { bitmap: columns.valueValid, at: from, count: to - from });
  if (countValid(valid, length) === length) return { values, valid: null, dropped: 0 };
  blankNulls(values, valid);
  return { values, valid, dropped: 0 };
}

interface Target {
  values: Float64Array;
  states: Uint8Array;
  rows: Int32Array;
}

/** Whether a whole batch, each date once, can be spread over the column without leaving its own memory. */
function hasRoom({ columns, from, to }: PointSpan, { rows, axis }: Scratch): boolean {
  const { value, length } = columns;
  if (from > 0 || to < length || value.byteOffset > 0 || value.buffer.byteLength < axis.length * 8)
    return false;
  for (let i = 1; i < to; i++) if (rows[i]! <= rows[i - 1]!) return false;
  return true;
}

/** Moves each value to its row, the last one first: none is overwritten before it was moved. */
function spread({ columns, to }: PointSpan, { rows, states }: Scratch): Float64Array {
  const values = new Float64Array(columns.value.buffer as ArrayBuffer, 0, states.length);
  let above = values.length;
  for (let i = to - 1; i >= 0; i--) {
    const row = rows[i]!;
    const present = isValid(columns.valueValid, i);
    const value = present ? values[i]! : Number.NaN;
    while (--above > row) values[above] = Number.NaN;
    values[row] = value;
    states[row] = present ? VALUE : NULL;
  }
  return values.fill(Number.NaN, 0, above);
}

/** Returns how many points gave way. */
function placeRows({ columns, from, to }: PointSpan, { values, states, rows }: Target): number {
  const { value, valueValid } = columns;
  let dropped = 0;
  for (let i = from; i < to; i++) {
    const row = rows[i - from]!;
    if (states[row] !== NONE) dropped++;
    const present = isValid(valueValid, i);
    states[row] = present ? VALUE : NULL;
    values[row] = present ? value[i]! : Number.NaN;
  }
  return dropped;
}

/** The bitmap of the rows that have a value; null where all do. Packs eight states at once: the loop is hot. */
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
