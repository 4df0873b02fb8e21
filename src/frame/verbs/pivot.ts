import type { Float64, Int32, Table, TypeMap } from 'apache-arrow';
import * as v from 'valibot';
import { badArgument } from '../../model/errors.js';
import { checkRequiredOptions, type OptionKeys, required } from '../../model/schema/check.js';
import { oneOf, TEXT } from '../../model/schema/schemas.js';
import { concatColumns } from '../combine/concat.js';
import { type AggregateName, agg, type Computation, type ComputedColumn } from '../groups/agg.js';
import { GroupAggregator } from '../groups/group-aggregator.js';
import { type Grouping, groupRows } from '../groups/group-rows.js';
import { orderKeys, orderRows } from '../groups/order-rows.js';
import { TableValues } from '../groups/table-values.js';
import {
  buildTable,
  deriveTable,
  type TableColumn,
  tableColumns,
  takeColumns,
} from '../table/build-table.js';
import { type Cell, cellText } from '../table/cells.js';
import { findColumn } from '../table/columns.js';
import { cellOf } from '../table/row-reader.js';
import { takeColumn } from '../table/take-rows.js';
import { checkDistinct } from './columns.js';
import { type GroupedTable, groupBy } from './group-by.js';

const PIVOT_AGGREGATES = (Object.keys(agg) as AggregateName[]).filter(
  (how) => how !== 'quantile' && how !== 'weightedMean' && how !== 'corr',
);

/** Options for `pivot`, which turns the values of columns into new columns. */
export interface PivotOptions<Name extends string = string, Into extends string = string> {
  /** The columns whose values identify the rows of the result. */
  rows: Name | readonly Name[];
  /** The columns whose values become the names of new columns. */
  columns: Name | readonly Name[];
  /** The columns whose values fill the new columns. */
  values: Name | readonly Name[];
  /** The aggregate that combines several values in one cell. If omitted, a cell with several rows is an error. */
  how?: Exclude<AggregateName, 'quantile' | 'weightedMean' | 'corr'> | undefined;
  /**
   * The names of the columns to create, in order. Any other value in `columns` is an error. By default, a column is
   * created for every value, in sorted order.
   */
  into?: readonly Into[] | undefined;
}

/** The columns of a pivoted frame: the `rows` columns, and the columns named in `into`. */
export type Pivoted<Columns extends TypeMap, Options extends PivotOptions> = {
  [Row in (Options['rows'] extends readonly (infer Name)[] ? Name : Options['rows']) &
    keyof Columns]: Columns[Row];
} & (Options['into'] extends readonly (infer Into extends string)[]
  ? {
      [Made in Options['values'] extends readonly [infer First, infer Second, ...infer Others]
        ? `${(First | Second | Others[number]) & string}_${Into}`
        : Into]: ComputedColumn<
        Columns,
        Computation<
          (Options['values'] extends readonly (infer Name)[] ? Name : Options['values']) & string,
          // A cell without rows is null.
          Options['how'] extends 'count' | 'countDistinct'
            ? Int32
            : Options['how'] extends 'sum'
              ? 'sum'
              : Options['how'] extends 'mean' | 'median' | 'std' | 'var'
                ? Float64
                : 'same'
        >
      >;
    }
  : TypeMap);

const NAMES = required(v.union([TEXT, v.array(TEXT)]));

const PIVOT_KEYS: OptionKeys<PivotOptions> = {
  rows: NAMES,
  columns: NAMES,
  values: NAMES,
  how: oneOf(PIVOT_AGGREGATES),
  into: v.array(TEXT),
};

const listed = (names: string | readonly string[]): readonly string[] =>
  typeof names === 'string' ? [names] : names;

export function pivot(table: Table, options: PivotOptions): Table {
  checkRequiredOptions(options, PIVOT_KEYS, 'pivot');
  const [rows, columns, values] = [options.rows, options.columns, options.values].map(listed) as [
    readonly string[],
    readonly string[],
    readonly string[],
  ];
  const [ofRows, ofColumns] = [groupBy(table, rows), groupBy(table, columns)];
  const cells = groupRows([...rows, ...columns].map((name) => table.getChild(name)!));
  if (options.how === undefined) refuseSeveralRows(table, cells, [...rows, ...columns]);
  const aggregator = new GroupAggregator(new TableValues(table), cells);
  const places = cellPlaces(cells, ofRows.grouping, ofColumns.grouping);
  const made = columnsToMake(ofColumns, options.into);
  const pivoted = values.flatMap((value) => {
    const column = aggregator.aggregate({ how: options.how ?? 'first', columns: [value] });
    return made.map(({ name, group }): TableColumn => {
      const rows = places[group] ?? new Int32Array(ofRows.grouping.firsts.length).fill(-1);
      return { name: values.length > 1 ? `${value}_${name}` : name, column: takeColumn(column, rows) };
    });
  });
  const all = [...takeColumns(ofRows.keys, ofRows.grouping.firsts), ...pivoted];
  checkDistinct(all, 'columns');
  return deriveTable(table, all, 'pivot', options);
}

