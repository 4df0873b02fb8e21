import type { TypeMap } from 'apache-arrow';
import type { RowValue } from '../table/cell-column.js';
import type { ColumnOfValues, Row } from '../table/row-types.js';
import type { Aggregation, Computation, ComputedColumn } from './agg.js';

/** The columns of keys: columns of the frame, or functions of the row by name. */
export type KeyColumns<Columns extends TypeMap, Key> = {
  [Name in Key extends string ? Key : keyof Key & string]: Name extends Key
    ? Columns[Name]
    : Key extends { readonly [Computed in Name]: (row: never) => infer Value }
      ? ColumnOfValues<Value>
      : never;
};

/** The values of a group by column, in the order of its rows. */
export type Group<Columns extends TypeMap> = {
  readonly [Name in keyof Columns]: readonly Row<Columns>[Name][];
};

/** What `rollup` computes for each group, by the name of the new column. */
export type RollupValues<Columns extends TypeMap> = {
  readonly [Name in string]: Aggregation<keyof Columns & string> | ((group: Group<Columns>) => RowValue);
};

/** The columns that `rollup` makes. */
export type RolledUp<Columns extends TypeMap, Values> = {
  [Name in keyof Values]: Values[Name] extends (group: never) => infer Value
    ? ColumnOfValues<Value>
    : ComputedColumn<Columns, Values[Name]>;
};

/** What `withColumns` computes, by the name of the new column. */
export type Computations<Columns extends TypeMap> = {
  readonly [Name in string]: Computation<keyof Columns & string>;
};

/** The columns that `withColumns` adds. */
export type Computed<Columns extends TypeMap, Given> = {
  [Name in keyof Given]: ComputedColumn<Columns, Given[Name]>;
};
