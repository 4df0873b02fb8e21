import type { Float64, Int32, Table } from 'apache-arrow';
import * as v from 'valibot';
import { isValid } from '../../columns/bitmap.js';
import { readEpochs } from '../../columns/series-dates.js';
import { shiftMonthEnd } from '../../model/calendar.js';
import type { PeriodLength } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import {
  check,
  checkOptions,
  checkRequiredOptions,
  type OptionKeys,
  type OptionsOf,
  optionsOf,
  required,
} from '../../model/schema/check.js';
import { integer, oneOf, TEXT } from '../../model/schema/schemas.js';
import { type AnyColumn, findColumn } from '../table/columns.js';
import { takeColumn } from '../table/take-rows.js';
import type { Aggregation, Computation, ResultKind } from './agg.js';
import { checkAggregation, collectNumbers, planAggregation } from './aggregate.js';
import { type Arrangement, arrangeRows, type Grouping } from './group-rows.js';
import { orderKeys, orderRows, SORT_KEYS, type SortKeys } from './order-rows.js';
import { TableValues } from './table-values.js';

/** How rows are sorted for a window function. */
export interface WindowOrder<Name extends string = string> {
  /** The columns to sort rows by within each group. By default, rows keep their order. */
  by?: SortKeys<Name> | undefined;
}

const RANK = {
  /** Whether the highest value has rank 1 (default false). */
  descending: v.boolean(),
  /**
   * How equal values are ranked. `min` (default) gives all of them their lowest rank; `dense` does the same, but leaves
   * no gaps between ranks; `first` ranks them in row order; `average` gives all of them their mean rank.
   */
  ties: oneOf(['min', 'dense', 'first', 'average']),
};

/** Options for `windows.rank`. */
export interface RankOptions extends OptionsOf<typeof RANK> {}

/** Options for `windows.lag` and `windows.lead`. */
export interface OffsetOptions<Name extends string = string> extends WindowOrder<Name> {
  /** The number of rows to look back (`lag`) or ahead (`lead`); default 1. */
  offset?: number | undefined;
}

/** The length of a rolling window: a number of rows, or a calendar length in days, months or years. */
export type WindowLength =
  | {
      /** The number of rows. */
      readonly rows: number;
    }
  | PeriodLength;

/** Options for `windows.rolling`. */
export interface RollingOptions<Name extends string = string> extends WindowOrder<Name> {
  /**
   * The length of the window, which ends with the current row: `{ rows: 7 }`, or a calendar length such as
   * `{ days: 7 }` or `{ months: 3 }`. A calendar window requires a single date column in `by`. It contains the rows
   * dated after `date − length`, up to and including all rows with the current row's date. One month before the last
   * day of a month is the last day of the previous month.
   */
  window: WindowLength;
  /** The minimum number of values in a window (default 1, or 0 for a count). With fewer values, the result is null. */
  min_values?: number | undefined;
}

/** A computation on the rows around each row, such as `windows.lag('value')`. */
export interface Window<Name extends string = string, Result extends ResultKind = ResultKind>
  extends Computation<Name, Result> {
  /** The kind of window function. */
  readonly window: 'rank' | 'lag' | 'lead' | 'cumulative' | 'rolling';
  /** The options of the window function. */
  readonly options: RankOptions & OffsetOptions & Partial<RollingOptions>;
  /** The aggregate to compute for each `cumulative` or `rolling` window. */
  readonly aggregate?: Aggregation | undefined;
}

const OFFSET_KEYS: OptionKeys<OffsetOptions> = { by: SORT_KEYS, offset: integer({ min: 1 }) };
const LENGTH = integer({ min: 1 });
const ROLLING_KEYS: OptionKeys<RollingOptions> = {
  by: SORT_KEYS,
  window: required(optionsOf({ rows: LENGTH, days: LENGTH, months: LENGTH, years: LENGTH })),
  min_values: integer({ min: 1 }),
};

function offsetWindow(window: 'lag' | 'lead') {
  return <Name extends string>(column: Name, options: OffsetOptions = {}): Window<Name, 'same'> => {
    check(TEXT, column, 'column');
    checkOptions(options, OFFSET_KEYS, `windows.${window}`);
    return { window, columns: [column], options };
  };
}

