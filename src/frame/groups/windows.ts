import type { Float64 } from 'apache-arrow';
import * as v from 'valibot';
import type { PeriodLength } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import {
  check,
  checkOptions,
  checkRequiredOptions,
  type OptionKeys,
  optionsOf,
  required,
} from '../../model/schema/check.js';
import { integer, oneOf, TEXT } from '../../model/schema/schemas.js';
import type { Aggregation, Computation, ResultKind } from './agg.js';
import { SORT_KEYS, type SortKeys } from './order-rows.js';

/** The order of the rows of a window. */
export interface WindowOrder<Name extends string = string> {
  /** The columns to order rows by within groups; default the order of the rows. */
  by?: SortKeys<Name> | undefined;
}

/** Options of `windows.rank`. */
export interface RankOptions {
  /** Gives the highest value rank 1; default false. */
  descending?: boolean | undefined;
  /**
   * The rank of equal values: the lowest of their ranks (`min`, default), the same without gaps after them (`dense`),
   * distinct ranks in the order of the rows (`first`), or the mean of their ranks (`average`).
   */
  ties?: 'min' | 'dense' | 'first' | 'average' | undefined;
}

/** Options of `windows.lag` and `windows.lead`. */
export interface OffsetOptions<Name extends string = string> extends WindowOrder<Name> {
  /** The number of rows; default 1. */
  offset?: number | undefined;
}

/** The length of a rolling window: a number of rows, or a length in the calendar. */
export type WindowLength =
  | {
      /** The number of rows. */
      readonly rows: number;
    }
  | PeriodLength;

/** The window of `windows.rolling`. */
export interface RollingOptions<Name extends string = string> extends WindowOrder<Name> {
  /**
   * The length of the window, which ends with the row: `{ rows: 7 }`, or in the calendar such as `{ days: 7 }` or `{
   * months: 3 }`. A window in the calendar needs `by`, one column of dates: it has the rows whose date is after `date −
   * length`, up to and including those of the same date. One month before the last day of a month is the last day of
   * the previous month.
   */
  window: WindowLength;
  /** The minimum number of values in a window; with fewer, the result is null. By default there is no minimum. */
  min_values?: number | undefined;
}

/** The kinds of windows, with the parameters of each. */
export type WindowParameters =
  | {
      /** The kind of the window. */
      readonly window: 'rank';
      /** The order of the rows, and how equal values rank. */
      readonly options: RankOptions;
    }
  | {
      /** The kind of the window. */
      readonly window: 'lag' | 'lead';
      /** The order of the rows, and how many rows away the value is. */
      readonly options: OffsetOptions;
    }
  | {
      /** The kind of the window. */
      readonly window: 'cumulative';
      /** The aggregate of each window. */
      readonly aggregate: Aggregation;
      /** The order of the rows. */
      readonly options: WindowOrder;
    }
  | {
      /** The kind of the window. */
      readonly window: 'rolling';
      /** The aggregate of each window. */
      readonly aggregate: Aggregation;
      /** The order of the rows, and the length of the window. */
      readonly options: RollingOptions;
    };

/** A function of the rows around each row, such as `windows.lag('value')`. */
export type Window<Name extends string = string, Result extends ResultKind = ResultKind> = Computation<
  Name,
  Result
> &
  WindowParameters;

const RANK_KEYS: OptionKeys<RankOptions> = {
  descending: v.boolean(),
  ties: oneOf(['min', 'dense', 'first', 'average']),
};
const OFFSET_KEYS: OptionKeys<OffsetOptions> = { by: SORT_KEYS, offset: integer({ min: 1 }) };
const LENGTHS = {
  rows: integer({ min: 1 }),
  days: integer({ min: 1 }),
  months: integer({ min: 1 }),
  years: integer({ min: 1 }),
};
const ROLLING_KEYS: OptionKeys<RollingOptions> = {
  by: SORT_KEYS,
  window: required(optionsOf(LENGTHS)),
  min_values: integer({ min: 1 }),
};

/**
 * Functions of the rows around each row, for `withColumn` of a frame or of its groups. Rows are taken in the order of
 * `by` within groups, by default in their own; null and NaN in `by` are last. The rows keep their places in the frame.
 */
export const windows = {
  /** Ranks the values of a column from 1. Null and NaN have no rank. */
  rank<Name extends string>(column: Name, options: RankOptions = {}): Window<Name, Float64> {
    check(TEXT, column, 'column');
    checkOptions(options, RANK_KEYS, 'windows.rank');
    return { window: 'rank', columns: [column], options };
  },

  /** Takes the value of an earlier row; null where there is none. */
  lag<Name extends string>(column: Name, options: OffsetOptions = {}): Window<Name, 'same'> {
    check(TEXT, column, 'column');
    checkOptions(options, OFFSET_KEYS, 'windows.lag');
    return { window: 'lag', columns: [column], options };
  },

  /** Takes the value of a later row; null where there is none. */
  lead<Name extends string>(column: Name, options: OffsetOptions = {}): Window<Name, 'same'> {
    check(TEXT, column, 'column');
    checkOptions(options, OFFSET_KEYS, 'windows.lead');
    return { window: 'lead', columns: [column], options };
  },

  /** Aggregates all rows up to and including the row. */
  cumulative<Name extends string, Result extends ResultKind>(
    aggregate: Aggregation<Name, Result>,
    options: WindowOrder = {},
  ): Window<Name, Result> {
    checkOptions(options, { by: SORT_KEYS }, 'windows.cumulative');
    return { window: 'cumulative', aggregate, columns: aggregate.columns, options };
  },

  /**
   * Aggregates the rows of a window that ends with the row.
   * @throws ArgumentError when the window is empty, or one in the calendar has no `by`
   */
  rolling<Name extends string, Result extends ResultKind>(
    aggregate: Aggregation<Name, Result>,
    options: RollingOptions,
  ): Window<Name, Result> {
    checkRequiredOptions(options, ROLLING_KEYS, 'windows.rolling');
    const lengths = Object.keys(options.window);
    if (lengths.length === 0) throw badArgument('window', 'it is empty; give a length, such as { rows: 7 }');
    if ('rows' in options.window && lengths.length > 1)
      throw badArgument('window', 'rows and a length in the calendar exclude each other; give one of them');
    if (!('rows' in options.window) && typeof options.by !== 'string')
      throw badArgument(
        'by',
        'a window in the calendar needs one column of dates; name it, such as by: "date"',
      );
    return { window: 'rolling', aggregate, columns: aggregate.columns, options };
  },
};
