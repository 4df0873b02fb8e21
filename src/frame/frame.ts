import {
  type Dictionary,
  type Float64,
  type Int32,
  type Schema,
  Table,
  type TypeMap,
  type Utf8,
} from 'apache-arrow';
import type { Provenance } from '../model/provenance.js';
import { checkOptions } from '../model/schema/check.js';
import { oneOf } from '../model/schema/schemas.js';
import { concat } from './combine/concat.js';
import { align, type JoinOptions, join, type KeyJoinOptions } from './combine/join.js';
import { creditOf } from './display/credit.js';
import { describeFrame, type FrameDescription } from './display/describe.js';
import { type DisplayOptions, displayFrame } from './display/display-frame.js';
import { frameHtml, type HtmlOptions } from './display/frame-html.js';
import { toArrowFile, toArrowStream } from './formats/arrow.js';
import { toCsv } from './formats/csv.js';
import { type DanfoFrame, type DanfoModule, danfoFrame } from './formats/danfo.js';
import type { CsvOptions, ParquetOptions, WriteFrameOptions } from './formats/frame-formats.js';
import { inNode } from './formats/in-node.js';
import { toParquet } from './formats/parquet/write-parquet.js';
import { toColumns, toRows } from './formats/rows.js';
import type {
  Computation,
  Computations,
  Computed,
  ComputedColumn,
  KeyColumns,
  RolledUp,
  RollupValues,
} from './groups/agg.js';
import type { SortKey } from './groups/order-rows.js';
import type { RowValue } from './table/cell-column.js';
import { checkTable } from './table/check-table.js';
import { type AnyColumn, type ColumnOf, type FrameColumn, readColumn } from './table/columns.js';
import { createRecordBatch, emptyRecordBatch } from './table/frame-table.js';
import type { LongColumns, WideColumns } from './table/frame-types.js';
import { readProvenance, withMetadata, withProvenance } from './table/provenance.js';
import type {
  ColumnOfValues,
  NotNull,
  PresentRow,
  Renamed,
  Row,
  ValueOf,
  WithColumn,
} from './table/row-types.js';
import { omit, rename, select, withShortNames } from './verbs/columns.js';
import { type CutOptions, cut } from './verbs/cut.js';
import { describe } from './verbs/describe.js';
import { type FillOptions, fill } from './verbs/fill.js';
import { type FilterOptions, filterPoints, filterRows } from './verbs/filter.js';
import { type GroupedTable, type GroupKey, groupBy, rollup, withComputed } from './verbs/group-by.js';
import {
  type AnomalyOptions,
  anomaly,
  type RollingMeanOptions,
  rollingMean,
  type YearOverYearOptions,
  yearOverYear,
} from './verbs/per-point.js';
import { type Pivoted, type PivotOptions, pivot, type UnpivotOptions, unpivot } from './verbs/pivot.js';
import { type ResampleOptions, resample } from './verbs/resample.js';
import { head, sample, sortBy, tail, unique, valueCounts } from './verbs/rows.js';
import { type SeriesChoice, selectSeries } from './verbs/select-series.js';
import { type WithColumnOptions, withColumn } from './verbs/with-column.js';

const MIN_WIDTH = 100;

/** The columns of the result of `describe`, which has one row for each column of the frame. */
export type DescribeColumns = {
  /** The name of the column. */
  column: Utf8;
  /** The Arrow type of the column. */
  type: Utf8;
  /** The number of values. */
  count: Int32;
  /** The number of nulls. */
  nulls: Int32;
  /** The number of distinct values. */
  distinct: Int32;
  /** The mean of numbers. */
  mean: Float64;
  /** The minimum of numbers. */
  min: Float64;
  /** The lower quartile of numbers. */
  q25: Float64;
  /** The median of numbers. */
  median: Float64;
  /** The upper quartile of numbers. */
  q75: Float64;
  /** The maximum of numbers. */
  max: Float64;
  /** The first value in sorted order, for dates, strings and exact numbers. */
  first: Utf8;
  /** The last value in sorted order, for dates, strings and exact numbers. */
  last: Utf8;
};

