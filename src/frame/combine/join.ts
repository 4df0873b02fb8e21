import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { distinctDates } from '../../columns/series-dates.js';
import { CALENDARS } from '../../model/calendar.js';
import { badArgument } from '../../model/errors.js';
import { checkOptions, fieldsOf, type OptionKeys, required } from '../../model/schema/check.js';
import { oneOf, TEXT } from '../../model/schema/schemas.js';
import { buildWideOnDates } from '../series/build-frame.js';
import { readSeries, refusePlainColumns } from '../series/series-points.js';
import { buildTable } from '../table/build-table.js';
import { checkTable } from '../table/check-table.js';
import { type FrameColumn, readColumn } from '../table/columns.js';
import { encodeDictionary } from '../table/parse-column.js';
import { derivedMetadata, mergedMetadata } from '../table/provenance.js';
import { type JoinHow, joinByKeys } from './join-keys.js';
import { type JoinOn, joinSides, readSide, renameClashes } from './join-sides.js';

/** Options for joining two tables on the values of key columns. */
export interface KeyJoinOptions {
  /**
   * The columns whose values must be equal, such as `['farm', 'year']`, or an object that maps columns of the first
   * table to columns of the second.
   */
  on: readonly string[] | Readonly<Record<string, string>>;
  /**
   * The rows to keep: only matching pairs (`inner`, default); also unmatched rows of the first table (`left`) or of
   * both tables (`outer`); or only rows of the first table that have a match (`semi`) or no match (`anti`).
   */
  how?: JoinHow | undefined;
  /** A suffix for the names of columns of the second table that the first table also has. */
  suffix?: string | undefined;
}

/** Options for joining two frames by date. */
export interface JoinOptions {
  /**
   * What to join on: the end date (default), or the calendar period that contains it. For periods, the result's
   * `end_date` is the last day of the period.
   */
  on?: JoinOn | undefined;
  /**
   * The column that identifies the place in both frames, such as `region_name`, or its name in each frame. If it is
   * set, rows are joined only if they have the same date and the same place.
   */
  by?:
    | string
    | {
        /** The column in the first frame. */
        left: string;
        /** The column in the second frame. */
        right: string;
      }
    | undefined;
  /**
   * Which dates to keep: those in both frames (`inner`, default), in either frame (`outer`), or in the first frame
   * (`left`).
   */
  how?: 'inner' | 'outer' | 'left' | undefined;
  /**
   * Whether to repeat the value of a coarser series on each date within its period. By default, the value is only on
   * the last date.
   */
  repeat_coarser?: boolean | undefined;
  /** A suffix for the names of columns of the second frame that the first frame also has. */
  suffix?: string | undefined;
  /**
   * The date column of the first frame (default `end_date`). With `on: 'monthly'` or a coarser period, it may contain
   * months as strings (`2012-07`); with `on: 'annual'`, it may contain years as numbers.
   */
  left_date?: string | undefined;
  /**
   * The date column of the second frame (default `end_date`). With `on: 'monthly'` or a coarser period, it may contain
   * months as strings (`2012-07`); with `on: 'annual'`, it may contain years as numbers.
   */
  right_date?: string | undefined;
}

const BY = fieldsOf({ left: required(TEXT), right: required(TEXT) });
const NOTHING = 'it contains no columns; specify at least one';
const KEYS = v.union([
  v.pipe(v.array(TEXT), v.nonEmpty(NOTHING)),
  v.pipe(
    v.record(TEXT, TEXT),
    v.check((names) => Object.keys(names).length > 0, NOTHING),
  ),
]);

const JOIN_KEYS: OptionKeys<JoinOptions> = {
  on: oneOf(['end_date', ...CALENDARS]),
  by: v.union([TEXT, BY]),
  how: oneOf(['inner', 'outer', 'left']),
  repeat_coarser: v.boolean(),
  suffix: TEXT,
  left_date: TEXT,
  right_date: TEXT,
};

const KEY_JOIN_KEYS: OptionKeys<KeyJoinOptions> = {
  on: KEYS,
  how: oneOf(['inner', 'left', 'outer', 'semi', 'anti']),
  suffix: TEXT,
};

export function join(left: Table, right: Table, options: JoinOptions | KeyJoinOptions = {}): Table {
  checkTable(right, 'other');
  const step = `join(${JSON.stringify(options)})`;
  if (typeof options?.on !== 'object') return joinByDates(left, right, options as JoinOptions, step);
  checkOptions(options, KEY_JOIN_KEYS, 'join');
  const { on, how = 'inner', suffix } = options as KeyJoinOptions;
  const keys = Array.isArray(on) ? on.map((name: string) => [name, name] as const) : Object.entries(on);
  return joinByKeys(left, right, { keys, how, suffix, step });
}

function joinByDates(left: Table, right: Table, options: JoinOptions, step: string): Table {
  const column: string | undefined = options?.on;
  if (
    [left, right].some(({ schema }) =>
      schema.fields.some(({ name }) => name === column && name !== 'end_date'),
    )
  )
    throw badArgument('on', `"${column}" is a column name; to join on columns, pass a list: ["${column}"]`);
  checkOptions(options, JOIN_KEYS, 'join');
  const { on = 'end_date', how = 'inner', repeat_coarser = false, suffix } = options;
  const { left_date = 'end_date', right_date = 'end_date' } = options;
  const by = typeof options.by === 'string' ? { left: options.by, right: options.by } : options.by;
  const first = readSide(left, { side: 'left', on, date: left_date, by: by?.left });
  const second = readSide(right, { side: 'right', on, date: right_date, by: by?.right });
  const ofPlace = by === undefined ? [] : [by.left];
  const names = new Set(['end_date', ...ofPlace, ...first.columns.map(({ name }) => name)]);
  second.columns = renameClashes(second.columns, names, suffix);
  const { columns, places } = joinSides(first, second, { how, repeat_coarser, by });
  if (by !== undefined)
    columns.splice(1, 0, { name: by.left, column: placeColumn(readColumn(left, by.left).type, places) });
  return buildTable(columns, mergedMetadata([left, right], step));
}

function placeColumn(type: FrameColumn['type'], places: readonly string[]): FrameColumn {
  return type === 'int32' || type === 'float64'
    ? { type: 'float64', values: Float64Array.from(places, Number), valid: null }
    : encodeDictionary(places);
}

type AlignJoin = 'inner' | 'outer' | 'left';

export function align(
  left: Table,
  right: Table,
  options: { join?: AlignJoin | undefined } = {},
): [Table, Table] {
  checkOptions(options, { join: oneOf(['inner', 'outer', 'left']) }, 'align');
  const { join = 'inner' } = options;
  refusePlainColumns(left, 'align');
  refusePlainColumns(right, 'align');
  const leftSeries = readSeries(left);
  const rightSeries = readSeries(right);
  const [inLeft, inRight] = [leftSeries, rightSeries].map((series) => series.flatMap(({ end }) => [...end]));
  const all = distinctDates(join === 'outer' ? [...inLeft!, ...inRight!] : inLeft!);
  const held = new Set(inRight);
  const dates = join === 'inner' ? all.filter((date) => held.has(date)) : all;
  const step = `align(${JSON.stringify({ join })})`;
  return [
    buildWideOnDates(leftSeries, dates, derivedMetadata(left, step)),
    buildWideOnDates(rightSeries, dates, derivedMetadata(right, step)),
  ];
}
