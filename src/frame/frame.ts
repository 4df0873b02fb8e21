import { type Dictionary, type Float64, type Int32, Table, type TypeMap, type Utf8 } from 'apache-arrow';
import type { Provenance } from '../model/provenance.js';
import { checkOptions } from '../model/schema/check.js';
import { oneOf } from '../model/schema/schemas.js';
import { concat } from './combine/concat.js';
import { type AlignOptions, align, join } from './combine/join.js';
import type { JoinOptions } from './combine/join-dates.js';
import type { KeyJoinOptions } from './combine/join-keys.js';
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
import { toColumns, toRows } from './table/row-reader.js';
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

/** The columns of the table returned by `describe`, which has one row for each column of the frame. */
export type DescribeColumns = {
  /** The name of the column. */
  column: Utf8;
  /** The Arrow type of the column. */
  type: Utf8;
  /** The number of non-null values. */
  count: Int32;
  /** The number of nulls. */
  nulls: Int32;
  /** The number of distinct values. */
  distinct: Int32;
  /** The mean, for a numeric column. */
  mean: Float64;
  /** The minimum, for a numeric column. */
  min: Float64;
  /** The lower quartile, for a numeric column. */
  q25: Float64;
  /** The median, for a numeric column. */
  median: Float64;
  /** The upper quartile, for a numeric column. */
  q75: Float64;
  /** The maximum, for a numeric column. */
  max: Float64;
  /** The first value in sorted order; null for doubles, integers of up to 32 bits, and types without an order. */
  first: Utf8;
  /** The last value in sorted order; null in the same cases as `first`. */
  last: Utf8;
};

/** The row that `withColumn` passes to its function: all columns, plus the short names from the `columns` option. */
export type ComputeRow<
  Columns extends TypeMap,
  Options extends WithColumnOptions,
> = (Options['pass_nulls'] extends true ? Row<Columns> : PresentRow<Columns>) & {
  readonly [Short in keyof Options['columns']]: Options['columns'][Short] extends keyof Columns
    ? ValueOf<Columns[Options['columns'][Short]]>
    : number;
};

/**
 * A table whose operations are methods. Each operation returns a new frame and leaves this one unchanged. Every table
 * that cropframe reads or creates is a frame; to create one from another library's Arrow table, call `frame(table)`. A
 * new frame keeps the units, sources and report of its values. Methods for series require a long or wide frame.
 * @throws ArgumentError if an argument is invalid, a column does not exist or has an unsuitable type, two columns would
 * have the same name, or a method for series is called on a table without series
 * @typeParam Columns the Arrow type of each column
 */
// biome-ignore lint/suspicious/noExplicitAny: Arrow's tables are invariant, so only `Frame<any>` accepts every frame
export class Frame<Columns extends TypeMap = any> extends Table<Columns> {
  /** Keeps the rows for which a function returns true. In comparisons such as `<`, a null counts as 0. */
  filter<R extends object = Row<Columns>>(where: (row: R) => boolean): Frame<Columns>;
  /**
   * In a frame of series, keeps the points whose periods overlap the given period. In a wide frame, the values of all
   * other points become null, and dates without a kept point are removed.
   * @throws ArgumentError if start_date is after end_date
   */
  filter(options: FilterOptions): Frame<Columns>;
  filter(where: FilterOptions | ((row: never) => boolean)): Frame<Columns> {
    return frameOf(typeof where === 'function' ? filterRows(this, where) : filterPoints(this, where));
  }

  /** Selects columns and puts them in the given order. */
  override select<Name extends keyof Columns & string>(
    columns: readonly Name[],
  ): Frame<{ [Kept in Name]: Columns[Kept] }>;
  /** Matches the signature of the Arrow method that this method overrides. */
  // biome-ignore lint/suspicious/noExplicitAny: string names use the other signature
  override select<Name extends keyof Columns>(columns: readonly Name[]): Frame<any>;
  override select(columns: readonly PropertyKey[]): unknown {
    return frameOf(select(this, columns as readonly string[]));
  }

  /** Returns all columns except the given ones. */
  omit<Name extends keyof Columns & string>(
    columns: readonly Name[],
  ): Frame<{ [Kept in keyof Columns as Exclude<Kept, Name>]: Columns[Kept] }> {
    return frameOf(omit(this, columns));
  }