/**
 * The row that the function of `withColumn` receives: all columns, and the short names of the option `columns`.
 */
export type ComputeRow<
  Columns extends TypeMap,
  Options extends WithColumnOptions,
> = (Options['pass_nulls'] extends true ? Row<Columns> : PresentRow<Columns>) & {
  readonly [Short in keyof Options['columns']]: Options['columns'][Short] extends keyof Columns
    ? ValueOf<Columns[Options['columns'][Short]]>
    : number;
};

/**
 * A table with verbs as methods. Each verb returns a new frame and leaves this one unchanged. Every table that
 * cropframe reads or creates is a frame; `frame(table)` creates one from an Arrow table of other software. A new frame
 * keeps the units, sources and report of the values. Methods for series need the columns of a long frame or the series
 * of a wide one, and throw an ArgumentError otherwise.
 * @typeParam Columns the Arrow type of each column
 */
// biome-ignore lint/suspicious/noExplicitAny: Arrow's tables are invariant, so only `Frame<any>` accepts every frame
export class Frame<Columns extends TypeMap = any> extends Table<Columns> {
  /**
   * Keeps the rows for which a function of the row returns true. The function receives nulls as null, which JavaScript
   * compares as 0.
   */
  filter<R extends object = Row<Columns>>(where: (row: R) => boolean): Frame<Columns>;
  /**
   * Keeps the points of a frame of series that match all options. In a long frame, other rows are removed. In a wide
   * frame, other values become null, and dates without a matching point are removed.
   * @throws ArgumentError if the frame has no series, an option is invalid, or start_date is after end_date
   */
  filter(options: FilterOptions): Frame<Columns>;
  filter(where: FilterOptions | ((row: never) => boolean)): Frame<Columns> {
    return frameOf(typeof where === 'function' ? filterRows(this, where) : filterPoints(this, where));
  }

  /**
   * Selects columns, in the given order.
   * @throws ArgumentError if a column does not exist or is named twice
   */
  override select<Name extends keyof Columns & string>(
    columns: readonly Name[],
  ): Frame<{ [Kept in Name]: Columns[Kept] }>;
  /** The signature of Arrow's own method. */
  // biome-ignore lint/suspicious/noExplicitAny: string names use the other signature
  override select<Name extends keyof Columns>(columns: readonly Name[]): Frame<any>;
  override select(columns: readonly PropertyKey[]): unknown {
    return frameOf(select(this, columns as readonly string[]));
  }

  /**
   * Returns all columns except the given ones.
   * @throws ArgumentError if a column does not exist
   */
  omit<Name extends keyof Columns & string>(
    columns: readonly Name[],
  ): Frame<{ [Kept in keyof Columns as Exclude<Kept, Name>]: Columns[Kept] }> {
    return frameOf(omit(this, columns));
  }

  /**
   * Renames columns. The keys are the old names, the values the new ones.
   * @throws ArgumentError if a column does not exist, or two columns would have the same name
   */
  rename<const Names extends { readonly [Name in keyof Columns]?: string }>(
    names: Names,
  ): Frame<Renamed<Columns, Names>> {
    return frameOf(rename(this, names as Record<string, string>));
  }

  /**
   * Adds a column at the end, computed from other columns of the same row, such as `({ tmin, tmax }) => (tmin + tmax) /
   * 2`. The result is null if the function reads a null (unless `pass_nulls`) or returns a number that is not finite.
   * @throws ArgumentError if the frame already has a column of this name, the function reads an unknown column, or it
   * reads columns of different units and `unit` is not set
   */
  withColumn<
    const Name extends string,
    Result extends RowValue,
    const Options extends WithColumnOptions = WithColumnOptions,
    R extends object = ComputeRow<Columns, Options>,
  >(
    name: Name,
    compute: (row: R) => Result,
    options?: Options,
  ): Frame<WithColumn<Columns, Name, ColumnOfValues<Result | null>>>;
  /**
   * Adds a column at the end: a window function, such as `windows.lag('value')`, or an aggregate of all rows.
   * @throws ArgumentError if the frame already has a column of this name, or a column of the computation does not exist
   * or has an unsuitable type
   */
  withColumn<const Name extends string, const Given extends Computation<keyof Columns & string>>(
    name: Name,
    computation: Given,
  ): Frame<WithColumn<Columns, Name, ComputedColumn<Columns, Given>>>;
  withColumn(
    name: string,
    compute: Computation | ((row: never) => RowValue),
    options?: WithColumnOptions,
  ): unknown {
    return typeof compute === 'object'
      ? frameOf(withComputed(this, { [name]: compute }))
      : frameOf(withColumn(this, name, compute, options));
  }

