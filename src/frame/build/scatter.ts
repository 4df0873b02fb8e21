import { blankNulls, copyBits, isValid, setBit } from '../../columns/bitmap.js';
import type { ColumnPool } from '../../columns/column-pool.js';
import type { PackedRows } from '../../columns/packed-points.js';
import type { DateAxis, DateSpan } from './date-span.js';

/** A column of a wide frame: NaN and a clear bit where there is no value; without `valid` every row has one. */
interface ScatteredColumn {
  values: Float64Array;
  valid: Uint8Array | null;
  /** Points replaced by a later one with the same end date. */
  dropped: number;
}

/** Consecutive rows, all of one series and unit. */
export interface PointSpan extends DateSpan {
  points: PackedRows;
}

/** The axis of the frame, and memory that every column overwrites. */
interface Scratch {
  axis: DateAxis;
  pool: ColumnPool;
  /** The rows of one span; as long as the longest. */
  rows: Int32Array;
  /** The state of each row of the axis. */
  states: Uint8Array;
}

/** States of a row: no point, a null point, or a value. The second bit is the validity. */
const NONE = 0;
const NULL = 1;
const VALUE = 2;

/**
 * Writes the values of the spans, in order, to the rows of their end dates; a later point replaces an earlier one.
 * Overwrites `rows` and `states` of the scratch.
 */
export function scatterColumn(spans: readonly PointSpan[], scratch: Scratch): ScatteredColumn {
  const { axis, pool } = scratch;
  const first = spans.length === 1 ? axis.locate(spans[0]!, scratch.rows) : -1;
  if (first >= 0) return copyRun(spans[0]!, first, scratch);
  const states = scratch.states.fill(NONE);
  const values = pool.values().fill(Number.NaN);
  let dropped = 0;
  for (const span of spans) {
    const at = axis.locate(span, scratch.rows);
    if (at >= 0) for (let i = 0; i < span.to - span.from; i++) scratch.rows[i] = at + i;
    dropped += scatterRows(span, { values, states, rows: scratch.rows });
  }
  return { values, valid: packValid(states, pool.bitmap()), dropped };
}

/** A span on consecutive rows, copied whole; shared where it fills the column, since its null rows hold NaN. */
function copyRun({ points, from, to }: PointSpan, first: number, scratch: Scratch): ScatteredColumn {
  const { length } = scratch.axis;
  const run = points.value.subarray(from, to);
  const isShared = run.length === length;
  const values = isShared ? run : scratch.pool.values();
  if (!isShared) values.set(run, first);
  if (run.length === length && points.value_valid === null) return { values, valid: null, dropped: 0 };
  const valid = scratch.pool.bitmap();
  copyBits(valid, first, { bitmap: points.value_valid, at: from, count: to - from });
  if (!isShared) blankNulls(values, valid);
  return { values, valid, dropped: 0 };
}

interface Target {
  values: Float64Array;
  states: Uint8Array;
  rows: Int32Array;
}

/** @returns the number of replaced points */
function scatterRows({ points, from, to }: PointSpan, { values, states, rows }: Target): number {
  const { value, value_valid } = points;
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

/** Writes the bitmap of the rows that have a value. Packs eight states at once: the loop is hot. */
function packValid(states: Uint8Array, valid: Uint8Array): Uint8Array {
  const whole = states.length & ~7;
  for (let row = 0; row < whole; row += 8) {
    let bits = 0;
    for (let bit = 0; bit < 8; bit++) bits |= (states[row + bit]! >> 1) << bit;
    valid[row >> 3] = bits;
  }
  for (let row = whole; row < states.length; row++) if (states[row] === VALUE) setBit(valid, row);
  return valid;
}
