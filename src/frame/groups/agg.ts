import type { DataType, Float64, Int32, Int64, TypeMap } from 'apache-arrow';
import { check } from '../../model/schema/check.js';
import { SHARE, TEXT } from '../../model/schema/schemas.js';
import type { RowValue } from '../table/cell-column.js';
import type { ColumnOfValues, NotNull, Row, ValueOf } from '../table/row-types.js';

/** The name of an aggregate function. */
export type AggregateName = keyof typeof agg;

/** The type of a result: an Arrow type, the type of the aggregated column (`same`), or the type of its sum (`sum`). */
export type ResultKind = DataType | 'same' | 'sum';

declare const RESULT: unique symbol;

/** A computation on columns, created by `agg` or `windows`. */
export interface Computation<Name extends string = string, Result extends ResultKind = ResultKind> {
  /** The columns that the computation reads. */
  readonly columns: readonly Name[];
  /** Exists only for type inference. */
  readonly [RESULT]?: Result;
}

/** An aggregate of the values in columns, such as `agg.mean('value')`. */
export interface Aggregation<Name extends string = string, Result extends ResultKind = ResultKind>
  extends Computation<Name, Result> {
  /** The name of the aggregate function. */
  readonly how: AggregateName;
  /** The probability for the `quantile` function, from 0 to 1. */
  readonly share?: number | undefined;
}

/** The Arrow type of the column that a computation returns for a table with the columns `Columns`. */
export type ComputedColumn<Columns extends TypeMap, Given> =
  Given extends Computation<infer Name, infer Result>
    ? Result extends DataType
      ? Result
      : Result extends 'same'
        ? ColumnOfValues<ValueOf<Columns[Name]> | null>
        : Extract<ValueOf<Columns[Name]>, bigint> extends never
          ? Float64
          : Int64
    : never;

function aggregation<Name extends string, Result extends ResultKind>(
  how: AggregateName,
  columns: readonly Name[],
  share?: number,
): Aggregation<Name, Result> {
  for (const [at, column] of columns.entries()) check(TEXT, column, `columns[${at}]`);
  return { how, columns, share };
}

/**
 * Aggregate functions for `rollup`, `withColumn` and windows. Null and NaN are skipped, as SQL skips null. If there are
 * no values, a count is 0 and every other aggregate is null. Aggregates of two columns skip rows with a null in either
 * column. Booleans count as 0 and 1. `first`, `last`, `min` and `max` are exact, as are sums of 64-bit integers. All
 * other results from 64-bit integers and decimals are rounded to doubles.
 */
export const agg = {
  /** Counts the values in a column or, if no column is given, the rows. */
  count: <Name extends string = never>(column?: Name): Aggregation<Name, NotNull<Int32>> =>
    aggregation('count', column === undefined ? [] : [column]),

  /** Counts the distinct values of a column. */
  countDistinct: <Name extends string>(column: Name): Aggregation<Name, NotNull<Int32>> =>
    aggregation('countDistinct', [column]),

  /** Sums numbers. Sums of 64-bit integers are exact; a sum that exceeds 64 bits throws an ArgumentError. */
  sum: <Name extends string>(column: Name): Aggregation<Name, 'sum'> => aggregation('sum', [column]),

  /** Computes the arithmetic mean of numbers. */
  mean: <Name extends string>(column: Name): Aggregation<Name, Float64> => aggregation('mean', [column]),

  /** Computes the median of numbers. For an even number of values, the median is the mean of the middle two. */
  median: <Name extends string>(column: Name): Aggregation<Name, Float64> => aggregation('median', [column]),

  /**
   * Computes a quantile of numbers with linear interpolation between adjacent values.
   * @param share the probability, from 0 to 1
   */
  quantile<Name extends string>(column: Name, share: number): Aggregation<Name, Float64> {
    check(SHARE, share, 'share');
    return aggregation('quantile', [column], share);
  },

  /** Returns the minimum of numbers, dates or strings. Strings are compared by UTF-16 code units. */
  min: <Name extends string>(column: Name): Aggregation<Name, 'same'> => aggregation('min', [column]),

  /** Returns the maximum of numbers, dates or strings. Strings are compared by UTF-16 code units. */
  max: <Name extends string>(column: Name): Aggregation<Name, 'same'> => aggregation('max', [column]),

  /** Returns the first value in row order. */
  first: <Name extends string>(column: Name): Aggregation<Name, 'same'> => aggregation('first', [column]),

  /** Returns the last value in row order. */
  last: <Name extends string>(column: Name): Aggregation<Name, 'same'> => aggregation('last', [column]),

  /** Computes the sample standard deviation (n − 1). The result is null for fewer than two values. */
  std: <Name extends string>(column: Name): Aggregation<Name, Float64> => aggregation('std', [column]),

  /** Computes the sample variance (n − 1). The result is null for fewer than two values. */
  var: <Name extends string>(column: Name): Aggregation<Name, Float64> => aggregation('var', [column]),

  /** Computes the mean of one column weighted by another. The result is null if the weights sum to 0. */
  weightedMean: <Name extends string, Weight extends string>(
    column: Name,
    weight: Weight,
  ): Aggregation<Name | Weight, Float64> => aggregation('weightedMean', [column, weight]),

  /** Computes Pearson's correlation coefficient; null for fewer than two pairs, or if a column is constant. */
  corr: <First extends string, Second extends string>(
    first: First,
    second: Second,
  ): Aggregation<First | Second, Float64> => aggregation('corr', [first, second]),
};

/** The key columns of a grouped frame: columns of the frame, or the results of functions that receive a row. */
export type KeyColumns<Columns extends TypeMap, Key> = {
  [Name in Key extends string ? Key : keyof Key & string]: Name extends Key
    ? Columns[Name]
    : Key extends { readonly [Computed in Name]: (row: never) => infer Value }
      ? ColumnOfValues<Value>
      : never;
};

/** The values of one group: an array for each column, in row order. */
export type Group<Columns extends TypeMap> = {
  readonly [Name in keyof Columns]: readonly Row<Columns>[Name][];
};

/** The aggregates that `rollup` computes for each group, keyed by new column name. */
export type RollupValues<Columns extends TypeMap> = {
  readonly [Name in string]: Aggregation<keyof Columns & string> | ((group: Group<Columns>) => RowValue);
};

/** The new columns of `rollup`, without the keys. */
export type RolledUp<Columns extends TypeMap, Values> = {
  [Name in keyof Values]: Values[Name] extends (group: never) => infer Value
    ? ColumnOfValues<Value>
    : ComputedColumn<Columns, Values[Name]>;
};

/** The computations for `withColumns`, keyed by new column name. */
export type Computations<Columns extends TypeMap> = {
  readonly [Name in string]: Computation<keyof Columns & string>;
};

/** The columns that `withColumns` adds. */
export type Computed<Columns extends TypeMap, Given> = {
  [Name in keyof Given]: ComputedColumn<Columns, Given[Name]>;
};