  /**
   * Adds columns at the end: window functions, such as `windows.lag('value')`, or aggregates of all rows.
   * @throws ArgumentError if the frame already has a column of a new name, or a column of a computation does not exist
   * or has an unsuitable type
   */
  withColumns<const Given extends Computations<Columns>>(
    columns: Given,
  ): Frame<Columns & Computed<Columns, Given>> {
    return frameOf(withComputed(this, columns));
  }

  /**
   * Sorts the rows by one or more columns; each further column orders the rows that are equal in the columns before it.
   * Nulls are last. Strings are compared by UTF-16 code units, and equal rows keep their order.
   * @throws ArgumentError if a column does not exist, or its type has no order, such as lists
   */
  sortBy(
    by:
      | (keyof Columns & string)
      | SortKey<keyof Columns & string>
      | readonly ((keyof Columns & string) | SortKey<keyof Columns & string>)[],
  ): Frame<Columns> {
    return frameOf(sortBy(this, by));
  }

  /** Returns the first rows (default 5). */
  head(rows?: number): Frame<Columns> {
    return frameOf(head(this, rows));
  }

  /** Returns the last rows (default 5). */
  tail(rows?: number): Frame<Columns> {
    return frameOf(tail(this, rows));
  }

  /**
   * Draws rows at random without replacement, in their original order. The same seed (default 1) draws the same rows.
   */
  sample(
    rows: number,
    options?: {
      /** An integer (default 1). */
      seed?: number | undefined;
    },
  ): Frame<Columns> {
    return frameOf(sample(this, rows, options));
  }

  /**
   * Joins another table on equal numbers, dates or strings in key columns. Every pair of matching rows becomes one row,
   * in the order of this frame, then of the other. Null matches nothing.
   * @throws ArgumentError if a key column does not exist or differs in kind, or both tables have another column of the
   * same name and `suffix` is not set
   */
  join<Others extends TypeMap, const Options extends KeyJoinOptions>(
    other: Frame<Others> | Table<Others>,
    options: Options,
  ): Frame<JoinedByKeys<Columns, Others, Options>>;
  /**
   * Joins another table by dates into one wide frame: `end_date`, ascending, then the columns of both. A value that one
   * of the tables lacks on a date is null; nothing is aggregated. With `by`, there is a row for each place and date.
   * The series of a long frame that differ only by place become one column, and the result is no longer a frame of
   * series.
   * @throws ArgumentError if a series is finer than the periods of `on`, a column has two values for one period, or
   * both tables have a column of the same name and `suffix` is not set
   */
  join(other: Table, options?: JoinOptions): Frame;
  join(other: Table, options?: KeyJoinOptions | JoinOptions): unknown {
    return frameOf(join(this, other, options));
  }

  /**
   * Appends the rows of other tables with the same columns. Wide frames are merged by series and date. A point that
   * several frames have is kept once, with a value rather than a null. A column that has only nulls takes the type of
   * the others. `weight_present` is omitted unless all tables have it.
   * @throws ArgumentError if the tables differ in shape or columns, or have different values for one point
   */
  override concat(...others: Table<Columns>[]): Frame<Columns>;
  /** Appends tables whose columns may differ in type, such as in nullability. */
  override concat(...others: Table[]): Frame;
  override concat(...others: Table[]): Frame {
    return frameOf(concat([this, ...others]));
  }

