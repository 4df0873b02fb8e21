import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { isValid } from '../../columns/bitmap.js';
import { distinctDates, firstFrom } from '../../columns/series-dates.js';
import { CALENDARS, periodAt } from '../../model/calendar.js';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { type FrequencyName, frequencyNamed, periodDays } from '../../model/frequency.js';
import { groupedBy } from '../../model/grouping.js';
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
   * The column that identifies the place in both frames, such as `region_name`, or one column for each frame. If it is
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
  /** Which dates to keep: those in both frames (`inner`, default), in either (`outer`), or in the first (`left`). */
  how: oneOf(['inner', 'outer', 'left']),
  /** A suffix added to the names of second-frame columns that also occur in the first frame. */
  suffix: TEXT,
  /**
   * The date column of the first frame (default `end_date`). With `on: 'monthly'` or a coarser period, it may contain
   * months as strings (`2012-07`); with `on: 'annual'`, it may contain years as numbers.
   */
  left_date: TEXT,
  /** The date column of the second frame. It may contain the same kinds of value as `left_date`. */
  right_date: TEXT,
};

/** Options for joining two frames by date. */
export interface JoinOptions extends OptionsOf<typeof JOIN> {}

/** What rows are joined on: the end date, or the calendar period that contains it. */
export type JoinOn = NonNullable<JoinOptions['on']>;

export function joinByDates(left: Table, right: Table, options: JoinOptions): Table {
  const column: string | undefined = options?.on;
  const names = [left, right].flatMap(({ schema }) => schema.fields.map(({ name }) => name));
  if (column !== 'end_date' && names.some((name) => name === column))
    throw badArgument('on', `"${column}" is a column name; to join on columns, pass a list: ["${column}"]`);
  checkOptions(options, JOIN, 'join');
  const { on = 'end_date', how = 'inner', suffix } = options;
  const { left_date = 'end_date', right_date = 'end_date' } = options;
  const by = typeof options.by === 'string' ? { left: options.by, right: options.by } : options.by;
  const first = readSide(left, { side: 'left', on, date: left_date, by: by?.left });
  const second = readSide(right, { side: 'right', on, date: right_date, by: by?.right });
  if (by !== undefined && how !== 'outer') requireSharedPlace(first, second);
  const keys = joinedKeys(first, second, how);
  const ends = joinArrays(
    Array.from(keys.values(), ({ dates }) => dates),
    Float64Array,
  );
  const columns: TableColumn[] = [{ name: 'end_date', column: dateColumn(ends) }];
  if (by !== undefined)
    columns.push({ name: by.left, column: placeColumn(readColumn(left, by.left).type, keys) });
  columns.push(...columnsOn(first, keys, ends.length));
  const taken = new Set(columns.map(({ name }) => name));
  columns.push(...renameClashes(columnsOn(second, keys, ends.length), taken, suffix));
  return buildTable(columns, mergedMetadata([left, right], stepText('join', options)));
}

/** The result's dates for each place, in ascending order, and the row number of the first date. */
type JoinedKeys = ReadonlyMap<string, { readonly from: number; readonly dates: Float64Array }>;

function joinedKeys(first: JoinedSide, second: JoinedSide, how: 'inner' | 'outer' | 'left'): JoinedKeys {
  const [left, right] = [first, second].map(({ dates, places }) =>
    groupedBy(dates.keys(), (row) => places[row]!),
  );
  const keys = new Map<string, { from: number; dates: Float64Array }>();
  let from = 0;
  for (const place of new Set([...left!.keys(), ...(how === 'outer' ? right!.keys() : [])])) {
    const own = (left!.get(place) ?? []).map((row) => first.dates[row]!);
    const others = (right!.get(place) ?? []).map((row) => second.dates[row]!);
    const held = new Set(others);
    const inner = own.filter((date) => how !== 'inner' || held.has(date));
    const dates = distinctDates(how === 'outer' ? [...own, ...others] : inner);
    keys.set(place, { from, dates });
    from += dates.length;
  }
  return keys;
}

function placeColumn(type: FrameColumn['type'], keys: JoinedKeys): FrameColumn {
  const places = [...keys].flatMap(([place, { dates }]) => new Array<string>(dates.length).fill(place));
  return type === 'int32' || type === 'float64'
    ? { type: 'float64', values: Float64Array.from(places, Number), valid: null }
    : encodeDictionary(places);
}

/** Returns one table's columns, with a row for each of the `length` joined keys. Missing values are null. */
function columnsOn(side: JoinedSide, keys: JoinedKeys, length: number): TableColumn[] {
  const { options, dates, places, columns } = side;
  const rowOf = Int32Array.from(dates, (date, row) => {
    const ofPlace = keys.get(places[row]!);
    const at = ofPlace === undefined ? -1 : firstFrom(ofPlace.dates, date);
    return ofPlace?.dates[at] === date ? ofPlace.from + at : -1;
  });
  return columns.map(({ rows = dates.keys(), name, column, metadata }) => {
    const taken = new Int32Array(length).fill(-1);
    for (const row of rows) {
      const at = rowOf[row]!;
      if (at < 0 || !isKnown(column, row)) continue;
      if (taken[at]! >= 0) throw severalValues(name, dates[row]!, { ...options, place: places[row]! });
      taken[at] = row;
    }
    return { name, column: takeColumn(column, taken), metadata };
  });
}

