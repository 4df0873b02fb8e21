import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { isValid } from '../../columns/bitmap.js';
import { distinctDates, firstFrom } from '../../columns/series-dates.js';
import { CALENDARS, periodAt } from '../../model/calendar.js';
import { badArgument } from '../../model/errors.js';
import { type FrequencyName, frequencyNamed, periodDays } from '../../model/frequency.js';
import { groupedBy } from '../../model/grouping.js';
import { periodStart } from '../../model/period-grid.js';
import { checkOptions, fieldsOf, type OptionsOf, required } from '../../model/schema/check.js';
import { oneOf, TEXT } from '../../model/schema/schemas.js';
import { seriesKeyText } from '../../model/series.js';
import { DAY_MS, formatDay, parseTime, utcDay, zoneOffsetMs } from '../../model/time.js';
import { localTimes, toLocalDays } from '../../model/time-zone.js';
import { dateColumn } from '../series/build-frame.js';
import { frequencyOf, readSeries, refusePlainColumns } from '../series/series-points.js';
import { buildTable, type TableColumn } from '../table/build-table.js';
import {
  type FrameColumn,
  findColumn,
  isKnown,
  joinArrays,
  readColumn,
  readColumns,
  repeatedName,
  textAt,
  wholeAsDoubles,
  zoneOf,
} from '../table/columns.js';
import { columnNames, seriesMetadata, shortNames } from '../table/names.js';
import { encodeDictionary } from '../table/parse-column.js';
import { mergedMetadata, stepText } from '../table/provenance.js';
import { frameSeries, frameShape, type SeriesView } from '../table/series-view.js';
import { takeColumn } from '../table/take-rows.js';

const JOIN = {
  /**
   * What to join on: the end date (default), or the calendar period that contains it. For periods, the result's
   * `end_date` is the last day of the period.
   */
  on: oneOf(['end_date', ...CALENDARS]),
  /**
   * The column that identifies the place in both frames, such as `region_name`, or its name in each frame. If it is
   * set, rows are joined only if they have the same date and the same place.
   */
  by: v.union([
    TEXT,
    fieldsOf<{
      /** The column in the first frame. */
      left: string;
      /** The column in the second frame. */
      right: string;
    }>({ left: required(TEXT), right: required(TEXT) }),
  ]),
  /**
   * Which dates to keep: those in both frames (`inner`, default), in either frame (`outer`), or in the first frame
   * (`left`).
   */
  how: oneOf(['inner', 'outer', 'left']),
  /** Whether to repeat a coarser value on all dates in its period. By default, it is only on the last date. */
  repeat_coarser: v.boolean(),
  /** A suffix for the names of columns of the second frame that the first frame also has. */
  suffix: TEXT,
  /**
   * The date column of the first frame (default `end_date`). With `on: 'monthly'` or a coarser period, it may contain
   * months as strings (`2012-07`); with `on: 'annual'`, it may contain years as numbers.
   */
  left_date: TEXT,
  /** The date column of the second frame, like `left_date`. */
  right_date: TEXT,
};

/** Options for joining two frames by date. */
export interface JoinOptions extends OptionsOf<typeof JOIN> {}

/** What rows of frames are joined on: the end date, or the calendar period that contains it. */
export type JoinOn = NonNullable<JoinOptions['on']>;

export function joinByDates(left: Table, right: Table, options: JoinOptions): Table {
  const column: string | undefined = options?.on;
  const names = [left, right].flatMap(({ schema }) => schema.fields.map(({ name }) => name));
  if (column !== 'end_date' && names.some((name) => name === column))
    throw badArgument('on', `"${column}" is a column name; to join on columns, pass a list: ["${column}"]`);
  checkOptions(options, JOIN, 'join');
  const { on = 'end_date', how = 'inner', repeat_coarser = false, suffix } = options;
  const { left_date = 'end_date', right_date = 'end_date' } = options;
  const by = typeof options.by === 'string' ? { left: options.by, right: options.by } : options.by;
  const first = readSide(left, { side: 'left', on, date: left_date, by: by?.left });
  const second = readSide(right, { side: 'right', on, date: right_date, by: by?.right });
  const ofPlace = by === undefined ? [] : [by.left];
  const taken = new Set(['end_date', ...ofPlace, ...first.columns.map(({ name }) => name)]);
  second.columns = renameClashes(second.columns, taken, suffix);
  const { columns, places } = joinSides(first, second, { how, repeat_coarser, by });
  if (by !== undefined)
    columns.splice(1, 0, { name: by.left, column: placeColumn(readColumn(left, by.left).type, places) });
  return buildTable(columns, mergedMetadata([left, right], stepText('join', options)));
}

function placeColumn(type: FrameColumn['type'], places: readonly string[]): FrameColumn {
  return type === 'int32' || type === 'float64'
    ? { type: 'float64', values: Float64Array.from(places, Number), valid: null }
    : encodeDictionary(places);
}