  /**
   * Groups the rows by columns, or by functions of the row such as `{ year: ({ date }) => date.getUTCFullYear() }`.
   * Rows with a null key form a group of their own, as in SQL.
   * @throws ArgumentError if a column does not exist, or two keys have the same name
   */
  groupBy<
    const Keys extends readonly (
      | (keyof Columns & string)
      | { readonly [Name in string]: (row: Row<Columns>) => RowValue }
    )[],
  >(...keys: Keys): GroupedFrame<Columns, KeyColumns<Columns, Keys[number]>> {
    return new GroupedFrame(groupBy(this, keys as readonly GroupKey[]));
  }

  /**
   * Aggregates all rows into one, such as `rollup({ mean: agg.mean('value') })`.
   * @throws ArgumentError if a column does not exist or has an unsuitable type
   */
  rollup<const Values extends RollupValues<Columns>>(values: Values): Frame<RolledUp<Columns, Values>> {
    return frameOf(rollup(this, values));
  }

  /**
   * Keeps the first row for each combination of values in the given columns (by default, all columns). Null equals
   * null.
   * @throws ArgumentError if a column does not exist
   */
  unique(...columns: readonly (keyof Columns & string)[]): Frame<Columns> {
    return frameOf(unique(this, columns));
  }

  /**
   * Counts the rows for each value of a column, or for each combination of values of several columns. The number is in
   * the column `count`, and the most frequent values come first. Rows with a null in one of the columns are not
   * counted.
   * @throws ArgumentError if a column does not exist, or is called `count`
   */
  valueCounts<Name extends keyof Columns & string>(
    ...columns: readonly Name[]
  ): Frame<
    { [Counted in Name]: Columns[Counted] } & {
      /** The number of rows. */
      count: NotNull<Int32>;
    }
  > {
    return frameOf(valueCounts(this, columns));
  }

  /**
   * Replaces nulls and NaN in columns by a value, the previous value, the next value, or a linear interpolation between
   * both.
   * @throws ArgumentError if a column does not exist, a value does not fit its type, or `linear` is used for a column
   * without numbers
   */
  fill(
    columns: (keyof Columns & string) | readonly (keyof Columns & string)[],
    options: FillOptions<keyof Columns & string>,
  ): Frame<Columns> {
    return frameOf(fill(this, columns, options));
  }

  /**
   * Adds a column with the bin of each number, between edges or between quantiles. A bin includes its upper edge but
   * not its lower one; the first bin includes both. Nulls, NaN and values outside the edges have no bin.
   * @throws ArgumentError if the column has no numbers, not exactly one of `edges` and `quantiles` is given, the edges
   * do not ascend, or the number of labels differs from the number of bins
   */
  cut<Column extends keyof Columns & string, const Name extends string = `${Column}_bin`>(
    column: Column,
    options: CutOptions<Name>,
  ): Frame<WithColumn<Columns, Name, Dictionary<Utf8, Int32>>> {
    return frameOf(cut(this, column, options));
  }

  /**
   * Pivots the table: one row for each combination of values of `rows`, in order of first appearance, and one column
   * for each combination of values of `columns`, in sorted order. A column is named by its values, joined by `_`; with
   * several `values`, their names come first. A null is named `null`. A cell without rows is null.
   * @throws ArgumentError if a column does not exist, two columns would have the same name, a cell has several rows and
   * `how` is not set, or a name is not in `into`
   */
  pivot<const Options extends PivotOptions<keyof Columns & string>>(
    options: Options,
  ): Frame<Pivoted<Columns, Options>> {
    return frameOf(pivot(this, options));
  }

