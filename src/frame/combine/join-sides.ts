import { emptyBitmap, setBit } from '../../columns/bitmap.js';
import { ArgumentError } from '../../model/errors.js';
import { dateColumn } from '../series/build-frame.js';
import { floatColumn } from '../series/map-series.js';
import type { TableColumn } from '../table/build-table.js';
import type { FrameColumn } from '../table/columns.js';
import { isKnown, type JoinedColumn, type JoinedSide } from './joined-side.js';

/** Which dates are kept, and where the values of coarser series stand. */
export interface JoinedDates {
  how: 'inner' | 'outer' | 'left';
  repeat_coarser: boolean;
}

/** The columns of two sides on their joined dates, after `end_date`. */
export function joinSides(first: JoinedSide, second: JoinedSide, kept: JoinedDates): TableColumn[] {
  const dates = joinedDates(first, second, kept);
  const rowOf = new Map(Array.from(dates, (date, row) => [date, row]));
  const columns = [first, second].flatMap((side) =>
    side.columns.map((column): TableColumn => {
      const rows = kept.repeat_coarser && column.starts !== null ? periodRows : ownRows;
      return { ...column, column: scatter(column, rows(side, column, { dates, rowOf })) };
    }),
  );
  return [{ name: 'end_date', column: dateColumn(dates) }, ...columns];
}

/**
 * The columns of the second side, renamed where the first has them.
 * @throws ArgumentError when a name stays taken
 */
export function renameTaken(
  side: JoinedSide,
  taken: ReadonlySet<string>,
  suffix: string | undefined,
): JoinedSide {
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
  { how, repeat_coarser }: JoinedDates,
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
export function scatter({ column }: TableColumn, rows: Int32Array): FrameColumn {
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
