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

/** Minimum characters per line on a terminal. */
const MIN_WIDTH = 100;

/** The columns of `describe`, one row for each column of the frame. */
export type DescribeColumns = {
  /** The name of the column. */
  column: Utf8;
  /** Its Arrow type. */
  type: Utf8;
  /** Number of values. */
  count: Int32;
  /** Number of nulls. */
  nulls: Int32;
  /** Number of distinct values. */
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
  /** The first in order, of dates, strings and exact numbers. */
  first: Utf8;
  /** The last in order, of dates, strings and exact numbers. */
  last: Utf8;
};

/** The row that the function of `withColumn` receives: the columns and those of the option `columns`. */
export type ComputeRow<
  Columns extends TypeMap,
  Options extends WithColumnOptions,
> = (Options['pass_nulls'] extends true ? Row<Columns> : PresentRow<Columns>) & {
  readonly [Short in keyof Options['columns']]: Options['columns'][Short] extends keyof Columns
    ? ValueOf<Columns[Options['columns'][Short]]>
    : number;
};

/**
 * A table with verbs as methods, each of which returns another frame and leaves this one as it is. Every table that
 * cropframe reads or makes is one; `frame(table)` creates one from an Arrow table of other software. Units, sources and
 * the report of a frame's values go with them, and `readProvenance` shows them with the steps. Methods of series need
 * the columns of a long frame or the series of a wide one; they throw an ArgumentError without them.
 * @typeParam Columns the Arrow type of each column
 */
// biome-ignore lint/suspicious/noExplicitAny: Arrow's tables are invariant, so that `Frame` of `any` alone takes every frame
export class Frame<Columns extends TypeMap = any> extends Table<Columns> {
  /**
   * Keeps the rows for which a function of the row returns true. The function receives nulls as null, which JavaScript
   * compares as 0.
   */
  filter<R extends object = Row<Columns>>(where: (row: R) => boolean): Frame<Columns>;
  /**
   * Keeps the points of a frame of series that fit all options. A long frame loses rows. In a wide frame the other
   * values become null, and dates without a point that fits are left out.
   * @throws ArgumentError when the frame has no series, an option cannot be read, or start_date is after end_date
   */
  filter(options: FilterOptions): Frame<Columns>;
  filter(where: FilterOptions | ((row: never) => boolean)): Frame<Columns> {
    return frameOf(typeof where === 'function' ? filterRows(this, where) : filterPoints(this, where));
  }

  /**
   * Selects columns, in this order.
   * @throws ArgumentError when a column does not exist, or is named twice
   */
  override select<Name extends keyof Columns & string>(
    columns: readonly Name[],
  ): Frame<{ [Kept in Name]: Columns[Kept] }>;
  /** Arrow's own signature. */
  // biome-ignore lint/suspicious/noExplicitAny: names that are strings take the other signature
  override select<Name extends keyof Columns>(columns: readonly Name[]): Frame<any>;
  override select(columns: readonly PropertyKey[]): unknown {
    return frameOf(select(this, columns as readonly string[]));
  }

  /**
   * Returns all columns except these.
   * @throws ArgumentError when a column does not exist
   */
  omit<Name extends keyof Columns & string>(
    columns: readonly Name[],
  ): Frame<{ [Kept in keyof Columns as Exclude<Kept, Name>]: Columns[Kept] }> {
    return frameOf(omit(this, columns));
  }

  /**
   * Renames columns, each old name with its new one.
   * @throws ArgumentError when a column does not exist, or two would have one name
   */
  rename<const Names extends { readonly [Name in keyof Columns]?: string }>(
    names: Names,
  ): Frame<Renamed<Columns, Names>> {
    return frameOf(rename(this, names as Record<string, string>));
  }