  /**
   * Unpivots columns: each row becomes one row for each of `columns`, with the name of the column and its value. The
   * other columns are repeated. Nulls are kept.
   * @throws ArgumentError if a column does not exist, the columns differ in type, or two columns would have the same
   * name
   */
  unpivot<
    Name extends keyof Columns & string,
    const Names extends string = 'name',
    const Values extends string = 'value',
  >(
    options: UnpivotOptions<Name, Names, Values>,
  ): Frame<
    { [Kept in keyof Columns as Exclude<Kept, Name>]: Columns[Kept] } & {
      [Added in Names]: NotNull<Dictionary<Utf8, Int32>>;
    } & { [Added in Values]: Columns[Name] }
  > {
    return frameOf(unpivot(this, options));
  }

  /**
   * Describes each column in one row: its type and its number of values, nulls and distinct values. Numbers have the
   * mean, minimum, quartiles (interpolated linearly) and maximum. Dates, strings, 64-bit integers, decimals and
   * durations have the first and the last value in sorted order, exactly. Quartiles, minima and maxima that a double
   * cannot hold are null.
   */
  describe(): Frame<DescribeColumns> {
    return frameOf(describe(this));
  }

  /**
   * Resamples each series to a coarser frequency, with one row for each calendar period from its first to its last
   * value. A point belongs to the period in which it ends. `mean` is the unweighted mean of the points, `last` the
   * latest value. A period is null if points with values do not cover it. A series that already has the frequency is
   * unchanged. `reporting_date` becomes null, `available_date` is the latest of the period's points, and `metadata`
   * merges their remarks. The `weight_present` of an average across regions is omitted. The metric is named "…, sum of
   * each month", and its id is negative.
   * @throws ArgumentError if a series is coarser than the frequency or has other periods (such as marketing years), if
   * one of its periods of months overlaps two of the requested periods, or if a column belongs to no series
   */
  resample(options: ResampleOptions): Frame<Columns> {
    return frameOf(resample(this, options));
  }

  /**
   * Computes the mean of each series over a trailing window. The window contains the values with an end date after
   * `end_date − window`, up to and including the row's own value. Series of months, quarters and years count whole
   * months. For finer series, one month before the last day of a month is the last day of the previous month. A null
   * value is not counted and stays null. Rows and dates are kept.
   * @throws ArgumentError if the window is empty, or the frame has no series
   */
  rollingMean(options: RollingMeanOptions): Frame<Columns> {
    return frameOf(rollingMean(this, options));
  }

  /**
   * Compares each value with the value of the same period some years earlier: the point whose end date is nearest to
   * the same date of that year, at most half a period away. The result is null if either value is missing, or the
   * divisor of a ratio is 0. Rows and dates are kept. The metric is named "…, change from a year earlier", and its id
   * is negative.
   * @throws ArgumentError if `years` is not a positive integer, or not a multiple of the period length of a series with
   * periods of several years, or the frame has no series
   */
  yearOverYear(options?: YearOverYearOptions): Frame<Columns> {
    return frameOf(yearOverYear(this, options));
  }

  /**
   * Computes the anomaly of each value: its difference from the climatology of its series, which is the mean of the
   * same part of the year over the reference period. The part is the calendar day for daily series (29 February counts
   * as the 28th), the month for monthly and quarterly series, and the dekad of the month for 10-day series. Other
   * periods of several days are counted from 1 January. For annual and longer series, the part is the whole year. The
   * result is null if the reference has no value for that part, or the divisor is 0. Rows and dates are kept. The
   * metric is named "…, anomaly", and its id is negative.
   * @throws ArgumentError if no value is in the reference period, or the frame has no series
   */
  anomaly(options?: AnomalyOptions): Frame<Columns> {
    return frameOf(anomaly(this, options));
  }

  /**
   * Aligns two frames of series: both become wide, with the same end dates. A value that one of them lacks is null. The
   * `weight_present` of an average across regions is omitted.
   * @param options.join the dates to keep: dates in both frames (`inner`, default), in either (`outer`), or in this
   * frame (`left`)
   * @throws ArgumentError if a table is not a frame of series
   */
  align(
    other: Table,
    options?: {
      /**
       * The dates to keep: dates in both frames (`inner`, default), in either (`outer`), or in this frame (`left`).
       */
      join?: 'inner' | 'outer' | 'left' | undefined;
    },
  ): [Frame<WideColumns>, Frame<WideColumns>] {
    const [left, right] = align(this, other, options);
    return [frameOf(left), frameOf(right)];
  }

