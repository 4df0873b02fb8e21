import type { Table } from 'apache-arrow';
import { addRow, type RowRun } from '../../columns/row-runs.js';
import {
  type Check,
  checkFlag,
  checkText,
  fieldsOf,
  listOf,
  needed,
  oneOf,
} from '../../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { CALENDARS } from '../../model/calendar.js';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { shortLabels } from '../../model/names/short-labels.js';
import { seriesKeyText } from '../../model/series.js';
import { buildWide } from '../series/build-frame.js';
import { readSeries, refusePlainColumns, type SeriesPoints } from '../series/series-points.js';
import { buildTable, type TableColumn, tableColumns, takeColumns } from '../table/build-table.js';
import { type FrameColumn, readColumn, textAt } from '../table/columns.js';
import type { WideFrame } from '../table/frame-types.js';
import { LABELLED_NAMES, NAME_COLUMNS } from '../table/names.js';
import { encodeDictionary } from '../table/parse-column.js';
import { mergedMetadata } from '../table/provenance.js';
import { frameShape, type SeriesView } from '../table/series-view.js';
import { takeColumn } from '../table/take-rows.js';
import { concatColumns } from './concat.js';
import { type JoinHow, joinByKeys } from './join-keys.js';
import {
  type JoinedColumn,
  type JoinedDates,
  type JoinedSide,
  type JoinOn,
  joinSides,
  readSide,
  renameClashes,
  withoutSeries,
} from './join-sides.js';

/** How two tables are joined by the values of columns. */
export interface KeyJoinOptions {
  /** The columns whose values must be equal, such as `['farm', 'year']`; or each of the first with that of the second. */
  on: readonly string[] | Readonly<Record<string, string>>;
  /**
   * The rows to keep: pairs that fit (default); also those of the first that fit none (`left`), or of both (`outer`); or the
   * rows of the first alone, those that fit (`semi`) or fit none (`anti`).
   */
  how?: JoinHow | undefined;
  /** Appended to the names of columns of the second table that the first has as well. */
  suffix?: string | undefined;
}

/** How two frames are joined by dates. */
export interface JoinOptions {
  /**
   * Rows belong together that have the same end date (default), or whose end dates lie in the same calendar period; then
   * `end_date` is the last day of the period.
   */
  on?: JoinOn | undefined;
  /**
   * The column that tells the places apart in both, such as `region_name`, or its name in each. Rows are then joined that have the
   * same date and the same text there.
   */
  by?:
    | string
    | {
        /** Its name in the first frame. */
        left: string;
        /** Its name in the second frame. */
        right: string;
      }
    | undefined;
  /** The dates to keep: those of both frames (default), of either, or of the first. */
  how?: 'inner' | 'outer' | 'left' | undefined;
  /** True repeats the value of a coarser series on each date within its period; by default it is on the last date only. */
  repeat_coarser?: boolean | undefined;
  /** Appended to the names of columns of the second frame that the first has as well. */
  suffix?: string | undefined;
  /** The column of dates of the first frame (default `end_date`). With `on: 'monthly'` or coarser it may hold months as texts (`2012-07`), with `on: 'annual'` years as numbers. */
  left_date?: string | undefined;
  /** The column of dates of the second frame (default `end_date`). With `on: 'monthly'` or coarser it may hold months as texts (`2012-07`), with `on: 'annual'` years as numbers. */
  right_date?: string | undefined;
}

const checkBy = fieldsOf({ left: needed(checkText), right: needed(checkText) });
const checkKeys: Check<KeyJoinOptions['on']> = (on, argument) => {
  const names = Array.isArray(on) ? on : Object.entries(on as object).flat();
  listOf(checkText)(names, argument);
  if (names.length === 0) throw badArgument(argument, 'it names no column; give at least one');
};

const JOIN_KEYS: OptionKeys<JoinOptions> = {
  on: oneOf(['end_date', ...CALENDARS]),
  by: (by, argument) => (typeof by === 'string' ? checkText : checkBy)(by, argument),
  how: oneOf(['inner', 'outer', 'left']),
  repeat_coarser: checkFlag,
  suffix: checkText,
  left_date: checkText,
  right_date: checkText,
};

