import { blankNulls, copyBits, countValid, isValid, setBit } from '../../columns/bitmap.js';
import type { ColumnPool } from '../../columns/column-pool.js';
import type { PointColumns } from '../../columns/point-columns.js';
import type { DateAxis, DateSpan } from './date-axis.js';

/** A column of a wide frame: NaN and a clear bit where there is no value; `valid` is null when every row has one. */
interface ScatteredColumn {
  values: Float64Array;
  valid: Uint8Array | null;
  /** Points replaced by a later one with the same end date. */
  dropped: number;
}

/** Consecutive rows of a batch, all of one series and unit. */
export interface PointSpan extends DateSpan {
  columns: PointColumns;
}

/** The axis of the frame, and memory that every column overwrites. */
interface Scratch {
  axis: DateAxis;
  pool: ColumnPool;
  /** The rows of one span; as long as the longest. */
  rows: Int32Array;
  /** The state of each row of the axis. */
  states: Uint8Array;
  /** Whether a column may overwrite the memory of its points instead of copying them. */
  mayReusePoints: boolean;
}

/** States of a row: no point, a null point, or a value. The second bit is the validity. */
const NONE = 0;
const NULL = 1;
const VALUE = 2;

/**
 * Writes the values of the spans, in order, to the rows of their end dates; a later point replaces an earlier one.
 * Overwrites `rows` and `states` of the scratch. With `mayReusePoints`, the returned values may lie in the memory of the
 * points, which are then no longer usable.
 */
export function scatterColumn(spans: readonly PointSpan[], scratch: Scratch): ScatteredColumn {
  const { axis, pool } = scratch;
  const first = spans.length === 1 ? axis.locate(spans[0]!, scratch.rows) : -1;
  if (first >= 0) return copyRun(spans[0]!, first, scratch);
  const states = scratch.states.fill(NONE);
  if (spans.length === 1 && scratch.mayReusePoints && fitsInPlace(spans[0]!, scratch))
    return { values: spreadInPlace(spans[0]!, scratch), valid: packValid(states, pool.bitmap()), dropped: 0 };
  const values = pool.values().fill(Number.NaN);
  let dropped = 0;
  for (const span of spans) {
    const at = axis.locate(span, scratch.rows);
    if (at >= 0) for (let i = 0; i < span.to - span.from; i++) scratch.rows[i] = at + i;
    dropped += scatterRows(span, { values, states, rows: scratch.rows });
  }
  return { values, valid: packValid(states, pool.bitmap()), dropped };
}

/** A span on consecutive rows, copied whole; returned without a copy where it fills the column and may be reused. */
function copyRun({ columns, from, to }: PointSpan, first: number, scratch: Scratch): ScatteredColumn {
  const { length } = scratch.axis;
  const run = columns.value.subarray(from, to);
  const isReused =
    scratch.mayReusePoints && run.length === length && run.byteLength === run.buffer.byteLength;
  const values = isReused ? run : scratch.pool.values();
  if (!isReused) values.set(run, first);
  const valid = scratch.pool.bitmap();
  copyBits(valid, first, { bitmap: columns.value_valid, at: from, count: to - from });
  if (countValid(valid, length) === length) return { values, valid: null, dropped: 0 };
  blankNulls(values, valid);
  return { values, valid, dropped: 0 };
}

interface Target {
  values: Float64Array;
  states: Uint8Array;
  rows: Int32Array;
}

/** Whether the span is a whole batch with distinct, ascending dates, in memory as large as the column. */
function fitsInPlace({ columns, from, to }: PointSpan, { rows, axis }: Scratch): boolean {
  const { value, length } = columns;
  if (from > 0 || to < length || value.byteOffset > 0 || value.buffer.byteLength < axis.length * 8)
    return false;
  for (let i = 1; i < to; i++) if (rows[i]! <= rows[i - 1]!) return false;
  return true;
}

/** Moves each value to its row within its own memory, last value first so that none is overwritten before it moves. */
function spreadInPlace({ columns, to }: PointSpan, { rows, states }: Scratch): Float64Array {
  const values = new Float64Array(columns.value.buffer as ArrayBuffer, 0, states.length);
  let above = values.length;
  for (let i = to - 1; i >= 0; i--) {
    const row = rows[i]!;
    const present = isValid(columns.value_valid, i);
    const value = present ? values[i]! : Number.NaN;
    while (--above > row) values[above] = Number.NaN;
    values[row] = value;
    states[row] = present ? VALUE : NULL;
  }
  return values.fill(Number.NaN, 0, above);
}

/** @returns the number of replaced points */
function scatterRows({ columns, from, to }: PointSpan, { values, states, rows }: Target): number {
  const { value, value_valid } = columns;
  let dropped = 0;
  for (let i = from; i < to; i++) {
    const row = rows[i - from]!;
    if (states[row] !== NONE) dropped++;
    const present = isValid(value_valid, i);
    states[row] = present ? VALUE : NULL;
    values[row] = present ? value[i]! : Number.NaN;
  }
  return dropped;
}

/** Writes the bitmap of the rows that have a value; null when all do. Packs eight states at once: the loop is hot. */
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
