import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { firstFrom } from '../../columns/series-dates.js';
import { type Calendar, periodAt } from '../../model/calendar.js';
import { badArgument, shownValue } from '../../model/errors.js';
import { type FrequencyName, frequencyNamed, periodDays } from '../../model/frequency.js';
import { formatDay, parseTime, utcDay } from '../../model/time.js';
import { buildWide, dateColumn } from '../series/build-frame.js';
import { frequencyOf, periodStarts, readSeries, refusePlainColumns } from '../series/series-points.js';
import type { TableColumn } from '../table/build-table.js';
import { type AnyColumn, type FrameColumn, isKnown, readColumn, readColumns } from '../table/columns.js';
import { derivedMetadata } from '../table/provenance.js';
import { frameSeries, frameShape } from '../table/series-view.js';
import { takeColumn } from '../table/take-rows.js';

/** The dates to keep, and the dates of the values of coarser series. */
export interface JoinedDates {
  how: 'inner' | 'outer' | 'left';
  repeat_coarser: boolean;
}

/** The columns of two sides on their joined dates, after `end_date`. */
export function joinSides(first: JoinedSide, second: JoinedSide, options: JoinedDates): TableColumn[] {
  const dates = joinedDates(first, second, options);
  const rowOf = new Map(Array.from(dates, (date, row) => [date, row]));
  const columns = [first, second].flatMap((side) =>
    side.columns.map((column): TableColumn => {
      const rows = options.repeat_coarser && column.starts !== null ? periodRows : ownRows;
      return { ...column, column: takeColumn(column.column, rows(side, column, { dates, rowOf })) };
    }),
  );
  return [{ name: 'end_date', column: dateColumn(dates) }, ...columns];
}

/**
 * The columns of the second table, renamed where the first has them.
 * @throws ArgumentError when the first has that name too
 */
export function renameClashes<Column extends TableColumn>(
  columns: readonly Column[],
  names: ReadonlySet<string>,
  suffix: string | undefined,
): Column[] {
  return columns.map((column) => {
    if (!names.has(column.name)) return column;
    const name = `${column.name}${suffix ?? ''}`;
    if (!names.has(name)) return { ...column, name };
    throw badArgument(
      'suffix',
      `both frames have a column "${name}"; give a suffix for that of the second frame, for instance " (2)"`,
    );
  });
}