  /**
   * Adds a column at the end, computed from others of the same row, such as `({ tmin, tmax }) => (tmin + tmax) / 2`. The
   * result is null if the function reads a null (unless `pass_nulls`) or returns a number that is not finite.
   * @throws ArgumentError when the frame already has the name, the function reads an unknown column, or it reads columns
   *   of different units and the result has no `unit`
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
   * @throws ArgumentError when the frame already has the name, a column does not exist, or it has values of another kind
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
   * @throws ArgumentError when the frame already has a name, a column does not exist, or it has values of another kind
   */
  withColumns<const Given extends Computations<Columns>>(
    columns: Given,
  ): Frame<Columns & Computed<Columns, Given>> {
    return frameOf(withComputed(this, columns));
  }

  /**
   * Sorts the rows by columns: by the first, then by the next among equal values. Nulls are last. Strings are in the
   * order of their UTF-16 units, and equal rows keep their order.
   * @throws ArgumentError when a column does not exist, or has no order, such as one of lists
   */
  sortBy(
    by:
      | (keyof Columns & string)
      | SortKey<keyof Columns & string>
      | readonly ((keyof Columns & string) | SortKey<keyof Columns & string>)[],
  ): Frame<Columns> {
    return frameOf(sortBy(this, by));
  }

  /** Returns the first rows; five by default. */
  head(rows?: number): Frame<Columns> {
    return frameOf(head(this, rows));
  }

  /** Returns the last rows; five by default. */
  tail(rows?: number): Frame<Columns> {
    return frameOf(tail(this, rows));
  }

  /** Draws rows at random without replacement, and keeps their order. The same seed (default 1) draws the same rows. */
  sample(
    rows: number,
    options?: {
      /** An integer; default 1. */
      seed?: number | undefined;
    },
  ): Frame<Columns> {
    return frameOf(sample(this, rows, options));
  }

  /**
   * Joins another table by the values of columns: numbers, dates or strings. Every pair of matching rows becomes one
   * row, in the order of this frame, then of the other. Null matches nothing.
   * @throws ArgumentError when a column does not exist or differs in kind, or both tables have another column of one
   *   name and no `suffix` is given
   */
  join<Others extends TypeMap, const Options extends KeyJoinOptions>(
    other: Frame<Others> | Table<Others>,
    options: Options,
  ): Frame<JoinedByKeys<Columns, Others, Options>>;
  /**
   * Joins another table by dates, in one wide frame: `end_date`, ascending, then the columns of both. A value that one
   * of them lacks on a date is null; nothing is aggregated. With `by`, there is a row for each place and date: the
   * series of a long frame that differ only by place become one column, and the result is no longer a frame of series.
   * @throws ArgumentError when a series is finer than the periods of `on`, a column has two values for one of them, or
   *   both have a column of one name and no `suffix` is given
   */
  join(other: Table, options?: JoinOptions): Frame;
  join(other: Table, options?: KeyJoinOptions | JoinOptions): unknown {
    return frameOf(join(this, other, options));
  }

  /**
   * Appends the rows of other tables with the same columns; of wide frames, their series and dates. A point that several
   * frames have is kept once, and a null gives way to a value. A column of nulls alone takes the type of the others.
   * `weight_present` is left out unless all have it.
   * @throws ArgumentError when the tables differ in shape or columns, or have different values for one point
   */
  override concat(...others: Table<Columns>[]): Frame<Columns>;
  /** Appends tables whose columns may have other types, such as nullable ones. */
  override concat(...others: Table[]): Frame;
  override concat(...others: Table[]): Frame {
    return frameOf(concat([this, ...others]));
  }

  /**
   * Groups the rows by columns, or by functions of the row such as `{ year: ({ date }) => date.getUTCFullYear() }`. Null
   * keys form a group of their own, as in SQL.
   * @throws ArgumentError when a column does not exist, or two keys share a name
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
   * @throws ArgumentError when a column does not exist or has values of another kind
   */
  rollup<const Values extends RollupValues<Columns>>(values: Values): Frame<RolledUp<Columns, Values>> {
    return frameOf(rollup(this, values));
  }