  /** Renames columns. The keys of `names` are the old names, and its values are the new ones. */
  rename<const Names extends { readonly [Name in keyof Columns]?: string }>(
    names: Names,
  ): Frame<Renamed<Columns, Names>> {
    return frameOf(rename(this, names as Record<string, string>));
  }

  /**
   * Appends a column that is computed from other columns of the same row, such as
   * `({ tmin, tmax }) => (tmin + tmax) / 2`. The result is null if the function reads a null (unless `pass_nulls` is
   * set) or returns a number that is not finite.
   * @throws ArgumentError if the function reads columns with different units and `unit` is not set
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
  /** Appends the result of a window function, such as `windows.lag('value')`, or an aggregate of all rows. */
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

  /** Appends the results of window functions, such as `windows.lag('value')`, or aggregates of all rows. */
  withColumns<const Given extends Computations<Columns>>(
    columns: Given,
  ): Frame<Columns & Computed<Columns, Given>> {
    return frameOf(withComputed(this, columns));
  }

  /**
   * Sorts the rows by one or more columns. Ties in one column are broken by the next, and rows that are equal in all
   * columns keep their order. Nulls sort last. Strings are compared by UTF-16 code units.
   */
  sortBy(
    by:
      | (keyof Columns & string)
      | SortKey<keyof Columns & string>
      | readonly ((keyof Columns & string) | SortKey<keyof Columns & string>)[],
  ): Frame<Columns> {
    return frameOf(sortBy(this, by));
  }

  /** Returns the first rows (5 by default). */
  head(rows?: number): Frame<Columns> {
    return frameOf(head(this, rows));
  }

  /** Returns the last rows (5 by default). */
  tail(rows?: number): Frame<Columns> {
    return frameOf(tail(this, rows));
  }

  /** Draws rows at random without replacement, keeping their order. The same seed always draws the same rows. */
  sample(
    rows: number,
    options?: {
      /** The random seed, an integer (default 1). */
      seed?: number | undefined;
    },
  ): Frame<Columns> {
    return frameOf(sample(this, rows, options));
  }

  /**
   * Joins another table on key columns of numbers, dates or strings. Every pair of rows with equal keys becomes one
   * row, in the order of this frame and then of the other table. A null key matches nothing.
   * @throws ArgumentError if the key columns differ in kind, or if another column name occurs in both tables and
   * `suffix` is not set
   */
  join<Others extends TypeMap, const Options extends KeyJoinOptions>(
    other: Frame<Others> | Table<Others>,
    options: Options,
  ): Frame<JoinedByKeys<Columns, Others, Options>>;
  /**
   * Joins another table by date into one wide frame: `end_date` in ascending order, then the columns of both tables. If
   * a table has no value on a date, the value is null. Nothing is aggregated. With `by`, the result has one row for
   * each place and date, and is no longer a frame of series. Series of a long frame that differ only by place become
   * one column.
   * @throws ArgumentError if a series has a finer frequency than `on`, a column has two values for the same period, or
   * a column name occurs in both tables and `suffix` is not set
   */
  join(other: Table, options?: JoinOptions): Frame;
  join(other: Table, options?: KeyJoinOptions | JoinOptions): unknown {
    return frameOf(join(this, other, options));
  }

  /**
   * Appends the rows of other tables with the same columns. Wide frames are merged by series and date. A point that
   * occurs in several frames is included once, and a value takes precedence over a null. A column that contains only
   * nulls takes its type from the other tables. `weight_present` is omitted unless all tables have it.
   * @throws ArgumentError if the tables differ in shape or columns, or have different values for one point
   */
  override concat(...others: Table<Columns>[]): Frame<Columns>;
  /** Appends tables whose column types may differ, for example in nullability. */
  override concat(...others: Table[]): Frame;
  override concat(...others: Table[]): Frame {
    return frameOf(concat([this, ...others]));
  }

  /**
   * Groups the rows by columns, or by keys computed from each row, for example
   * `{ year: ({ date }) => date.getUTCFullYear() }`. Rows with a null key form a group of their own, as in SQL.
   */
  groupBy<
    const Keys extends readonly (
      | (keyof Columns & string)
      | { readonly [Name in string]: (row: Row<Columns>) => RowValue }
    )[],
  >(...keys: Keys): GroupedFrame<Columns, KeyColumns<Columns, Keys[number]>> {
    return new GroupedFrame(groupBy(this, keys as readonly GroupKey[]));
  }