const KEY_JOIN_KEYS: OptionKeys<KeyJoinOptions> = {
  on: checkKeys,
  how: oneOf(['inner', 'left', 'outer', 'semi', 'anti']),
  suffix: checkText,
};

/**
 * Two tables side by side, by the values of columns: numbers, dates or texts. Every pair of rows that fit is a row, in the
 * order of the first table, then of the second; null fits nothing. Units, sources and reports of both are kept.
 * @throws ArgumentError when a column does not exist or differs in kind, or both tables have another column of one name and
 * no `suffix` is given
 */
export function join(left: Table, right: Table, options: KeyJoinOptions): Table;
/**
 * Two frames, long or wide, or tables with a column of dates, side by side in one wide frame: `end_date`, ascending, then
 * the columns of the first and of the second. A value that a frame lacks on a date is null; nothing is aggregated. Units,
 * sources and reports of both are kept. With `by`, a row for each place and date, with that column after `end_date`: the series
 * of a long frame that differ by place alone are one column, and the table is no frame of series any more.
 * @throws ArgumentError when a series is finer than the periods of `on`, a column has two values for one of them, or both
 * frames have a column of the same name and no `suffix` is given
 */
export function join(left: Table, right: Table, options?: JoinOptions): WideFrame;
export function join(left: Table, right: Table, options: JoinOptions | KeyJoinOptions = {}): Table {
  const step = `join(${JSON.stringify(options)})`;
  if (typeof options?.on !== 'object') return joinByDates(left, right, options as JoinOptions, step);
  checkOptions(options, KEY_JOIN_KEYS, 'join');
  const { on, how = 'inner', suffix } = options as KeyJoinOptions;
  const keys = Array.isArray(on) ? on.map((name: string) => [name, name] as const) : Object.entries(on);
  return joinByKeys(left, right, { keys, how, suffix, step });
}

function joinByDates(left: Table, right: Table, options: JoinOptions, step: string): WideFrame {
  checkOptions(options, JOIN_KEYS, 'join');
  const { on = 'end_date', how = 'inner', repeat_coarser = false } = options;
  const { left_date = 'end_date', right_date = 'end_date' } = options;
  const metadata = mergedMetadata([left, right], step);
  if (options.by !== undefined) {
    const by = typeof options.by === 'string' ? { left: options.by, right: options.by } : options.by;
    const sides = {
      left: { table: left, date: left_date, by: by.left },
      right: { table: right, date: right_date, by: by.right },
    };
    return buildTable(joinBy(sides, { on, how, repeat_coarser, suffix: options.suffix }), metadata);
  }
  const first = readSide(left, { side: 'left', on, date: left_date });
  const second = readSide(right, { side: 'right', on, date: right_date });
  const names = new Set(['end_date', ...first.columns.map(({ name }) => name)]);
  second.columns = renameClashes(second.columns, names, options.suffix);
  return buildTable(joinSides(first, second, { how, repeat_coarser }), metadata);
}

interface PlacedTable {
  table: Table;
  /** The column of dates. */
  date: string;
  /** The column of places. */
  by: string;
}

interface JoinByOptions extends JoinedDates {
  on: JoinOn;
  suffix: string | undefined;
}

/** The sides of all places, and an empty column of each name that any of them has. */
interface PlacedSides {
  places: Places;
  sides: ReadonlyMap<string, JoinedSide>;
  columns: ReadonlyMap<string, JoinedColumn>;
}

/**
 * The columns of two tables joined place by place: `end_date`, the place, then those of the first and of the second.
 * @throws ArgumentError when the tables have no place in common, unless all rows are kept, and as `join`
 */