/**
 * Window functions for `withColumn` on a frame or on its groups. Within each group, the functions see the rows sorted
 * by `by`, with null and NaN last, or in their existing order by default. The frame's own row order does not change.
 */
export const windows = {
  /** Ranks the values of a column, starting at 1. Null and NaN have no rank. */
  rank<Name extends string>(column: Name, options: RankOptions = {}): Window<Name, Float64> {
    check(TEXT, column, 'column');
    checkOptions(options, RANK, 'windows.rank');
    return { window: 'rank', columns: [column], options };
  },

  /** Returns the value `offset` rows earlier, or null if there is no such row. */
  lag: offsetWindow('lag'),

  /** Returns the value `offset` rows later, or null if there is no such row. */
  lead: offsetWindow('lead'),

  /** Aggregates all rows of the group up to and including the current row. */
  cumulative<Name extends string, Result extends ResultKind>(
    aggregate: Aggregation<Name, Result>,
    options: WindowOrder = {},
  ): Window<Name, Result> {
    checkAggregation(aggregate, 'aggregate');
    checkOptions(options, { by: SORT_KEYS }, 'windows.cumulative');
    return { window: 'cumulative', aggregate, columns: aggregate.columns, options };
  },

  /**
   * Aggregates the rows of a sliding window that ends with the current row.
   * @throws ArgumentError if the window is empty or combines rows with a calendar length, or if a calendar window has
   * no single column in `by`
   */
  rolling<Name extends string, Result extends ResultKind, Min extends number | undefined = undefined>(
    aggregate: Aggregation<Name, Result>,
    options: RollingOptions & { min_values?: Min },
    // If a minimum is set, even a count may be null.
  ): Window<Name, [Min] extends [undefined] ? Result : Result extends Int32 ? Int32 : Result> {
    checkAggregation(aggregate, 'aggregate');
    checkRequiredOptions(options, ROLLING_KEYS, 'windows.rolling');
    const lengths = Object.keys(options.window);
    if (lengths.length === 0)
      throw badArgument('window', 'the window is empty; specify a length, such as { rows: 7 }');
    if ('rows' in options.window && lengths.length > 1)
      throw badArgument('window', 'rows and a calendar length cannot be combined; specify only one of them');
    if (!('rows' in options.window) && typeof options.by !== 'string')
      throw badArgument('by', 'a calendar window needs a single date column; specify it, such as by: "date"');
    return { window: 'rolling', aggregate, columns: aggregate.columns, options };
  },
};

export function computeWindow(
  values: TableValues,
  grouping: Grouping,
  { window, columns, options, aggregate }: Window,
): AnyColumn {
  if (window === 'rank') return rankRows(values, grouping, columns[0]!, options);
  const arrangement = arrangeBy(values.table, grouping, options.by);
  if (window === 'lag' || window === 'lead')
    return takeColumn(values.column(columns[0]!), shiftRows(arrangement, options, window));
  const bounds = window === 'rolling' ? boundsOf(values.table, arrangement, options) : ALL_BEFORE;
  return slide(values.table, aggregate!, arrangement, bounds, options.min_values);
}

/** Arranges rows by group. Within a group, rows are sorted by the given columns or, by default, in table order. */
export function arrangeBy(table: Table, grouping: Grouping, by: SortKeys | undefined): Arrangement {
  if (by === undefined) return arrangeRows(grouping);
  return arrangeRows(grouping, orderRows(table.numRows, orderKeys(table, by)));
}

function shiftRows(
  { rows, starts }: Arrangement,
  { offset = 1 }: OffsetOptions,
  window: 'lag' | 'lead',
): Int32Array {
  const shifted = new Int32Array(rows.length).fill(-1);
  const places = window === 'lag' ? offset : -offset;
  for (let group = 0; group < starts.length - 1; group++) {
    const [start, end] = [starts[group]!, starts[group + 1]!];
    for (let at = start; at < end; at++) {
      const from = at - places;
      if (from >= start && from < end) shifted[rows[at]!] = rows[from]!;
    }
  }
  return shifted;
}