  /**
   * Keeps the first of the rows that have equal values in these columns, by default in all. Null equals null.
   * @throws ArgumentError when a column does not exist
   */
  unique(...columns: readonly (keyof Columns & string)[]): Frame<Columns> {
    return frameOf(unique(this, columns));
  }

  /**
   * Counts the rows with each value of a column, or with each combination of values of several, in the column `count`,
   * the most frequent first. Rows with a null in one of the columns are not counted.
   * @throws ArgumentError when a column does not exist, or is called `count`
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
   * Replaces the nulls of columns, NaN included: by a value, the previous value, the next value, or a linear
   * interpolation between both.
   * @throws ArgumentError when a column does not exist, a value does not fit its type, or `linear` is given for a
   *   column without numbers
   */
  fill(
    columns: (keyof Columns & string) | readonly (keyof Columns & string)[],
    options: FillOptions<keyof Columns & string>,
  ): Frame<Columns> {
    return frameOf(fill(this, columns, options));
  }

  /**
   * Adds a column with the bin of each number, between edges or between quantiles. A bin contains its upper edge but not
   * its lower one; the first contains both. Values outside the edges have no bin, and neither have null and NaN.
   * @throws ArgumentError when the column has no numbers, not exactly one of `edges` and `quantiles` is given, the edges
   *   do not ascend, or the labels are not as many as the bins
   */
  cut<Column extends keyof Columns & string, const Name extends string = `${Column}_bin`>(
    column: Column,
    options: CutOptions<Name>,
  ): Frame<WithColumn<Columns, Name, Dictionary<Utf8, Int32>>> {
    return frameOf(cut(this, column, options));
  }

  /**
   * Turns values of columns into columns: a row for each combination of `rows`, in order of first appearance, and a
   * column for each combination of `columns`, in order of their values. A column is named by its values, joined by `_`;
   * with several `values` their names come first. A null is named `null`. A cell without rows is null.
   * @throws ArgumentError when a column does not exist, two columns would have one name, a cell has several rows and
   *   `how` is not given, or a name is not in `into`
   */
  pivot<const Options extends PivotOptions<keyof Columns & string>>(
    options: Options,
  ): Frame<Pivoted<Columns, Options>> {
    return frameOf(pivot(this, options));
  }

  /**
   * Turns columns into rows: each row becomes one row for each of `columns`, with the name of the column and its value.
   * The other columns are repeated. Nulls are kept.
   * @throws ArgumentError when a column does not exist, the columns differ in type, or two columns would have one name
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
   * Describes each column in one row: its type, and its numbers of values, of nulls and of distinct values. Numbers have
   * the mean, minimum, quartiles (interpolated linearly) and maximum. Dates, strings, and, exactly, 64-bit integers,
   * decimals and durations have the first and the last in order. Quartiles, minima and maxima that a double cannot hold
   * are null.
   */
  describe(): Frame<DescribeColumns> {
    return frameOf(describe(this));
  }

  /**
   * Resamples each series to a coarser frequency, with one row for each calendar period from its first to its last
   * value. A point belongs to the period in which it ends. `mean` is the unweighted mean of the points, `last` the
   * latest value. A period is null if points with values do not cover it. A series that already has the frequency is
   * unchanged. `reporting_date` becomes null, `available_date` is the latest of the period's points, and `metadata`
   * merges their remarks. The `weight_present` of an average across regions is left out. The metric is named "…, sum of
   * each month", and its id is negative.
   * @throws ArgumentError when a series is coarser than the frequency or has other periods (such as marketing years),
   *   when its periods of months lie in two of the requested ones, or when a column belongs to no series
   */
  resample(options: ResampleOptions): Frame<Columns> {
    return frameOf(resample(this, options));
  }