function severalValues(
  name: string,
  date: number,
  { side, on, by, place }: SideOptions & { readonly place: string },
): ArgumentError {
  const what = on === 'end_date' ? formatDay(date) : `the ${on} period that ends on ${formatDay(date)}`;
  const [where, remedy] =
    by === undefined
      ? ['', 'set "by" to the column that distinguishes them, keep only one row, or aggregate them first']
      : [` in ${JSON.stringify(place)}`, 'keep only one row, or aggregate them first'];
  return badArgument(side, `"${name}" has several values for ${what}${where}; ${remedy}`);
}

function requireSharedPlace(left: JoinedSide, right: JoinedSide): void {
  const held = new Set(right.places);
  if (held.size === 0 || left.places.length === 0 || left.places.some((place) => held.has(place))) return;
  const [own, other] = [left, right].map(
    (side) => [side.options.by, JSON.stringify(side.places[0])] as const,
  );
  throw badArgument(
    'by',
    `no "${own![0]}" in the left table, such as ${own![1]}, matches a "${other![0]}" in the right table, such as ${other![1]}; write them the same way in both`,
  );
}

/** Appends the suffix to the names of columns that also occur in the first table. */
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

/** Removes the ids and the region from a column's metadata, so that it no longer counts as a series. */
export function withoutSeries<Column extends TableColumn>(column: Column): Column {
  const names = [...(column.metadata ?? [])].filter(
    ([key]) => !key.endsWith('_id') && !key.includes('region'),
  );
  return { ...column, metadata: new Map(names) };
}

interface SideOptions {
  readonly side: 'left' | 'right';
  readonly on: JoinOn;
  readonly date: string;
  readonly by: string | undefined;
}

interface JoinedSide {
  readonly options: SideOptions;
  /** The date of each row, or the last day of the calendar period that contains it. */
  readonly dates: Float64Array;
  /** The place of each row; `''` if rows are not joined by place. */
  readonly places: readonly string[];
  readonly columns: readonly SideColumn[];
}

/** A column to join. `rows` lists the rows that may have a value. If `rows` is omitted, any row may have a value. */
interface SideColumn extends TableColumn {
  readonly view?: SeriesView | undefined;
  readonly rows?: Iterable<number>;
}

function readSide(table: Table, options: SideOptions): JoinedSide {
  const { on, by } = options;
  const places = readPlaces(table, options);
  const ends = readDates(table, options);
  const dates = on === 'end_date' ? ends : ends.map((end) => periodAt(end, on).endMs);
  const columns = frameShape(table) === 'long' ? longColumns(table, options) : otherColumns(table, options);
  if (on !== 'end_date') for (const column of columns) refuseFiner(column, options, on);
  return { options, dates, places, columns: by === undefined ? columns : columns.map(withoutSeries) };
}

function readPlaces(table: Table, { side, by }: SideOptions): string[] {
  if (by === undefined) return new Array<string>(table.numRows).fill('');
  checkPlaces(table, side, by);
  const column = readColumn(table, by);
  return Array.from({ length: table.numRows }, (_, row) => {
    const place = textAt(column, row);
    if (place !== null) return place;
    throw badArgument('by', `row ${row + 1} of "${by}" in the ${side} table is empty; filter out that row`);
  });
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

/** Returns a column for each series. If rows are joined by place, series that differ only in region form one column. */
function longColumns(table: Table, { side, date, by }: SideOptions): SideColumn[] {
  refusePlainColumns(table, 'join');
  if (date !== 'end_date')
    throw badArgument(
      `${side}_date`,
      `the ${side} frame has series, whose points are joined by end_date; omit ${side}_date`,
    );
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

/** The values of `on` for which a month, such as `2012-07`, is precise enough. */
const OF_MONTHS: readonly JoinOn[] = ['monthly', 'quarterly', 'annual'];

function dateAt(column: FrameColumn, row: number, { name, on }: { name: string; on: JoinOn }): number {
  if (column.type === 'timestamp') return Number(column.values[row]);
  if (column.type === 'utf8') return textDate(column.values[row]!, { name, on });
  if (column.type === 'dictionary') return textDate(column.categories[column.values[row]!]!, { name, on });
  const year = column.values[row]!;
  if (on === 'annual' && Number.isInteger(year) && year > 0 && year < 10_000) return utcDay(year, 12, 31);
  throw badArgument(
    name,
    `row ${row + 1} contains the number ${year} instead of a date; use dates, or years with on: "annual"`,
  );
}

/**
 * Parses a date, or a month if rows are joined by months or longer periods. A time's UTC offset is ignored, so that the
 * local date is kept. If rows are joined by end date, the offset is ignored only at local midnight.
 */
function textDate(text: string, { name, on }: { name: string; on: JoinOn }): number {
  const [, year, month] = (OF_MONTHS.includes(on) && /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text)) || [];
  if (year !== undefined) return utcDay(Number(year), Number(month) + 1, 0);
  const time = parseTime(text, name);
  const local = time + (zoneOffsetMs(/[+-]\d{2}:?\d{2}$/.exec(text)?.[0] ?? 'Z') ?? 0);
  return on === 'end_date' && local % DAY_MS !== 0 ? time : local;
}

function refuseFiner({ name, view }: SideColumn, { side }: SideOptions, on: FrequencyName): void {
  const frequency = view && frequencyOf(view);
  if (frequency === undefined || periodDays(frequency) >= periodDays(frequencyNamed(on))) return;
  throw badArgument(
    side,
    `"${name}" is ${frequency.name}, which is finer than ${on} periods; resample it to ${on} first`,
  );
}