interface JoinedDates {
  how: 'inner' | 'outer' | 'left';
  repeat_coarser: boolean;
  /** The names of the place columns in both frames, if rows are joined by place. */
  by: { left: string; right: string } | undefined;
}

function joinSides(
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

function joinedPlaces(first: JoinedSide, second: JoinedSide, { how, by }: JoinedDates): string[] {
  const [inLeft, inRight] = [[...first.places.keys()], [...second.places.keys()]];
  if (how === 'outer') return [...new Set([...inLeft, ...inRight])];
  const inBoth = inLeft.filter((place) => second.places.has(place));
  if (inBoth.length > 0 || inLeft.length === 0 || inRight.length === 0)
    return how === 'left' ? inLeft : inBoth;
  throw badArgument(
    'by',
    `no "${by?.left}" in the left table, such as ${JSON.stringify(inLeft[0])}, matches a "${by?.right}" in the right table, such as ${JSON.stringify(inRight[0])}; write them the same way in both`,
  );
}

/** Appends the suffix to the names of columns that the first table also has. */
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
      `both frames have a column "${name}"; specify a suffix for the second frame's column, such as " (2)"`,
    );
  });
}

/** Removes the ids and the region from a column's metadata, so that the column is no longer a series. */
export function withoutSeries<Column extends TableColumn>(column: Column): Column {
  const names = [...(column.metadata ?? [])].filter(
    ([key]) => !key.endsWith('_id') && !key.includes('region'),
  );
  return { ...column, metadata: new Map(names) };
}

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
      .filter(({ startOf }) => repeat_coarser && startOf !== null)
      .map((column) => rowsOn(side, column, { place, dates, repeat_coarser }));
    return (date: number, row: number) => ofSide.has(date) || repeated.some((rows) => rows[row]! >= 0);
  });
  return dates.filter((date, row) => held.every((holds) => holds(date, row)));
}

interface JoinedRows {
  place: string;
  dates: Float64Array;
}

/** Returns the row for each date, or -1. With `repeat_coarser`, one row matches all dates in its period. */
function rowsOn(
  { dates: ends }: JoinedSide,
  { column, places, startOf }: JoinedColumn,
  { place, dates, repeat_coarser }: JoinedRows & Pick<JoinedDates, 'repeat_coarser'>,
): Int32Array {
  const rows = new Int32Array(dates.length).fill(-1);
  for (const row of places.get(place) ?? []) {
    if (!isKnown(column, row)) continue;
    const start = repeat_coarser && startOf !== null ? startOf(row) : ends[row]!;
    for (let at = firstFrom(dates, start); dates[at]! <= ends[row]!; at++) rows[at] = row;
  }
  return rows;
}

interface JoinedSide {
  dates: Float64Array;
  places: RowsOfPlaces;
  columns: JoinedColumn[];
}

/** The rows for each place. If rows are not joined by place, all rows belong to a place named `''`. */
type RowsOfPlaces = ReadonlyMap<string, readonly number[]>;

interface JoinedColumn extends TableColumn {
  places: RowsOfPlaces;
  /** Returns the first date of a row's period. It is null instead of a function if the column is not a series. */
  startOf: ((row: number) => number) | null;
}

interface SideOptions {
  side: 'left' | 'right';
  on: JoinOn;
  date: string;
  by: string | undefined;
}

/** A column to join. `rows` lists the rows that may have a value; if it is omitted, any row may have one. */
interface SideColumn extends TableColumn {
  view?: SeriesView | undefined;
  rows?: readonly number[];
}

function readSide(table: Table, options: SideOptions): JoinedSide {
  const { side, on, by } = options;
  const placeOf = placeReader(table, options);
  const ends = readDates(table, options);
  const dates = on === 'end_date' ? ends : ends.map((end) => periodAt(end, on).endMs);
  const places = groupedBy(dates.keys(), placeOf);
  const read = frameShape(table) === 'long' ? longColumns : otherColumns;
  const columns = read(table, options).map(({ view, rows, ...column }): JoinedColumn => {
    const frequency = view && frequencyOf(view);
    if (frequency && on !== 'end_date') checkFrequency(column.name, frequency, { side, on });
    const startOf = frequency ? (row: number) => periodStart(frequency, ends[row]!) : null;
    const joined = { ...column, places: rows === undefined ? places : groupedBy(rows, placeOf), startOf };
    checkOneValue(joined, dates, options);
    return by === undefined ? joined : withoutSeries(joined);
  });
  return { dates, places, columns };
}

function placeReader(table: Table, { side, by }: SideOptions): (row: number) => string {
  if (by === undefined) return () => '';
  checkPlaces(table, side, by);
  const column = readColumn(table, by);
  return (row) => {
    const place = textAt(column, row);
    if (place !== null) return place;
    throw badArgument('by', `row ${row + 1} of "${by}" in the ${side} table is empty; filter out that row`);
  };
}