  /**
   * Keeps some of the series, as rows of a long frame or columns of a wide one. Dates on which only nulls remain are
   * removed. The provenance keeps the sources, units and report entries of these series. With a selection by ids, it
   * also keeps the entries of selected series that failed or are empty.
   * @throws ArgumentError if the frame has no series
   */
  selectSeries(choice: SeriesChoice): Frame<Columns> {
    return frameOf(selectSeries(this, choice));
  }

  /**
   * Renames the series of a wide frame by the shortest names that distinguish them, such as `Iowa` and `Illinois`, or
   * `Temperature min · Iowa`. A single series is named by its item and region.
   * @throws ArgumentError if the frame is not wide
   */
  withShortNames(): Frame<Columns> {
    return frameOf(withShortNames(this));
  }

  /** The request, time, sources, units and report of the retrieval; null if the frame has no provenance. */
  get provenance(): Provenance | null {
    return readProvenance(this);
  }

  /** Returns the frame with another provenance, such as one whose report has been completed since. */
  withProvenance(provenance: Provenance): Frame<Columns> {
    return frameOf(withProvenance(this, provenance));
  }

  /**
   * Describes the frame: its shape, types, units and sources, when and from which host it was retrieved, its report,
   * the steps that computed its values, and whether its values match its checksum.
   */
  summary(): FrameDescription {
    return describeFrame(this);
  }

  /**
   * Formats the frame for a terminal: its shape, units, sources and report, the column types, the first and last rows,
   * and a sparkline for each of the first series.
   */
  toText(options?: DisplayOptions): string {
    return displayFrame(this, options);
  }

  /**
   * Formats the frame as HTML, with a small line chart for each of the first series. All strings are escaped.
   */
  toHtml(options?: HtmlOptions): string {
    return frameHtml(this, options);
  }

  /** The sources of the values with their licences, as a chart credits them: `Made-up survey (CC0 1.0)`. */
  get credit(): string {
    return creditOf(this);
  }

  /**
   * Writes a Parquet file with statistics for every column chunk and page, UTC timestamps, dictionary encoding and
   * Zstandard. Its metadata contains the provenance and a checksum.
   */
  toParquet(options?: ParquetOptions): Promise<Uint8Array> {
    return toParquet(this, options);
  }

  /** Writes the Arrow IPC file format (Feather V2, default) or stream format, with the provenance and a checksum. */
  toArrow(
    options: {
      /** The Arrow IPC format (default `'file'`). */
      format?: 'file' | 'stream' | undefined;
    } = {},
  ): Uint8Array {
    checkOptions(options, { format: oneOf(['file', 'stream']) }, 'toArrow');
    return options.format === 'stream' ? toArrowStream(this) : toArrowFile(this);
  }

  /**
   * Writes CSV (RFC 4180) with a header and CRLF line ends. Strings are quoted if necessary. Dates are ISO 8601 UTC,
   * null is an empty field, an empty string is quoted, and numbers are read back exactly.
   */
  toCsv(options?: CsvOptions): string {
    return toCsv(this, options);
  }

  /**
   * Converts the frame to a Danfo `DataFrame`, a copy. Dates become `Date` objects, numbers float32 or int32, and names
   * strings. A null number becomes NaN, because Danfo reads null as 0; a null date or string stays null. Booleans
   * become 1 and 0, and decimals become numbers. All other types, such as integers beyond 2⁵³, become strings. Danfo
   * computes in 32-bit floats, so compute in the frame, and convert last.
   * @param options.danfo the module; Node loads `danfojs-node` by default
   * @throws ArgumentError if danfojs-node is not installed
   */
  async toDanfo<DataFrame = DanfoFrame>(
    options: {
      /** The Danfo module; Node loads `danfojs-node` by default. */
      danfo?: DanfoModule<DataFrame> | undefined;
    } = {},
  ): Promise<DataFrame> {
    const danfo = options.danfo ?? (await inNode('danfo', 'give the module: toDanfo({ danfo })').loadDanfo());
    return danfoFrame(this, { ...options, danfo: danfo as DanfoModule<DataFrame> });
  }