function refuseSeveralRows(table: Table, { groups, firsts }: Grouping, names: readonly string[]): void {
  if (firsts.length === groups.length) return;
  const seen = new Uint8Array(firsts.length);
  const row = groups.findIndex((cell) => ++seen[cell]! > 1);
  const shown = names.map((name) => `${name} ${cellName(cellOf(findColumn(table, name, 'columns'))(row))}`);
  throw badArgument(
    'how',
    `several rows have ${shown.join(', ')}; specify how to aggregate them, such as how: "mean", or filter them`,
  );
}

function cellPlaces(cells: Grouping, rows: Grouping, columns: Grouping): Int32Array[] {
  const places = Array.from(columns.firsts, () => new Int32Array(rows.firsts.length).fill(-1));
  for (const [cell, row] of cells.firsts.entries()) places[columns.groups[row]!]![rows.groups[row]!] = cell;
  return places;
}

/** Lists the columns to create, each with the group of rows that contains its values, or -1 if no group does. */
function columnsToMake({ keys, grouping }: GroupedTable, into: readonly string[] | undefined) {
  const distinct = buildTable(takeColumns(keys, grouping.firsts));
  const cells = keys.map(({ name }) => cellOf(findColumn(distinct, name, 'columns')));
  const names = Array.from(grouping.firsts, (_, at) => cells.map((cell) => cellName(cell(at))).join('_'));
  checkDistinct(
    names.map((name) => ({ name })),
    'columns',
  );
  if (into !== undefined) {
    const other = names.find((name) => !into.includes(name));
    if (other !== undefined)
      throw badArgument(
        'into',
        `the columns also contain "${other}"; add this value to into, or filter out its rows`,
      );
    return into.map((name) => ({ name, group: names.indexOf(name) }));
  }
  const by = keys.map(({ name }) => name);
  return Array.from(orderRows(names.length, orderKeys(distinct, by)), (group) => ({
    name: names[group]!,
    group,
  }));
}

function cellName(cell: Cell): string {
  return cellText(Number.isNaN(cell) ? null : cell).replace('T00:00:00.000Z', '');
}

/** Options for `unpivot`, which turns columns into rows. */
export interface UnpivotOptions<
  Name extends string = string,
  Names extends string = string,
  Values extends string = string,
> {
  /** The columns to turn into rows. */
  columns: readonly Name[];
  /** The name of the new column that holds the column names (default `name`). */
  names?: Names | undefined;
  /** The name of the new column that holds the values (default `value`). */
  values?: Values | undefined;
}

const UNPIVOT_KEYS: OptionKeys<UnpivotOptions> = {
  columns: required(v.array(TEXT)),
  names: TEXT,
  values: TEXT,
};

export function unpivot(table: Table, options: UnpivotOptions): Table {
  checkRequiredOptions(options, UNPIVOT_KEYS, 'unpivot');
  const { columns, names = 'name', values = 'value' } = options;
  if (columns.length === 0)
    throw badArgument('columns', 'the list is empty; specify the columns to turn into rows');
  const found = columns.map((name) => findColumn(table, name, 'columns'));
  const value = concatColumns(values, found, 'columns');
  const length = table.numRows * columns.length;
  const [rows, places, codes] = [new Int32Array(length), new Int32Array(length), new Int32Array(length)];
  for (let at = 0; at < length; at++) {
    rows[at] = Math.floor(at / columns.length);
    codes[at] = at % columns.length;
    places[at] = codes[at]! * table.numRows + rows[at]!;
  }
  const kept = tableColumns(table).filter(({ name }) => !columns.includes(name));
  const all: TableColumn[] = [
    ...takeColumns(kept, rows),
    { name: names, column: { type: 'dictionary', values: codes, categories: columns, valid: null } },
    { name: values, column: takeColumn(value, places) },
  ];
  checkDistinct(all, 'names');
  return deriveTable(table, all, 'unpivot', options);
}