  /** Aggregates all rows into one row, for example with `rollup({ mean: agg.mean('value') })`. */
  rollup<const Values extends RollupValues<Columns>>(values: Values): Frame<RolledUp<Columns, Values>> {
    return frameOf(rollup(this, values));
  }

  /** Keeps the first row for each combination of values in the given columns (default: all). Nulls count as equal. */
  unique(...columns: readonly (keyof Columns & string)[]): Frame<Columns> {
    return frameOf(unique(this, columns));
  }

  /**
   * Counts the rows with each value of a column, or with each combination of values of several columns. The counts are
   * in the column `count`, highest first. Rows with a null in any of the columns are not counted.
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
   * Replaces nulls and NaN in columns with a fixed value, the previous or next value, or a linear interpolation between
   * these two. Linear interpolation converts a column of numbers to Float64.
   */
  fill(
    columns: (keyof Columns & string) | readonly (keyof Columns & string)[],
    options: FillOptions<keyof Columns & string>,
  ): Frame<Columns> {
    return frameOf(fill(this, columns, options));
  }

  /**
   * Adds a column with the bin that contains each number. The bins are defined by edges or by quantiles. Each bin
   * includes its upper edge but not its lower one; the first bin includes both. Nulls, NaN and values outside the edges
   * have no bin.
   * @throws ArgumentError if neither or both of `edges` and `quantiles` are given, the edges are not ascending, or the
   * number of labels differs from the number of bins
   */
  cut<Column extends keyof Columns & string, const Name extends string = `${Column}_bin`>(
    column: Column,
    options: CutOptions<Name>,
  ): Frame<WithColumn<Columns, Name, Dictionary<Utf8, Int32>>> {
    return frameOf(cut(this, column, options));
  }

  /**
   * Pivots the table. The result has one row for each combination of values in `rows`, in order of first appearance,
   * and one column for each combination of values in `columns`, in sorted order. A column is named after the combined
   * values, joined by `_`; if there are several `values`, the name of the value column comes first. A null is named
   * `null`. A cell without rows is null.
   * @throws ArgumentError if a cell has several rows and `how` is not set, or `into` lacks the name of a column
   */
  pivot<const Options extends PivotOptions<keyof Columns & string>>(
    options: Options,
  ): Frame<Pivoted<Columns, Options>> {
    return frameOf(pivot(this, options));
  }

  /**
   * Unpivots columns: each row becomes one row per column in `columns`, with that column's name and value. The values
   * of all other columns are repeated. Nulls are kept.
   * @throws ArgumentError if the columns differ in type
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
   * Describes each column in one row, with its type and its counts of values, nulls and distinct values. For numeric
   * columns, the row also has the mean, minimum, quartiles (interpolated linearly) and maximum. Quartiles, minima and
   * maxima that a double cannot represent are null. For dates, strings, booleans, 64-bit integers, decimals and
   * durations, it also has the exact first and last value in sorted order.
   */
  describe(): Frame<DescribeColumns> {
    return frameOf(describe(this));
  }

  /**
   * Resamples each series to a coarser frequency, with one row for each calendar period from the first to the last
   * value of the series. A point belongs to the period in which it ends. `mean` is the unweighted mean of the points,
   * and `last` is the latest value. A period is null unless points with values cover enough of it. A series that
   * already has this frequency is unchanged. `reporting_date` becomes null, `available_date` is the latest date among
   * the period's points, and `metadata` merges their remarks. The `weight_present` of an average across regions is
   * omitted. The metric is named, for example, "…, sum of each month", and its id is negative.
   * @throws ArgumentError if a series is coarser than the frequency or has different periods (such as marketing years),
   * if a period of a month or more overlaps two of the requested periods, or if a column belongs to no series
   */
  resample(options: ResampleOptions): Frame<Columns> {
    return frameOf(resample(this, options));
  }

  /**
   * Computes the mean of each series over a trailing window. The window contains the values whose end date is after
   * `end_date − window`, up to and including the row's own value. In monthly, quarterly and annual series, a window of
   * months or years is counted in whole months. In finer series, one month before the last day of a month is the last
   * day of the previous month. A null value is not counted and stays null. Rows and dates do not change.
   * @throws ArgumentError if the window is empty
   */
  rollingMean(options: RollingMeanOptions): Frame<Columns> {
    return frameOf(rollingMean(this, options));
  }