/** A column that is no series any more: its metadata has names, but no ids. */
export function withoutSeries<Column extends TableColumn>(column: Column): Column {
  const names = [...(column.metadata ?? [])].filter(
    ([key]) => !key.endsWith('_id') && !key.includes('region'),
  );
  return { ...column, metadata: new Map(names) };
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

/** The key of the rows of joined frames: the end date, or its calendar period. */
export type JoinOn = 'end_date' | (Calendar & FrequencyName);

/** One of two frames to join. */
export interface JoinedSide {
  /** For each row the date of the joined row, in UTC milliseconds. */
  dates: Float64Array;
  columns: JoinedColumn[];
}

/** A column to join. */
export interface JoinedColumn extends TableColumn {
  /** For each row of a series coarser than a day, the first date of its period. */
  starts: Float64Array | null;
}

/** How a side is read. */
interface SideOptions {
  /** For messages. */
  side: 'left' | 'right';
  on: JoinOn;
  /** The column of dates. */
  date: string;
  /** The place of all rows, for messages. */
  place?: string | undefined;
}

/**
 * A frame to join as columns over joined dates. A long frame becomes a wide one.
 * @throws ArgumentError when a series is finer than the periods, a row has no date, or a column has two values for one
 */
export function readSide(table: Table, { side, on, date, place }: SideOptions): JoinedSide {
  const wide = frameShape(table) === 'long' ? widen(table, side) : table;
  const ends = readDates(wide, { side, on, date });
  const dates = on === 'end_date' ? ends : ends.map((end) => periodAt(end, on).endMs);
  const views = new Map(frameSeries(wide).map((view) => [view.column, view]));
  const columns = readColumns(wide)
    .filter(({ field }) => field.name !== date)
    .map(({ field: { name, metadata }, column }): JoinedColumn => {
      const view = views.get(name);
      if (view !== undefined && on !== 'end_date') checkFrequency(name, frequencyOf(view), { side, on });
      const starts = view === undefined ? null : periodStarts(view, ends);
      return { name, column, metadata, starts };
    });
  for (const { name, column } of columns) checkOneValue(name, column, { side, on, dates, place });
  return { dates, columns };
}

function widen(table: Table, side: string): Table {
  refusePlainColumns(table, 'join');
  return buildWide(readSeries(table), derivedMetadata(table, side));
}

function readDates(
  table: Table,
  { side, on, date }: { side: string; on: JoinOn; date: string },
): Float64Array {
  if (!table.schema.fields.some(({ name }) => name === date)) {
    const names = table.schema.fields.map(({ name }) => name).slice(0, 12);
    throw badArgument(
      `${side}_date`,
      `the ${side} table has no column ${shownValue(date)}; it has ${names.join(', ')}`,
    );
  }
  const column = readColumn(table, date);
  return Float64Array.from(column.values as ArrayLike<unknown>, (_, row) => {
    if (!isValid(column.valid, row)) {
      throw badArgument(`${side}_date`, `row ${row + 1} of "${date}" has no date; filter it out`);
    }
    return dateAt(column, row, { name: `${side}_date`, on });
  });
}

/** Calendars whose periods a month tells. */
const OF_MONTHS: readonly JoinOn[] = ['monthly', 'quarterly', 'annual'];

/** A date as a timestamp, a text, or, for annual periods, a number of a year. */
function dateAt(column: FrameColumn, row: number, { name, on }: { name: string; on: JoinOn }): number {
  if (column.type === 'timestamp') return Number(column.values[row]);
  if (column.type === 'utf8') return textDate(column.values[row]!, { name, on });
  if (column.type === 'dictionary') return textDate(column.categories[column.values[row]!]!, { name, on });
  const year = column.values[row]!;
  if (on === 'annual' && Number.isInteger(year) && year > 0 && year < 10_000) return utcDay(year, 12, 31);
  throw badArgument(name, `row ${row + 1} has ${year}; give dates, or years with on: "annual"`);
}

/** A date, or a month such as `2012-07` where the periods are months or longer: then its last day. */
function textDate(text: string, { name, on }: { name: string; on: JoinOn }): number {
  const [, year, month] = (OF_MONTHS.includes(on) && /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text)) || [];
  return year === undefined ? parseTime(text, name) : utcDay(Number(year), Number(month) + 1, 0);
}

function checkFrequency(
  column: string,
  frequency: ReturnType<typeof frequencyOf>,
  { side, on }: { side: string; on: FrequencyName },
): void {
  if (periodDays(frequency) >= periodDays(frequencyNamed(on))) return;
  throw badArgument(
    side,
    `"${column}" is ${frequency.name}, finer than ${on} periods; resample it to ${on} first`,
  );
}

function checkOneValue(
  name: string,
  column: AnyColumn,
  { side, on, dates, place }: Pick<SideOptions, 'side' | 'on' | 'place'> & { dates: Float64Array },
): void {
  const seen = new Set<number>();
  for (const [row, date] of dates.entries()) {
    if (!isKnown(column, row)) continue;
    if (!seen.has(date)) {
      seen.add(date);
      continue;
    }
    const what = on === 'end_date' ? formatDay(date) : `the ${on} period that ends on ${formatDay(date)}`;
    const [where, remedy] =
      place === undefined
        ? ['', 'name the column that tells them apart as "by", keep one row for it, or aggregate them first']
        : [` in ${JSON.stringify(place)}`, 'keep one row for it, or aggregate them first'];
    throw badArgument(side, `"${name}" has several values for ${what}${where}; ${remedy}`);
  }
}