function joinBy(
  { left, right }: { left: PlacedTable; right: PlacedTable },
  options: JoinByOptions,
): TableColumn[] {
  const first = readPlaces(left, 'left', options);
  const others = readPlaces(right, 'right', options);
  const names = new Set(['end_date', left.by, ...first.columns.keys()]);
  const second = mapSides(others, (side) => ({
    ...side,
    columns: renameClashes(side.columns, names, options.suffix),
  }));
  const places = joinedPlaces(first, second, { left, right, how: options.how });
  const parts = places.map((place) => {
    const columns = joinSides(sideOf(first, place), sideOf(second, place), options);
    return new Map(columns.map((each) => [each.name, each.column]));
  });
  const lengths = parts.map((part) => part.get('end_date')!.values.length);
  const stack = ({ name, metadata }: Pick<TableColumn, 'name' | 'metadata'>): TableColumn => ({
    name,
    column: concatColumns(
      name,
      parts.map((part) => part.get(name)!),
    ),
    metadata,
  });
  const byPlace = first.places.column(
    places.flatMap((place, at) => new Array<string>(lengths[at]!).fill(place)),
  );
  return [
    stack({ name: 'end_date' }),
    { name: left.by, column: byPlace },
    ...[...first.columns.values(), ...second.columns.values()].map(stack),
  ];
}

function readPlaces(
  { table, date, by }: PlacedTable,
  side: 'left' | 'right',
  { on }: JoinByOptions,
): PlacedSides {
  const places = splitPlaces(table, { side, by });
  const sides = new Map(
    [...places.tables].map(([place, table]) => [place, readSide(table, { side, on, date, place })]),
  );
  return mapSides({ places, sides }, ({ dates, columns }) => ({
    dates,
    columns: columns.map(withoutSeries),
  }));
}

function mapSides(
  { places, sides }: Pick<PlacedSides, 'places' | 'sides'>,
  change: (side: JoinedSide) => JoinedSide,
): PlacedSides {
  const changed = new Map([...sides].map(([place, side]) => [place, change(side)]));
  const columns = new Map<string, JoinedColumn>();
  for (const side of changed.values()) {
    for (const each of side.columns) {
      if (!columns.has(each.name)) columns.set(each.name, { ...each, column: nulls(each, 0), starts: null });
    }
  }
  return { places, sides: changed, columns };
}

function nulls(column: JoinedColumn, rows: number): JoinedColumn['column'] {
  return takeColumn(column.column, new Int32Array(rows).fill(-1));
}

/** The side of a place with all columns; without rows where there is none. */
function sideOf({ sides, columns }: PlacedSides, place: string): JoinedSide {
  const { dates, columns: own } = sides.get(place) ?? { dates: new Float64Array(), columns: [] };
  const byName = new Map(own.map((each) => [each.name, each]));
  const all = [...columns.values()].map(
    (empty) => byName.get(empty.name) ?? { ...empty, column: nulls(empty, dates.length) },
  );
  return { dates, columns: all };
}

function joinedPlaces(
  first: PlacedSides,
  second: PlacedSides,
  { left, right, how }: { left: PlacedTable; right: PlacedTable; how: JoinedDates['how'] },
): string[] {
  const [inLeft, inRight] = [[...first.sides.keys()], [...second.sides.keys()]];
  if (how === 'outer') return [...new Set([...inLeft, ...inRight])];
  const inBoth = inLeft.filter((place) => second.sides.has(place));
  if (inBoth.length > 0 || inLeft.length === 0 || inRight.length === 0)
    return how === 'left' ? inLeft : inBoth;
  throw badArgument(
    'by',
    `no "${left.by}" of the left, such as ${JSON.stringify(inLeft[0])}, is a "${right.by}" of the right, such as ${JSON.stringify(inRight[0])}; write them alike in both`,
  );
}

/** A table cut by the texts of a column. */
interface Places {
  /** The rows of each place, without its column. */
  tables: ReadonlyMap<string, Table>;
  /** A column of places of the type that the table has. */
  column: (places: readonly string[]) => FrameColumn;
}

interface SplitOptions {
  /** For messages. */
  side: 'left' | 'right';
  by: string;
}

/**
 * A long frame or any other table, cut by a column of places. The series of a long frame that differ by place alone get
 * one name, and each part is a wide frame.
 * @throws ArgumentError when there is no such column, a row has no place, or two regions of a frame have one name
 */