  /**
   * Compares each value with the value for the same period some years earlier. The earlier value belongs to
   * the point that ends nearest to the same date in that year, at most half a period away. The result is null if either
   * value is missing, or if a ratio's divisor is 0. Rows and dates do not change. The metric is named, for example,
   * "…, change from a year earlier", and its id is negative.
   * @throws ArgumentError if `years` is not a multiple of the period length of a series with multi-year periods
   */
  yearOverYear(options?: YearOverYearOptions): Frame<Columns> {
    return frameOf(yearOverYear(this, options));
  }

  /**
   * Computes the anomaly of each value: its difference from the series' climatology, which is the mean for the same
   * part of the year over the reference period. The part is the calendar day for daily series (29 February counts as 28
   * February), the dekad, such as 1 to 10 March, for 10-day series, and the month for monthly and quarterly series.
   * Other periods of several days are counted from 1 January. For annual and longer series, the part is the whole year.
   * The result is null if the reference period has no value for that part, or if the divisor is 0. Rows and dates do
   * not change. The metric is named, for example, "…, anomaly", and its id is negative.
   * @throws ArgumentError if no value is in the reference period
   */
  anomaly(options?: AnomalyOptions): Frame<Columns> {
    return frameOf(anomaly(this, options));
  }

  /**
   * Aligns two frames of series, so that both are wide and have the same end dates. If a frame has no value on a date,
   * the value is null. The `weight_present` of an average across regions is omitted.
   */
  align(other: Table, options?: AlignOptions): [Frame<WideColumns>, Frame<WideColumns>] {
    const [left, right] = align(this, other, options);
    return [frameOf(left), frameOf(right)];
  }

  /**
   * Keeps the chosen series: their rows in a long frame, their columns in a wide one. In a wide frame, dates on which
   * only nulls remain are removed. The provenance keeps the sources and units of these series, and the whole report.
   */
  selectSeries(choice: SeriesChoice): Frame<Columns> {
    return frameOf(selectSeries(this, choice));
  }

  /**
   * Renames the series of a wide frame, using the shortest names that distinguish them, such as `Iowa` and `Illinois`,
   * or `Temperature min · Iowa`. A single series is named after its item and region.
   * @throws ArgumentError if the frame is long
   */
  withShortNames(): Frame<Columns> {
    return frameOf(withShortNames(this));
  }

  /** The request, time, sources, units and report of the retrieval, or null if the frame has no provenance. */
  get provenance(): Provenance | null {
    return readProvenance(this);
  }

  /** Returns the frame with a different provenance, such as one whose report has since been completed. */
  withProvenance(provenance: Provenance): Frame<Columns> {
    return frameOf(withProvenance(this, provenance));
  }

  /**
   * Describes the frame: its shape, types, units, sources, report and derivation steps, the time and host of the
   * retrieval, and whether the values match the checksum.
   */
  summary(): FrameDescription {
    return describeFrame(this);
  }

  /** Formats the frame for a terminal: a summary, the first and last rows, and sparklines of the first few series. */
  toText(options?: DisplayOptions): string {
    return displayFrame(this, options);
  }

  /** Formats the frame as HTML, with sparklines of the first few series. All strings are escaped. */
  toHtml(options?: HtmlOptions): string {
    return frameHtml(this, options);
  }

  /** The names and licences of the sources, for printing below a chart, such as `Made-up survey (CC0 1.0)`. */
  get credit(): string {
    return creditOf(this);
  }

  /**
   * Returns a Parquet file that uses dictionary encoding, Zstandard compression, UTC timestamps, and statistics for
   * every column chunk and page. The file's metadata contains the provenance and a checksum.
   */
  toParquet(options?: ParquetOptions): Promise<Uint8Array> {
    return toParquet(this, options);
  }

  /** Returns the frame as an Arrow IPC file (Feather V2, default) or stream, with its provenance and a checksum. */
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
   * Returns CSV (RFC 4180) with a header and CRLF line endings. Strings are quoted if necessary. Dates are written as
   * ISO 8601 in UTC, null as an empty field, and an empty string as `""`. Numbers round-trip exactly.
   */
  toCsv(options?: CsvOptions): string {
    return toCsv(this, options);
  }