  /**
   * Writes a file in the format of its extension: `.parquet` or `.pq`, `.arrow` or `.feather` (Arrow file), `.arrows`
   * (Arrow stream), `.csv`, `.json`, `.xlsx`. The file appears when it is complete. An Excel workbook needs the package
   * `write-excel-file`, and has the sources, units and report on a second sheet.
   * @param options a signal, or a signal and the options for CSV
   * @throws ArgumentError for another extension, a path that cannot be written, a frame larger than a workbook holds,
   * or in a browser; the signal's reason if aborted
   */
  async write(path: string, options?: AbortSignal | WriteFrameOptions): Promise<void> {
    const remedy = 'a browser does not write files; use toParquet, toArrow or toCsv';
    await inNode('path', remedy).writeFrame(this, path, options);
  }

  /**
   * Returns a column as typed arrays. The column of a frame with one batch is not copied.
   * @param type the type that the column must have
   * @throws ArgumentError if the column does not exist, occurs twice, or has another type
   */
  column<Type extends FrameColumn['type']>(name: keyof Columns & string, type: Type): ColumnOf<Type>;
  /** Returns a column of any type as typed arrays. */
  column(name: keyof Columns & string): FrameColumn;
  column(name: string, type?: FrameColumn['type']): FrameColumn {
    return type === undefined ? readColumn(this, name) : readColumn(this, name, type);
  }

  /**
   * Returns all columns as typed arrays, keyed by name. The columns of a frame with one batch are not copied.
   */
  toColumns(): Record<keyof Columns & string, AnyColumn> {
    return toColumns(this);
  }

  /**
   * Returns the rows as objects, which suits small frames. Dates become `Date` objects. Decimals become numbers, or
   * bigints if they are integers of more than 15 digits.
   * @throws ArgumentError if two columns have the same name, or a time exceeds the range of `Date`
   */
  toRows(): Row<Columns>[] {
    return toRows(this);
  }

  /**
   * Returns a range of rows; negative positions count from the end. Overrides Arrow's method, which merges columns of
   * the same name.
   */
  override slice(begin = 0, end = this.numRows): Frame<Columns> {
    const [from, to] = [begin, end].map((row) => (row < 0 ? row + this.numRows : row)) as [number, number];
    let first = 0;
    const batches = this.batches.flatMap(({ data: { children, length } }) => {
      const at = Math.max(0, from - first);
      const rows = Math.min(length, to - first) - at;
      first += length;
      if (rows <= 0) return [];
      const parts = children.map((child) => child.slice(at, rows));
      return createRecordBatch(this.schema, parts, rows);
    });
    return frameOf({
      schema: this.schema,
      batches: batches.length > 0 ? batches : [emptyRecordBatch(this.schema)],
    });
  }

  /**
   * Returns the columns at the positions. Overrides Arrow's method, which merges columns of the same name.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the signature is Arrow's
  override selectAt<K extends Columns[keyof Columns] = any>(
    positions: number[],
  ): Table<{
    /** The columns at the positions. */
    [key: string]: K;
  }> {
    const schema: Schema = this.schema.selectAt(positions);
    const batches = this.batches.map(({ data: { children, length } }) => {
      const parts = positions.flatMap((at) => children[at] ?? []);
      return createRecordBatch(schema, parts, length);
    });
    return frameOf({ schema, batches });
  }

  /** Formats the frame as text for `console.log` in Node, Deno and tslab. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    options?: { breakLength?: number | undefined },
  ): string {
    const width = options?.breakLength ?? 0;
    return displayFrame(this, Number.isFinite(width) ? { width: Math.max(width, MIN_WIDTH) } : {});
  }

  /** Displays the frame in Deno notebooks. */
  [Symbol.for('Jupyter.display')](): Record<string, string> {
    return { 'text/html': frameHtml(this), 'text/plain': displayFrame(this) };
  }
}