  /**
   * Computes the mean of each series over a trailing window: of the values with an end date after `end_date − window`,
   * up to and including the row's own. Series of months, quarters and years count whole months. For finer series, one
   * month before the last day of a month is the last day of the previous month. A null value does not count and stays
   * null. Rows and dates are kept.
   * @throws ArgumentError when the window is empty, or the frame has no series
   */
  rollingMean(options: RollingMeanOptions): Frame<Columns> {
    return frameOf(rollingMean(this, options));
  }

  /**
   * Compares each value with that of the same period some years before: the point whose end date is nearest to the same
   * date of that year, at most half a period away. Null where either is missing, or the divisor of a ratio is 0. Rows
   * and dates are kept. The metric is named "…, change from a year earlier", and its id is negative.
   * @throws ArgumentError when `years` is not a positive integer, or not a multiple of a series' periods of several
   *   years, or the frame has no series
   */
  yearOverYear(options?: YearOverYearOptions): Frame<Columns> {
    return frameOf(yearOverYear(this, options));
  }

  /**
   * Computes the anomaly of each value: its difference from the climatology of its series, the mean of the same part of
   * the year over the reference period. The part is the calendar day for daily series (29 February counts as the 28th),
   * the month for monthly and quarterly ones, and the dekad of the month for 10-day ones. Other periods of several days
   * are counted from 1 January. Annual and longer series have the whole year. Null where the reference has no value for
   * that part, or the divisor is 0. Rows and dates are kept. The metric is named "…, anomaly", and its id is negative.
   * @throws ArgumentError when no value is in the reference period, or the frame has no series
   */
  anomaly(options?: AnomalyOptions): Frame<Columns> {
    return frameOf(anomaly(this, options));
  }

  /**
   * Aligns two frames of series: both become wide, with the same end dates. A value that one of them lacks is null. The
   * `weight_present` of an average across regions is left out.
   * @param options.join the dates to keep: those of both (`inner`, default), all (`outer`), or those of this frame (`left`)
   * @throws ArgumentError when a table is not a frame of series
   */
  align(
    other: Table,
    options?: {
      /** The dates to keep: those of both (default), all, or those of this frame. */
      join?: 'inner' | 'outer' | 'left' | undefined;
    },
  ): [Frame<WideColumns>, Frame<WideColumns>] {
    const [left, right] = align(this, other, options);
    return [frameOf(left), frameOf(right)];
  }

  /**
   * Keeps some series: rows of a long frame, or columns of a wide one, without the dates on which all that remains is
   * null. The provenance keeps their sources, units and entries of the report; with a selection by ids also the entries
   * of series that failed or are empty.
   * @throws ArgumentError when the frame has no series
   */
  selectSeries(choice: SeriesChoice): Frame<Columns> {
    return frameOf(selectSeries(this, choice));
  }

  /**
   * Renames the series of a wide frame by the shortest names that tell them apart, such as `Iowa` and `Illinois`, or
   * `Temperature min · Iowa`. A single series is named by its item and region.
   * @throws ArgumentError when the frame is not wide
   */
  withShortNames(): Frame<Columns> {
    return frameOf(withShortNames(this));
  }

  /** The request, time, sources, units and report of the retrieval; null for a frame without. */
  get provenance(): Provenance | null {
    return readProvenance(this);
  }

  /** Returns the frame with another provenance, such as one whose report is complete only now. */
  withProvenance(provenance: Provenance): Frame<Columns> {
    return frameOf(withProvenance(this, provenance));
  }

  /**
   * Describes the frame: its shape, types, units and sources, when and from which host it was retrieved, its report,
   * the steps that computed its values, and whether its checksum is that of its values.
   */
  summary(): FrameDescription {
    return describeFrame(this);
  }

  /**
   * Shows the frame for a terminal: its shape, units, sources and report, the column types, the first and last rows, and
   * a sparkline for each of the first series.
   */
  toText(options?: DisplayOptions): string {
    return displayFrame(this, options);
  }