function splitPlaces(table: Table, { side, by }: SplitOptions): Places {
  if (!table.schema.fields.some(({ name }) => name === by)) throw noColumn(table, { side, by });
  const { type } = readColumn(table, by);
  const column: Places['column'] = (places) =>
    type === 'int32' || type === 'float64'
      ? { type: 'float64', values: Float64Array.from(places, Number), valid: null }
      : encodeDictionary(places);
  const tables =
    frameShape(table) === 'long' ? splitSeries(table, { side, by }) : splitRows(table, { side, by });
  return { tables, column };
}

function noColumn(table: Table, { side, by }: SplitOptions): ArgumentError {
  const shape = frameShape(table);
  const names = table.schema.fields.map(({ name }) => name).slice(0, 12);
  const remedy =
    shape === 'wide'
      ? 'is wide, with a column for each series: give it long, without compress_format'
      : `has no column "${by}"${shape === 'long' ? '; retrieve it with include_names: true' : `; it has ${names.join(', ')}`}`;
  return badArgument('by', `the ${side} table ${remedy}`);
}

function splitRows(table: Table, { side, by }: SplitOptions): Map<string, Table> {
  const runs = new Map<string, RowRun[]>();
  const column = readColumn(table, by);
  for (let row = 0; row < table.numRows; row++) {
    const place = textAt(column, row);
    if (place === null) {
      throw badArgument('by', `row ${row + 1} of "${by}" in the ${side} table is empty; filter it out`);
    }
    const rows = runs.get(place) ?? [];
    runs.set(place, rows);
    addRow(rows, row);
  }
  const columns = tableColumns(table).filter(({ name }) => name !== by);
  return new Map([...runs].map(([place, rows]) => [place, buildTable(takeColumns(columns, rows))]));
}

function splitSeries(table: Table, { side, by }: SplitOptions): Map<string, Table> {
  refusePlainColumns(table, 'join');
  if (by !== 'region_name' && by !== 'region_id') {
    throw badArgument('by', `the ${side} frame has series; join by region_name or region_id, not by "${by}"`);
  }
  const series = readSeries(table);
  const placeOf = ({ key, names }: SeriesView) =>
    by === 'region_id' ? String(key.region_id) : names.get(by)!;
  const labels = labelsOf(series);
  const places = new Map<string, Map<string, SeriesPoints>>();
  for (const points of series) {
    const place = placeOf(points.view);
    const ofPlace = places.get(place) ?? new Map<string, SeriesPoints>();
    places.set(place, ofPlace);
    const text = textOf(points.view);
    if (ofPlace.has(text)) {
      throw badArgument('by', `two series of the ${side} frame have the ${by} "${place}"; choose region_id`);
    }
    ofPlace.set(text, { ...points, view: { ...points.view, column: labels.get(text)! } });
  }
  return new Map([...places].map(([place, ofPlace]) => [place, buildWide([...ofPlace.values()], new Map())]));
}

/** The identity of a series without its region. */
function textOf({ key, unit_id }: SeriesView): string {
  return `${seriesKeyText({ ...key, region_id: 0 })} ${unit_id}`;
}

/** The shortest names that tell the series of a region apart; metric and item of a single one. */
function labelsOf(series: readonly SeriesPoints[]): ReadonlyMap<string, string> {
  const views = new Map(series.map(({ view }) => [textOf(view), view]));
  const namesOf = (name: string) =>
    [...views.values()].map(({ key, unit_id, names }) => {
      const id = NAME_COLUMNS.find(({ column }) => column === name)?.id;
      return names.get(name) ?? String(id === undefined ? unit_id : key[id]);
    });
  const labels =
    views.size === 1
      ? [`${namesOf('metric_name')[0]} · ${namesOf('item_name')[0]}`]
      : shortLabels(LABELLED_NAMES.map(namesOf), views.size).map(({ label }) => label);
  return new Map([...views.keys()].map((text, at) => [text, labels[at]!]));
}
