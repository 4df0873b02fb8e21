import type { FrameColumn, LongFrame } from '../../browser.js';
import { fromColumns, toColumns } from '../../browser.js';
import { isSet } from '../series/is-set.js';
import { takeRows } from '../series/shown-frame.js';
import { SERIES_FIELDS } from '../state/series-id.js';

/** The vintages of a frame with its complete history: rows by period, in the order in which they count. */
interface Vintages {
  /** Rows of each period, the one that counts last at the end. */
  readonly periods: readonly (readonly number[])[];
  /** When each row became available, UTC milliseconds. */
  readonly available: Float64Array;
  /** Every date on which a row became available, ascending. */
  readonly dates: readonly number[];
}

const known = new WeakMap<LongFrame, Vintages>();

/** The vintages of a long frame of `complete_history` with available dates; computed once for each frame. */
export function vintagesOf(history: LongFrame): Vintages {
  const found = known.get(history) ?? readVintages(history);
  known.set(history, found);
  return found;
}

/**
 * The frame that a service gives for `at_time`: of each period the vintage with the latest reporting date, then the latest
 * available date, of those that were available by then. A vintage without a reporting date is the oldest.
 */
export function asKnown(history: LongFrame, atMs: number): LongFrame {
  const { periods, available } = vintagesOf(history);
  const rows: number[] = [];
  for (const period of periods) {
    const row = period.findLast((one) => available[one]! <= atMs);
    if (row !== undefined) rows.push(row);
  }
  const { available_date: _, ...columns } = toColumns(takeRows(history, rows));
  return fromColumns(columns, { metadata: history.schema.metadata }) as unknown as LongFrame;
}

const KEY = [...SERIES_FIELDS, 'start_date', 'end_date'] as const;

function readVintages(history: LongFrame): Vintages {
  const columns = toColumns(history);
  const keys = KEY.map((name) => columns[name]!.values as Int32Array | BigInt64Array);
  const reported = times(columns.reporting_date!, Number.NEGATIVE_INFINITY);
  const available = times(columns.available_date!, Number.NEGATIVE_INFINITY);
  const periods = new Map<string, number[]>();
  for (let row = 0; row < history.numRows; row++) {
    const key = keys.map((column) => column[row]).join();
    const rows = periods.get(key);
    if (rows === undefined) periods.set(key, [row]);
    else rows.push(row);
  }
  for (const rows of periods.values())
    rows.sort((a, b) => compare(reported[a]!, reported[b]!) || compare(available[a]!, available[b]!));
  const dates = [...new Set(available)].filter(Number.isFinite).sort((a, b) => a - b);
  return { periods: [...periods.values()], available, dates };
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function times(column: FrameColumn, without: number): Float64Array {
  const { valid } = column;
  const values = column.values as BigInt64Array;
  return Float64Array.from(values, (value, row) => (isSet(valid, row) ? Number(value) : without));
}