function checkPlaces(table: Table, side: string, by: string): void {
  const names = table.schema.fields.map(({ name }) => name);
  if (names.includes(by)) return;
  const shape = frameShape(table);
  const remedy =
    shape === 'wide'
      ? 'is wide and has a column for each series; pass a long frame, requested without compress_format'
      : `has no column "${by}"${shape === 'long' ? '; retrieve it with include_names: true' : `; it has ${names.slice(0, 12).join(', ')}`}`;
  throw badArgument('by', `the ${side} table ${remedy}`);
}

/** Returns a column for each series. If rows are joined by place, series that differ only by region form one column. */
function longColumns(table: Table, { side, date, by }: SideOptions): SideColumn[] {
  refusePlainColumns(table, 'join');
  if (date !== 'end_date')
    throw badArgument(`${side}_date`, `the ${side} frame has series, whose points are joined by end_date`);
  if (by !== undefined && by !== 'region_name' && by !== 'region_id')
    throw badArgument('by', `the ${side} frame has series; join by region_name or region_id, not by "${by}"`);
  const column = readColumn(table, 'value');
  const regionless = ({ key, unit_id }: SeriesView) =>
    `${seriesKeyText({ ...key, region_id: 0 })} ${unit_id}`;
  const groups = [...groupedBy(readSeries(table), ({ view }) => (by ? regionless(view) : view)).values()];
  const views = groups.map(([first]) => first!.view);
  const names = by === undefined ? columnNames(views) : shortNames(views, { regions: false });
  return groups.map((members, at) => {
    const places = members.map(({ view }) => view.names.get('region_name') ?? '');
    const repeated = by === 'region_name' ? repeatedName(places) : undefined;
    if (repeated !== undefined)
      throw badArgument(
        'by',
        `two series in the ${side} frame have the ${by} "${repeated}"; use region_id instead`,
      );
    const [name, view] = [names[at]!, views[at]!];
    const rows = members.flatMap((points) => [...points.rows]);
    return { name, column, metadata: seriesMetadata(view), view, rows };
  });
}

function otherColumns(table: Table, { date, by }: SideOptions): SideColumn[] {
  const views = new Map(frameSeries(table).map((view) => [view.column, view]));
  return readColumns(table)
    .filter(({ field }) => field.name !== date && field.name !== by)
    .map(({ field: { name, metadata }, column }) => ({ name, column, metadata, view: views.get(name) }));
}

function readDates(table: Table, { side, on, date }: SideOptions): Float64Array {
  const found = wholeAsDoubles(findColumn(table, date, `${side}_date`));
  const column = found.type === 'other' ? readColumn(table, date) : found;
  const dates = Float64Array.from(column.values as ArrayLike<unknown>, (_, row) => {
    if (!isValid(column.valid, row)) {
      throw badArgument(`${side}_date`, `row ${row + 1} of "${date}" has no date; filter out that row`);
    }
    return dateAt(column, row, { name: `${side}_date`, on });
  });
  const zone = zoneOf(table.getChild(date)!.type);
  if (zone === undefined) return dates;
  return on === 'end_date' ? (toLocalDays(dates, zone) ?? dates) : dates.map(localTimes(zone));
}

/** The values of `on` for which a month such as `2012-07` is precise enough. */
const OF_MONTHS: readonly JoinOn[] = ['monthly', 'quarterly', 'annual'];

function dateAt(column: FrameColumn, row: number, { name, on }: { name: string; on: JoinOn }): number {
  if (column.type === 'timestamp') return Number(column.values[row]);
  if (column.type === 'utf8') return textDate(column.values[row]!, { name, on });
  if (column.type === 'dictionary') return textDate(column.categories[column.values[row]!]!, { name, on });
  const year = column.values[row]!;
  if (on === 'annual' && Number.isInteger(year) && year > 0 && year < 10_000) return utcDay(year, 12, 31);
  throw badArgument(
    name,
    `row ${row + 1} contains a year, ${year}, instead of a date; use dates, or set on: "annual" to join by years`,
  );
}

/**
 * Parses a date, or a month if rows are joined by month or longer periods. A UTC offset is ignored, so that the local
 * date is kept; if rows are joined by end date, it is ignored only at midnight.
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
    `"${column}" is ${frequency.name}, which is finer than ${on} periods; resample it to ${on} first`,
  );
}

function checkOneValue(
  { name, column, places }: JoinedColumn,
  dates: Float64Array,
  { side, on, by }: SideOptions,
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
          ? ['', 'set "by" to the column that distinguishes them, keep only one row, or aggregate them first']
          : [` in ${JSON.stringify(place)}`, 'keep only one row, or aggregate them first'];
      throw badArgument(side, `"${name}" has several values for ${what}${where}; ${remedy}`);
    }
  }
}