/**
 * A frame whose rows are grouped, as returned by `groupBy`.
 * @typeParam Columns the Arrow type of each column of the frame
 * @typeParam Keys the Arrow type of each key
 */
export class GroupedFrame<Columns extends TypeMap, Keys extends TypeMap> {
  readonly #grouped: GroupedTable;

  /** Called by `groupBy`. The type of the grouped table is not public. */
  constructor(grouped: object) {
    this.#grouped = grouped as GroupedTable;
  }

  /**
   * Computes one row for each group, in order of first appearance: its keys, then aggregates such as `{ mean:
   * agg.mean('value') }`, or functions of the group. A function receives the values of the group's columns, including
   * nulls.
   * @throws ArgumentError if a column does not exist or has an unsuitable type, two results have the same name, or the
   * values of a long frame to aggregate have several units
   */
  rollup<const Values extends RollupValues<Columns>>(
    values: Values,
  ): Frame<Keys & RolledUp<Columns, Values>> {
    return frameOf(rollup(this.#grouped, values));
  }

  /**
   * Adds a column to the frame: a window function within the groups, such as `windows.lag('value')`, or an aggregate of
   * the row's group. Rows keep their order.
   * @throws ArgumentError if the frame already has a column of this name, or a column of the computation does not exist
   * or has an unsuitable type
   */
  withColumn<const Name extends string, const Given extends Computation<keyof Columns & string>>(
    name: Name,
    computation: Given,
  ): Frame<WithColumn<Columns, Name, ComputedColumn<Columns, Given>>> {
    return frameOf(withComputed(this.#grouped, { [name]: computation }));
  }

  /** Adds several columns to the frame; see `withColumn`. */
  withColumns<const Given extends Computations<Columns>>(
    columns: Given,
  ): Frame<Columns & Computed<Columns, Given>> {
    return frameOf(withComputed(this.#grouped, columns));
  }

  /**
   * Replaces nulls and NaN in columns, within each group.
   * @throws ArgumentError if a column does not exist, a value does not fit the type of its column, or `linear` is used
   * for a column without numbers
   */
  fill(
    columns: (keyof Columns & string) | readonly (keyof Columns & string)[],
    options: FillOptions<keyof Columns & string>,
  ): Frame<Columns> {
    return frameOf(fill(this.#grouped, columns, options));
  }
}

/** A frame with one row for each point. */
export type LongFrame = Frame<LongColumns>;

/** A frame with one row for each end date and one column for each series. */
export type WideFrame = Frame<WideColumns>;

/**
 * The columns of a join by keys. Columns of the other table whose names this table also has get the suffix.
 */
export type JoinedByKeys<
  Columns extends TypeMap,
  Others extends TypeMap,
  Options extends KeyJoinOptions,
> = Options['how'] extends 'semi' | 'anti'
  ? Columns
  : Columns & {
      [Name in keyof Others as Name extends (
        Options['on'] extends readonly (infer Key)[]
          ? Key
          : Options['on'][keyof Options['on']]
      )
        ? never
        : Name extends keyof Columns
          ? `${Name & string}${Options['suffix'] extends string ? Options['suffix'] : ''}`
          : Name]: Others[Name];
    };

/**
 * Creates a frame from an Arrow table, such as one read by other software. The columns are not copied.
 * @throws ArgumentError if the argument is not an Arrow table
 */
export function frame<Columns extends TypeMap>(table: Table<Columns>): Frame<Columns> {
  checkTable(table, 'table');
  if (table instanceof Frame) return table as Frame<Columns>;
  return frameOf(withMetadata(table, table.schema.metadata));
}

/** Creates a frame from a table of the Arrow library that cropframe uses. */
export function frameOf<Columns extends TypeMap>({
  schema,
  batches,
}: Pick<Table, 'schema' | 'batches'>): Frame<Columns> {
  return new Frame<Columns>(schema, batches);
}