  /** Shows the frame as HTML, with a small line chart for each of the first series. All texts are escaped. */
  toHtml(options?: HtmlOptions): string {
    return frameHtml(this, options);
  }

  /** The sources of the values with their licences, as a chart names them: `Made-up survey (CC0 1.0)`. */
  get credit(): string {
    return creditOf(this);
  }

  /**
   * Writes a Parquet file: statistics for every column chunk and page, UTC timestamps, dictionary encoding, Zstandard.
   * Its metadata contain the provenance and a checksum.
   */
  toParquet(options?: ParquetOptions): Promise<Uint8Array> {
    return toParquet(this, options);
  }

  /** Writes the Arrow IPC file format (Feather V2, default) or stream format, with the provenance and a checksum. */
  toArrow(
    options: {
      /** `'file'` by default. */
      format?: 'file' | 'stream' | undefined;
    } = {},
  ): Uint8Array {
    checkOptions(options, { format: oneOf(['file', 'stream']) }, 'toArrow');
    return options.format === 'stream' ? toArrowStream(this) : toArrowFile(this);
  }

  /**
   * Writes CSV (RFC 4180): a header, CRLF, strings quoted where necessary. Dates are ISO 8601 UTC, null is an empty
   * field, an empty string is quoted, and numbers are read back exactly.
   */
  toCsv(options?: CsvOptions): string {
    return toCsv(this, options);
  }

  /**
   * Converts the frame to a Danfo `DataFrame`, a copy. Dates become `Date`, numbers float32 or int32, and names strings.
   * A null number becomes NaN, because Danfo reads null as 0; a null date or string stays null. Booleans become 1 and 0,
   * decimals numbers. All other types, such as integers beyond 2⁵³, become strings. Danfo computes in 32-bit floats, so
   * compute in the frame, and convert last.
   * @param options.danfo the module; Node loads `danfojs-node` by default
   * @throws ArgumentError when danfojs-node is not installed
   */
  async toDanfo<DataFrame = DanfoFrame>(
    options: {
      /** The module; Node loads `danfojs-node` by default. */
      danfo?: DanfoModule<DataFrame> | undefined;
    } = {},
  ): Promise<DataFrame> {
    const danfo = options.danfo ?? (await inNode('danfo', 'give the module: toDanfo({ danfo })').loadDanfo());
    return danfoFrame(this, { ...options, danfo: danfo as DanfoModule<DataFrame> });
  }

  /**
   * Writes a file in the format of its ending: `.parquet` or `.pq`, `.arrow` or `.feather` (Arrow file), `.arrows` (Arrow
   * stream), `.csv`, `.json`, `.xlsx`. The file appears when it is complete. A workbook needs the package
   * `write-excel-file`, and has the sources, units and report on a second sheet.
   * @param options a signal, or a signal and how CSV is written
   * @throws ArgumentError for another ending, a path that cannot be written, a frame larger than a workbook holds, or in
   *   a browser; the signal's reason when aborted
   */
  async write(path: string, options?: AbortSignal | WriteFrameOptions): Promise<void> {
    const remedy = 'a browser does not write files; use toParquet, toArrow or toCsv';
    await inNode('path', remedy).writeFrame(this, path, options);
  }

  /**
   * Returns a column as typed arrays; a frame of one batch is not copied.
   * @param type the type that the column must have
   * @throws ArgumentError when there is no such column, there are two of the name, or it has another type
   */
  column<Type extends FrameColumn['type']>(name: keyof Columns & string, type: Type): ColumnOf<Type>;
  /** Returns a column as typed arrays, of whichever type it has. */
  column(name: keyof Columns & string): FrameColumn;
  column(name: string, type?: FrameColumn['type']): FrameColumn {
    return type === undefined ? readColumn(this, name) : readColumn(this, name, type);
  }

  /** Returns all columns by name, as typed arrays; a frame of one batch is not copied. */
  toColumns(): Record<keyof Columns & string, AnyColumn> {
    return toColumns(this);
  }

