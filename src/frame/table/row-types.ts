import type {
  Binary,
  Bool,
  DataType,
  Date_,
  Decimal,
  Dictionary,
  Float,
  Float64,
  Int,
  Int64,
  LargeUtf8,
  Null,
  Timestamp,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TypeMap,
  Utf8,
  Utf8View,
} from 'apache-arrow';
import type { Cell } from './cells.js';

declare const NOT_NULL: unique symbol;

/** An Arrow type for columns that contain no nulls. */
export type NotNull<Type extends DataType> = Type & {
  /** This property exists only for type inference. */
  readonly [NOT_NULL]?: true;
};

/** A non-null value in a row. Dates are `Date` objects, and 64-bit integers are bigints. */
export type Value = Exclude<Cell, null> | Date;

/** The non-null values in a column of the given Arrow type. Times with sub-millisecond precision are strings. */
export type ValueOf<Type extends DataType> = 0 extends 1 & Type
  ? Value
  : Type extends TimestampMicrosecond | TimestampNanosecond
    ? Date | string
    : Type extends Timestamp | Date_
      ? Date
      : Type extends Dictionary<infer Text>
        ? ValueOf<Text>
        : Type extends Decimal
          ? number | bigint
          : Type extends Utf8 | LargeUtf8 | Utf8View | Float | Int | Bool | Null
            ? Type['TValue']
            : Value;

/** A row in which no value is null. In a wide frame, columns not named in the type are series. */
export type PresentRow<Columns extends TypeMap> = {
  readonly [Name in keyof Columns]: ValueOf<
    string extends Name ? Exclude<Columns[Name], TimestampMillisecond> : Columns[Name]
  >;
};

/** A row of a frame. A function that is called for every row receives the same object each time. */
export type Row<Columns extends TypeMap> = {
  readonly [Name in keyof Columns]:
    | PresentRow<Columns>[Name]
    | (Columns[Name] extends {
        /** This property exists only for type inference. */
        readonly [NOT_NULL]?: true;
      }
        ? never
        : null);
};

/** The Arrow type of a column built from JavaScript values of the type `Values`. */
export type ColumnOfValues<Values> = [NonNullable<Values>] extends [never]
  ? Null
  : [NonNullable<Values>] extends [number]
    ? Float64
    : [NonNullable<Values>] extends [bigint]
      ? Int64
      : [NonNullable<Values>] extends [boolean]
        ? Bool
        : [NonNullable<Values>] extends [string]
          ? Utf8
          : [NonNullable<Values>] extends [Date]
            ? TimestampMillisecond
            : [NonNullable<Values>] extends [Uint8Array]
              ? Binary
              : DataType;

/** The columns built from rows of JavaScript values. A field may be missing from some of the rows. */
export type ColumnsOfRows<Values extends object> = [Values] extends [never]
  ? TypeMap
  : {
      [Name in (Values extends object ? keyof Values : never) & string]: (
        Values extends { readonly [Key in Name]?: infer Own }
          ? Own
          : null
      ) extends infer Own
        ? [Own] extends [NonNullable<Own>]
          ? NotNull<ColumnOfValues<Own>>
          : ColumnOfValues<Own>
        : never;
    };

/** The columns of a table with an additional column. */
export type WithColumn<Columns extends TypeMap, Name extends string, Type extends DataType> = (0 extends 1 &
  Columns
  ? TypeMap
  : Columns) & {
  [Added in Name]: Type;
};

/** The columns of a table under their new names. */
export type Renamed<Columns extends TypeMap, Names> = {
  [Name in keyof Columns as Name extends keyof Names ? Names[Name] & string : Name]: Columns[Name];
};