function rankRows(
  values: TableValues,
  grouping: Grouping,
  column: string,
  { descending = false, ties = 'min' }: RankOptions,
): AnyColumn {
  const { codes, nullCode } = values.codes(column);
  const { rows, starts } = arrangeBy(values.table, grouping, { column, descending });
  const ranks = collectNumbers(rows.length);
  for (let group = 0; group < starts.length - 1; group++) {
    const start = starts[group]!;
    let distinct = 0;
    for (let from = start, to = from; from < starts[group + 1]!; from = to) {
      const code = codes[rows[from]!];
      while (to < starts[group + 1]! && codes[rows[to]!] === code) to++;
      if (code === nullCode) continue;
      distinct++;
      const place = from - start + 1;
      const rank = { min: place, dense: distinct, first: place, average: (place + to - start) / 2 }[ties];
      for (let at = from; at < to; at++) ranks.set(rows[at]!, ties === 'first' ? rank + at - from : rank);
    }
  }
  return ranks.column();
}

/** Functions that return the start and the exclusive end of a row's window. Neither decreases within a group. */
interface WindowBounds {
  readonly from: (at: number, start: number) => number;
  readonly to: (at: number, end: number) => number;
}

const ALL_BEFORE: WindowBounds = { from: (_, start) => start, to: (at) => at + 1 };

function boundsOf(table: Table, arrangement: Arrangement, { window, by }: Window['options']): WindowBounds {
  if (!('rows' in window!)) return calendarBounds(datesOf(table, by as string), arrangement, window!);
  const { rows } = window;
  return { from: (at, start) => Math.max(start, at + 1 - rows), to: (at) => at + 1 };
}

function slide(
  table: Table,
  aggregate: Aggregation,
  { rows, starts }: Arrangement,
  bounds: WindowBounds,
  min_values?: number,
): AnyColumn {
  const plan = planAggregation(new TableValues(table, rows), aggregate);
  const { isKnown, accumulator, collect, minValues = 1 } = plan;
  const results = collect(rows.length);
  let count = 0;
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      if (!isKnown(at)) continue;
      accumulator.add(at);
      count++;
    }
  };
  const clear = () => {
    accumulator.clear();
    count = 0;
  };
  const remove = (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      if (!isKnown(at)) continue;
      accumulator.remove!(at);
      count--;
    }
    // If it were not cleared, a sum would keep the rounding errors of the removed values.
    if (count === 0) accumulator.clear();
  };
  for (let group = 0; group < starts.length - 1; group++) {
    const start = starts[group]!;
    const end = starts[group + 1]!;
    let first = start;
    let last = start;
    clear();
    for (let at = start; at < end; at++) {
      const from = bounds.from(at, start);
      const to = bounds.to(at, end);
      if (from > first && accumulator.remove === undefined) {
        clear();
        last = from;
      } else remove(first, from);
      add(last, to);
      first = from;
      last = to;
      if (count >= (min_values ?? minValues)) results.set(rows[at]!, accumulator.result(count));
    }
  }
  return results.column();
}

function datesOf(table: Table, name: string): Float64Array {
  const column = findColumn(table, name, 'by');
  if (column.type !== 'timestamp')
    throw badArgument('by', `"${name}" is ${table.getChild(name)!.type}; a calendar window needs dates`);
  for (let row = 0; row < table.numRows; row++)
    if (!isValid(column.valid, row))
      throw badArgument('by', `row ${row + 1} of "${name}" has no date; filter out that row`);
  return readEpochs(column.values);
}

function calendarBounds(dates: Float64Array, { rows }: Arrangement, length: PeriodLength): WindowBounds {
  const begun = new Map<number, number>();
  const beginOf = (date: number): number => {
    const known = begun.get(date) ?? shiftMonthEnd(date, length, -1);
    begun.set(date, known);
    return known;
  };
  const dateAt = (at: number) => dates[rows[at]!]!;
  let [first, next] = [0, 0];
  return {
    from(at, start) {
      if (at === start) [first, next] = [start, start];
      for (const begin = beginOf(dateAt(at)); dateAt(first) <= begin; ) first++;
      return first;
    },
    to(at, end) {
      while (next < end && dateAt(next) <= dateAt(at)) next++;
      return next;
    },
  };
}
