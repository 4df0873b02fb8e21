import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { rowsOf } from '../../columns/row-runs.js';
import { distinctDates, firstFrom } from '../../columns/series-dates.js';
import { type Calendar, periodAt } from '../../model/calendar.js';
import { badArgument } from '../../model/errors.js';
import { type FrequencyName, frequencyNamed, periodDays } from '../../model/frequency.js';
import { DAY_MS, formatDay, parseTime, utcDay, zoneOffsetMs } from '../../model/time.js';
import { daysBegun, localTimes } from '../../model/time-zone.js';
import { buildWide, dateColumn } from '../series/build-frame.js';
import { frequencyOf, periodStarts, readSeries, refusePlainColumns } from '../series/series-points.js';
import type { TableColumn } from '../table/build-table.js';
import {
  type AnyColumn,
  type FrameColumn,
  findColumn,
  isKnown,
  joinArrays,
  readColumn,
  readColumns,
  wholeAsDoubles,
  zoneOf,
} from '../table/columns.js';
import { derivedMetadata } from '../table/provenance.js';
import { frameSeries, frameShape } from '../table/series-view.js';
import { takeColumn } from '../table/take-rows.js';
import { checkPlaces, type PlacedSide, rowsByPlace, widenByPlace } from './join-places.js';

/** Which rows to keep, and how to treat the values of coarser series. */
interface JoinedDates {
  how: 'inner' | 'outer' | 'left';
  repeat_coarser: boolean;
  /** The place columns of both sides, if rows are joined by place. */
  by: { left: string; right: string } | undefined;
}

/** Returns `end_date` and the columns of both sides on their joined dates, and the place of each row. */
export function joinSides(
  first: JoinedSide,
  second: JoinedSide,
  options: JoinedDates,
): { columns: TableColumn[]; places: string[] } {
  const joined = joinedPlaces(first, second, options).map((place): JoinedRows => {
    return { place, dates: joinedDates([first, second], place, options) };
  });
  const columns = [first, second].flatMap((side) =>
    side.columns.map((column): TableColumn => {
      const rows = joined.map((ofPlace) => rowsOn(side, column, { ...ofPlace, ...options }));
      return { ...column, column: takeColumn(column.column, joinArrays(rows, Int32Array)) };
    }),
  );
  const dates = joinArrays(
    joined.map(({ dates }) => dates),
    Float64Array,
  );
  return {
    columns: [{ name: 'end_date', column: dateColumn(dates) }, ...columns],
    places: joined.flatMap(({ place, dates }) => new Array<string>(dates.length).fill(place)),
  };
}

/**
 * Lists the places of the result. @throws ArgumentError if the sides have no place in common, unless all rows are kept
 */
function joinedPlaces(first: JoinedSide, second: JoinedSide, { how, by }: JoinedDates): string[] {
  const [inLeft, inRight] = [[...first.places.keys()], [...second.places.keys()]];
  if (how === 'outer') return [...new Set([...inLeft, ...inRight])];
  const inBoth = inLeft.filter((place) => second.places.has(place));
  if (inBoth.length > 0 || inLeft.length === 0 || inRight.length === 0)
    return how === 'left' ? inLeft : inBoth;
  throw badArgument(
    'by',
    `no "${by?.left}" of the left, such as ${JSON.stringify(inLeft[0])}, is a "${by?.right}" of the right, such as ${JSON.stringify(inRight[0])}; write them alike in both`,
  );
}

/**
 * Appends the suffix to the names of columns that the first table also has.
 * @throws ArgumentError if the first table also has the new name
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

/**
 * Removes the ids and the region from a column's metadata, so that it is no longer a series. Other names stay.
 */
export function withoutSeries<Column extends TableColumn>(column: Column): Column {
  const names = [...(column.metadata ?? [])].filter(
    ([key]) => !key.endsWith('_id') && !key.includes('region'),
  );
  return { ...column, metadata: new Map(names) };
}

/** Returns the dates of a place in the result, ascending. */
function joinedDates(
  sides: readonly [JoinedSide, JoinedSide],
  place: string,
  { how, repeat_coarser }: JoinedDates,
): Float64Array {
  const own = sides.map(({ dates, places }) => Array.from(places.get(place) ?? [], (row) => dates[row]!));
  const dates = distinctDates(how === 'left' ? own[0]! : own.flat());
  if (how !== 'inner') return dates;
  const held = sides.map((side, at) => {
    const ofSide = new Set(own[at]);
    const repeated = side.columns
      .filter(({ starts }) => repeat_coarser && starts !== null)
      .map((column) => rowsOn(side, column, { place, dates, repeat_coarser }));
    return (date: number, row: number) => ofSide.has(date) || repeated.some((rows) => rows[row]! >= 0);
  });
  return dates.filter((date, row) => held.every((holds) => holds(date, row)));
}

/** A place and its dates in the result. */
interface JoinedRows {
  place: string;
  dates: Float64Array;
}

/**
 * Finds, for each date of the result, the row with the column's value on that date, or -1. With `repeat_coarser`, it is
 * the row whose period contains that date.
 */
function rowsOn(
  side: JoinedSide,
  { column, starts }: JoinedColumn,
  { place, dates, repeat_coarser }: JoinedRows & Pick<JoinedDates, 'repeat_coarser'>,
): Int32Array {
  const rows = new Int32Array(dates.length).fill(-1);
  const firstDates = repeat_coarser && starts !== null ? starts : side.dates;
  for (const row of side.places.get(place) ?? []) {
    if (!isKnown(column, row)) continue;
    for (let at = firstFrom(dates, firstDates[row]!); dates[at]! <= side.dates[row]!; at++) rows[at] = row;
  }
  return rows;
}

