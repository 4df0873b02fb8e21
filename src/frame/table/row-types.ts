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
  TimestampMillisecond,
  TypeMap,
  Utf8,
  Utf8View,
} from 'apache-arrow';
import type { Cell } from './cells.js';

declare const NOT_NULL: unique symbol;

/** The type of a column that has a value in every row. */
export type NotNull<Type extends DataType> = Type & { readonly [NOT_NULL]?: true };

/** A value of a row: dates are `Date`, 64-bit integers bigint. */
export type Value = Exclude<Cell, null> | Date;

/** The values of a column of an Arrow type that are not null. */
export type ValueOf<Type extends DataType> = Type extends Timestamp | Date_
  ? Date
  : Type extends Dictionary<infer Text>
    ? ValueOf<Text>
    : Type extends Decimal
      ? number | bigint
      : Type extends Utf8 | LargeUtf8 | Utf8View | Float | Int | Bool | Null
        ? Type['TValue']
        : Value;

type NullOf<Type extends DataType> = typeof NOT_NULL extends keyof Type ? never : null;

/** The type of a column, where Arrow says `any` a `DataType`. A wide frame's series are Float64, beside its dates. */
type ColumnAt<Columns extends TypeMap, Name extends keyof Columns> = 0 extends 1 & Columns[Name]
  ? DataType
  : string extends Name
    ? Exclude<Columns[Name], TimestampMillisecond>
    : Columns[Name];

/** A row of a frame, as a function of the row receives it: one object, which moves from row to row. */
export type Row<Columns extends TypeMap> = {
  readonly [Name in keyof Columns]: ValueOf<ColumnAt<Columns, Name>> | NullOf<ColumnAt<Columns, Name>>;
};

/** A row whose columns all have a value. */
export type PresentRow<Columns extends TypeMap> = {
  readonly [Name in keyof Columns]: ValueOf<ColumnAt<Columns, Name>>;
};

/** The column that holds values of JavaScript. */
export type ColumnOfValues<Values> = null extends Values
  ? PresentColumn<NonNullable<Values>>
  : undefined extends Values
    ? PresentColumn<NonNullable<Values>>
    : NotNull<PresentColumn<Values>>;

type PresentColumn<Values> = [Values] extends [never]
  ? Null
  : [Values] extends [number]
    ? Float64
    : [Values] extends [bigint]
      ? Int64
      : [Values] extends [boolean]
        ? Bool
        : [Values] extends [string]
          ? Utf8
          : [Values] extends [Date]
            ? TimestampMillisecond
            : [Values] extends [Uint8Array]
              ? Binary
              : DataType;

/** The columns of rows of JavaScript values. */
export type ColumnsOfRows<Values extends object> = {
  [Name in keyof Values]-?: ColumnOfValues<Values[Name]>;
};

/** The columns with one more. */
export type WithColumn<
  Columns extends TypeMap,
  Name extends string,
  Type extends DataType,
> = Known<Columns> & {
  [Added in Name]: Type;
};

/** The columns by their new names. */
export type Renamed<Columns extends TypeMap, Names> = {
  [Name in keyof Columns as Name extends keyof Names ? (Names[Name] & string) | never : Name]: Columns[Name];
};

/** The columns of two tables joined by keys; those of the second that the first has too get the suffix. */
export type Joined<
  Columns extends TypeMap,
  Others extends TypeMap,
  Keys extends PropertyKey,
  Suffix extends string,
> = {
  [Name in keyof Columns]: Columns[Name];
} & {
  [Name in Exclude<keyof Others, Keys> as Name extends keyof Columns
    ? `${Name & string}${Suffix}`
    : Name]: Others[Name];
};

type Known<Columns extends TypeMap> = 0 extends 1 & Columns ? TypeMap : Columns;
