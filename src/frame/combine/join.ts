import type { Table } from 'apache-arrow';
import { emptyBitmap, setBit } from '../../columns/bitmap.js';
import { checkFlag, checkText, oneOf } from '../../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { CALENDARS } from '../../model/calendar.js';
import { ArgumentError } from '../../model/errors.js';
import { dateColumn } from '../series/build-frame.js';
import { floatColumn } from '../series/map-series.js';
import { buildTable, type TableColumn } from '../table/build-table.js';
import { checkTable } from '../table/check-table.js';
import type { FrameColumn } from '../table/columns.js';
import type { WideFrame } from '../table/frame-types.js';
import { mergedMetadata } from '../table/merge-provenance.js';
import { isKnown, type JoinedColumn, type JoinedSide, type JoinOn, readSide } from './joined-side.js';

/** How two frames are joined. */
export interface JoinOptions {
  /**
   * Rows belong together that have the same end date (default), or whose end dates lie in the same calendar period; then
   * `end_date` is the last day of the period.
   */
  on?: JoinOn | undefined;
  /** The dates to keep: those of both frames (default), of either, or of the first. */
  how?: 'inner' | 'outer' | 'left' | undefined;
  /** Whether the value of a coarser series stands on each date within its period, not on its last alone (default false). */
  repeat_coarser?: boolean | undefined;
  /** Appended to the names of columns of the second frame that the first has as well. */
  suffix?: string | undefined;
  /** The column of dates of the first frame (default `end_date`). With `on: 'monthly'` or coarser it may hold months as texts (`2012-07`), with `on: 'annual'` years as numbers. */
  left_date?: string | undefined;
  /** The column of dates of the second frame (default `end_date`). With `on: 'monthly'` or coarser it may hold months as texts (`2012-07`), with `on: 'annual'` years as numbers. */
  right_date?: string | undefined;
}

const JOIN_KEYS: OptionKeys<JoinOptions> = {
  on: oneOf(['end_date', ...CALENDARS]),
  how: oneOf(['inner', 'outer', 'left']),
  repeat_coarser: checkFlag,
  suffix: checkText,
  left_date: checkText,
  right_date: checkText,
};

/**
 * Two frames, long or wide, or tables with a column of dates, side by side in one wide frame: `end_date`, ascending, then
 * the columns of the first and of the second. A value that a frame lacks on a date is null; nothing is aggregated. Units,
 * sources and reports of both are kept.
 * @throws ArgumentError when a series is finer than the periods of `on`, a column has two values for one of them, or both
 * frames have a column of the same name and no `suffix` is given
 */
export function join(left: Table, right: Table, options: JoinOptions = {}): WideFrame {
  checkTable(left, 'left');
  checkTable(right, 'right');
  checkOptions(options, JOIN_KEYS, 'join');
  const { on = 'end_date', how = 'inner', repeat_coarser = false } = options;
  const { left_date = 'end_date', right_date = 'end_date' } = options;
  const first = readSide(left, { side: 'left', on, date: left_date });
  const second = renameTaken(
    readSide(right, { side: 'right', on, date: right_date }),
    new Set(['end_date', ...first.columns.map(({ name }) => name)]),
    options.suffix,
  );
  const dates = joinedDates(first, second, { how, repeat_coarser });
  const rowOf = new Map(Array.from(dates, (date, row) => [date, row]));
  const columns = [first, second].flatMap((side) =>
    side.columns.map((column): TableColumn => {
      const rows = repeat_coarser && column.starts !== null ? periodRows : ownRows;
      return { ...column, column: scatter(column, rows(side, column, { dates, rowOf })) };
    }),
  );
  const metadata = mergedMetadata([left, right], `join(${JSON.stringify(options)})`);
  return buildTable([{ name: 'end_date', column: dateColumn(dates) }, ...columns], metadata);
}

function renameTaken(side: JoinedSide, taken: ReadonlySet<string>, suffix: string | undefined): JoinedSide {
  const columns = side.columns.map((column) => {
    if (!taken.has(column.name)) return column;
    const name = `${column.name}${suffix ?? ''}`;
    if (!taken.has(name)) return { ...column, name };
    throw new ArgumentError(
      'suffix',
      `suffix: both frames have a column "${name}"; give a suffix for the second one's, for instance " (2)"`,
    );
  });
  return { ...side, columns };
}

/** The dates of the joined rows, ascending. */
function joinedDates(
  left: JoinedSide,
  right: JoinedSide,
  { how, repeat_coarser }: { how: 'inner' | 'outer' | 'left'; repeat_coarser: boolean },
): Float64Array {
  if (how === 'left') return sorted(left.dates);
  const all = sorted([...left.dates, ...right.dates]);
  if (how === 'outer') return all;
  const rowOf = new Map(Array.from(all, (date, row) => [date, row]));
  const [inLeft, inRight] = [left, right].map((side) => {
    const held = Uint8Array.from(all, () => 0);
    for (const date of side.dates) held[rowOf.get(date)!] = 1;
    if (!repeat_coarser) return held;
    for (const column of side.columns) {
      if (column.starts === null) continue;
      periodRows(side, column, { dates: all, rowOf }).forEach((row, at) => {
        if (row >= 0) held[at] = 1;
      });
    }
    return held;
  });
  return all.filter((_, at) => inLeft![at] === 1 && inRight![at] === 1);
}

function sorted(dates: Iterable<number>): Float64Array {
  return Float64Array.from(new Set(dates)).sort();
}

interface JoinedRows {
  dates: Float64Array;
  rowOf: ReadonlyMap<number, number>;
}

/** For each joined row the row of the column's value on that date; -1 for none. */
function ownRows({ dates }: JoinedSide, { column }: JoinedColumn, joined: JoinedRows): Int32Array {
  const rows = new Int32Array(joined.dates.length).fill(-1);
  dates.forEach((date, row) => {
    const at = joined.rowOf.get(date);
    if (at !== undefined && isKnown(column, row)) rows[at] = row;
  });
  return rows;
}

/** For each joined row the row of the column's value whose period contains that date; -1 for none. */
function periodRows({ dates }: JoinedSide, { column, starts }: JoinedColumn, joined: JoinedRows): Int32Array {
  const rows = new Int32Array(joined.dates.length).fill(-1);
  dates.forEach((end, row) => {
    if (!isKnown(column, row)) return;
    for (let at = firstFrom(joined.dates, starts![row]!); joined.dates[at]! <= end; at++) rows[at] = row;
  });
  return rows;
}

/** Index of the first date from `ms` on. */
function firstFrom(dates: Float64Array, ms: number): number {
  let low = 0;
  let high = dates.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (dates[middle]! < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The values of these rows; null for -1. */
function scatter({ column }: TableColumn, rows: Int32Array): FrameColumn {
  if (column.type === 'float64') {
    return floatColumn(Float64Array.from(rows, (row) => (row < 0 ? Number.NaN : column.values[row]!)));
  }
  if (column.type === 'utf8') {
    const values = Array.from(rows, (row) => (row < 0 ? null : column.values[row]!));
    return { type: 'utf8', values, valid: knownRows(rows) };
  }
  const values = new (column.values.constructor as Int32ArrayConstructor)(rows.length);
  rows.forEach((row, at) => {
    if (row >= 0) values[at] = column.values[row] as number;
  });
  return { ...column, values, valid: knownRows(rows) } as FrameColumn;
}

function knownRows(rows: Int32Array): Uint8Array | null {
  if (!rows.includes(-1)) return null;
  const valid = emptyBitmap(rows.length);
  rows.forEach((row, at) => {
    if (row >= 0) setBit(valid, at);
  });
  return valid;
}