  /**
   * Converts the frame to a Danfo `DataFrame`, which is a copy. Dates become `Date` objects, numbers become float32 or
   * int32, and names become strings. A null number becomes NaN, because Danfo reads null as 0; a null date or string
   * stays null. Booleans become 1 and 0, and decimals become numbers. All other types, such as integers beyond 2⁵³,
   * become strings. Danfo computes in 32-bit floats, so do calculations in the frame and convert it last.
   * @param options.danfo the module; Node loads `danfojs-node` by default
   * @throws ArgumentError if danfojs-node is not installed
   */
  async toDanfo<DataFrame = DanfoFrame>(
    options: {
      /** The Danfo module; Node loads `danfojs-node` by default. */
      danfo?: DanfoModule<DataFrame> | undefined;
    } = {},
  ): Promise<DataFrame> {
    const danfo = options.danfo ?? (await inNode('danfo', 'pass the module: toDanfo({ danfo })').loadDanfo());
    return danfoFrame(this, { ...options, danfo: danfo as DanfoModule<DataFrame> });
  }

  /**
   * Writes a file in the format that its extension implies: `.parquet` or `.pq`, `.arrow` or `.feather` (Arrow file),
   * `.arrows` (Arrow stream), `.csv`, `.json` or `.xlsx`. The file does not appear until it is complete. An Excel
   * workbook requires the package `write-excel-file`; its second sheet contains the sources, units and report.
   * @param options a signal, or an object with a signal and the CSV options
   * @throws ArgumentError if the extension is not supported, the path cannot be written, the frame is too large for a
   * workbook, or the code runs in a browser; the signal's reason if aborted
   */
  async write(path: string, options?: AbortSignal | WriteFrameOptions): Promise<void> {
    const remedy = 'files cannot be written in a browser; use toParquet, toArrow or toCsv';
    await inNode('path', remedy).writeFrame(this, path, options);
  }

  /** Returns a column as typed arrays. They share the memory of the frame where possible. */
  column<Type extends FrameColumn['type']>(name: keyof Columns & string, type: Type): ColumnOf<Type>;
  /** Returns a column of any type as typed arrays. */
  column(name: keyof Columns & string): FrameColumn;
  column(name: string, type?: FrameColumn['type']): FrameColumn {
    return type === undefined ? readColumn(this, name) : readColumn(this, name, type);
  }

  /** Returns all columns as typed arrays. They share the memory of the frame where possible. */
  toColumns(): Record<keyof Columns & string, AnyColumn> {
    return toColumns(this);
  }

  /**
   * Returns the rows as objects, which suits only small frames. Dates become `Date` objects. Decimals become numbers,
   * or bigints if they are integers of more than 15 digits.
   * @throws ArgumentError if a time is outside the range of `Date`
   */
  toRows(): Row<Columns>[] {
    return toRows(this);
  }

  /** Returns a range of rows. Negative positions count from the end. Unlike in Arrow, column names may repeat. */
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

  /** For use by `groupBy` only. */
  constructor(grouped: object) {
    this.#grouped = grouped as GroupedTable;
  }

  /**
   * Computes one row for each group, in order of first appearance. Each row has the group's keys, followed by
   * aggregates, such as `{ mean: agg.mean('value') }`, or the results of functions. Each function receives the group's
   * columns as arrays, including nulls.
   * @throws ArgumentError if a group in a long frame has values in several units
   */
  rollup<const Values extends RollupValues<Columns>>(
    values: Values,
  ): Frame<Keys & RolledUp<Columns, Values>> {
    return frameOf(rollup(this.#grouped, values));
  }

  /**
   * Appends the result of a window function within each group, such as `windows.lag('value')`, or an aggregate of the
   * row's group. Rows keep their order.
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

  /** Replaces nulls and NaN in columns, within each group. */
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

/** The columns of a join by keys. The suffix is added to names of the other table that also occur in this table. */
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
 * Creates a frame from an Arrow table, such as one from another library. The columns are not copied.
 * @throws ArgumentError if the argument is not an Arrow table
 */
export function frame<Columns extends TypeMap>(table: Table<Columns>): Frame<Columns> {
  checkTable(table, 'table');
  if (table instanceof Frame) return table as Frame<Columns>;
  return frameOf(withMetadata(table, table.schema.metadata));
}

/** Creates a frame from a table that was created with cropframe's own copy of the Arrow library. */
export function frameOf<Columns extends TypeMap>({
  schema,
  batches,
}: Pick<Table, 'schema' | 'batches'>): Frame<Columns> {
  return new Frame<Columns>(schema, batches);
}