  /**
   * Returns the rows as objects, which suits small frames. Dates are `Date`, and decimals numbers.
   * @throws ArgumentError when two columns share a name, or a time is beyond those of `Date`
   */
  toRows(): Row<Columns>[] {
    return toRows(this);
  }

  /**
   * Returns a range of rows; negative positions count from the end. Overrides Arrow's method, which merges columns of
   * one name.
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

  /** Returns the columns at the positions. Overrides Arrow's method, which merges columns of one name. */
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

  /** Shows the frame as text, for `console.log` in Node, Deno and tslab. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    options?: { breakLength?: number | undefined },
  ): string {
    const width = options?.breakLength ?? 0;
    return displayFrame(this, Number.isFinite(width) ? { width: Math.max(width, MIN_WIDTH) } : {});
  }

  /** Shows the frame in Deno's notebooks. */
  [Symbol.for('Jupyter.display')](): Record<string, string> {
    return { 'text/html': frameHtml(this), 'text/plain': displayFrame(this) };
  }
}

/**
 * A frame with its rows in groups, as `groupBy` returns it.
 * @typeParam Columns the Arrow type of each column of the frame
 * @typeParam Keys the Arrow type of each key
 */
export class GroupedFrame<Columns extends TypeMap, Keys extends TypeMap> {
  readonly #grouped: GroupedTable;

  /** Called by `groupBy`, whose grouped table is not a public type. */
  constructor(grouped: object) {
    this.#grouped = grouped as GroupedTable;
  }

  /**
   * Computes a row of values for each group, in order of first appearance: its keys, then aggregates, such as
   * `{ mean: agg.mean('value') }`, or functions of the group, which receive its values by column, nulls included.
   * @throws ArgumentError when a column does not exist, has values of another kind, or two results have one name; or
   *   when values of a long frame in several units would be aggregated
   */
  rollup<const Values extends RollupValues<Columns>>(
    values: Values,
  ): Frame<Keys & RolledUp<Columns, Values>> {
    return frameOf(rollup(this.#grouped, values));
  }

  /**
   * Adds a column to the frame: a window function within the groups, such as `windows.lag('value')`, or an aggregate of
   * the row's group. Rows keep their order.
   * @throws ArgumentError when the frame already has the name, a column does not exist, or it has values of another kind
   */
  withColumn<const Name extends string, const Given extends Computation<keyof Columns & string>>(
    name: Name,
    computation: Given,
  ): Frame<WithColumn<Columns, Name, ComputedColumn<Columns, Given>>> {
    return frameOf(withComputed(this.#grouped, { [name]: computation }));
  }

  /** Adds several columns to the frame, as `withColumn`. */
  withColumns<const Given extends Computations<Columns>>(
    columns: Given,
  ): Frame<Columns & Computed<Columns, Given>> {
    return frameOf(withComputed(this.#grouped, columns));
  }

  /**
   * Replaces nulls and NaN in columns, within each group.
   * @throws ArgumentError when a column does not exist, a value does not fit the type of its column, or `linear` is given
   *   for a column without numbers
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

/** The columns of a join by keys: those of the other table that this one has too get the suffix. */
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
 * Creates a frame from an Arrow table, such as one that other software has read. The columns are not copied.
 * @throws ArgumentError when it is not an Arrow table
 */
export function frame<Columns extends TypeMap>(table: Table<Columns>): Frame<Columns> {
  checkTable(table, 'table');
  if (table instanceof Frame) return table as Frame<Columns>;
  return frameOf(withMetadata(table, table.schema.metadata));
}

/** Creates a frame from a table of this copy of Arrow. */
export function frameOf<Columns extends TypeMap>({
  schema,
  batches,
}: Pick<Table, 'schema' | 'batches'>): Frame<Columns> {
  return new Frame<Columns>(schema, batches);
}