/** The key by which rows of frames are joined: the end date, or the calendar period that contains it. */
export type JoinOn = 'end_date' | (Calendar & FrequencyName);

/** One of the two frames to join. */
interface JoinedSide {
  /** For each row, the joined date in UTC milliseconds. */
  dates: Float64Array;
  /** The rows of each place, or of a single place named `''` if rows are not joined by place. */
  places: ReadonlyMap<string, Iterable<number>>;
  columns: JoinedColumn[];
}

interface JoinedColumn extends TableColumn {
  /** For each row, the first date of its period; null if the column is not a series. */
  starts: Float64Array | null;
}

/** Options for reading one side. */
interface SideOptions {
  /** For error messages. */
  side: 'left' | 'right';
  on: JoinOn;
  /** The name of the date column. */
  date: string;
  /** The name of the place column, if rows are joined by place. */
  by: string | undefined;
}

/**
 * Reads a frame as columns to join by date. A long frame is first converted to wide.
 * @throws ArgumentError if a series is finer than the periods, a row has no date, or a column has two values for one
 * date
 */
export function readSide(table: Table, { side, on, date, by }: SideOptions): JoinedSide {
  if (by !== undefined) checkPlaces(table, { side, by });
  const wide = frameShape(table) === 'long' ? widen(table, { side, by }) : table;
  const places =
    by === undefined
      ? new Map([['', rowsOf([{ from: 0, to: wide.numRows }])]])
      : rowsByPlace(wide, { side, by });
  const ends = readDates(wide, { side, on, date });
  const dates = on === 'end_date' ? ends : ends.map((end) => periodAt(end, on).endMs);
  const views = new Map(frameSeries(wide).map((view) => [view.column, view]));
  const columns = readColumns(wide)
    .filter(({ field }) => field.name !== date && field.name !== by)
    .map(({ field: { name, metadata }, column }): JoinedColumn => {
      const view = views.get(name);
      if (view !== undefined && on !== 'end_date') checkFrequency(name, frequencyOf(view), { side, on });
      const starts = view === undefined ? null : periodStarts(view, ends);
      const read = { name, column, metadata, starts };
      return by === undefined ? read : withoutSeries(read);
    });
  for (const { name, column } of columns) checkOneValue(name, column, { side, on, dates, places, by });
  return { dates, places, columns };
}

function widen(table: Table, { side, by }: PlacedSide): Table {
  refusePlainColumns(table, 'join');
  return by === undefined
    ? buildWide(readSeries(table), derivedMetadata(table, side))
    : widenByPlace(table, { side, by });
}

function readDates(
  table: Table,
  { side, on, date }: { side: string; on: JoinOn; date: string },
): Float64Array {
  const found = wholeAsDoubles(findColumn(table, date, `${side}_date`));
  const column = found.type === 'other' ? readColumn(table, date) : found;
  const dates = Float64Array.from(column.values as ArrayLike<unknown>, (_, row) => {
    if (!isValid(column.valid, row)) {
      throw badArgument(`${side}_date`, `row ${row + 1} of "${date}" has no date; filter it out`);
    }
    return dateAt(column, row, { name: `${side}_date`, on });
  });
  const zone = zoneOf(table.getChild(date)!.type);
  if (zone === undefined) return dates;
  return on === 'end_date' ? (daysBegun(dates, zone) ?? dates) : dates.map(localTimes(zone));
}

/** Calendars whose periods a month such as `2012-07` identifies. */
const OF_MONTHS: readonly JoinOn[] = ['monthly', 'quarterly', 'annual'];

/** Reads a date from a timestamp, a string or, if `on` is `annual`, a year number. */
function dateAt(column: FrameColumn, row: number, { name, on }: { name: string; on: JoinOn }): number {
  if (column.type === 'timestamp') return Number(column.values[row]);
  if (column.type === 'utf8') return textDate(column.values[row]!, { name, on });
  if (column.type === 'dictionary') return textDate(column.categories[column.values[row]!]!, { name, on });
  const year = column.values[row]!;
  if (on === 'annual' && Number.isInteger(year) && year > 0 && year < 10_000) return utcDay(year, 12, 31);
  throw badArgument(name, `row ${row + 1} has ${year}; give dates, or years with on: "annual"`);
}

/**
 * Parses a date. With monthly or longer periods, a month such as `2012-07` stands for its last day. A time with a UTC
 * offset stands for its local time; when joining on end dates, only if that is midnight.
 */
function textDate(text: string, { name, on }: { name: string; on: JoinOn }): number {
  const [, year, month] = (OF_MONTHS.includes(on) && /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text)) || [];
  if (year !== undefined) return utcDay(Number(year), Number(month) + 1, 0);
  const time = parseTime(text, name);
  const local = time + (zoneOffsetMs(/[+-]\d{2}:?\d{2}$/.exec(text)?.[0] ?? 'Z') ?? 0);
  return on === 'end_date' && local % DAY_MS !== 0 ? time : local;
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
  { side, on, dates, places, by }: Omit<SideOptions, 'date'> & Pick<JoinedSide, 'dates' | 'places'>,
): void {
  for (const [place, rows] of places) {
    const seen = new Set<number>();
    for (const row of rows) {
      if (!isKnown(column, row)) continue;
      const date = dates[row]!;
      if (seen.size < seen.add(date).size) continue;
      const what = on === 'end_date' ? formatDay(date) : `the ${on} period that ends on ${formatDay(date)}`;
      const [where, remedy] =
        by === undefined
          ? [
              '',
              'name the column that tells them apart as "by", keep one row for it, or aggregate them first',
            ]
          : [` in ${JSON.stringify(place)}`, 'keep one row for it, or aggregate them first'];
      throw badArgument(side, `"${name}" has several values for ${what}${where}; ${remedy}`);
    }
  }
}
