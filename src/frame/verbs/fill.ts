import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { badArgument } from '../../model/errors.js';
import { check, checkRequiredOptions, type OptionKeys } from '../../model/schema/check.js';
import { ANYTHING, integer, oneOf, TEXT } from '../../model/schema/schemas.js';
import { concatColumns } from '../combine/concat.js';
import type { Arrangement } from '../groups/group-rows.js';
import { SORT_KEYS, type SortKeys } from '../groups/order-rows.js';
import { TableValues } from '../groups/table-values.js';
import { arrangeBy } from '../groups/windows.js';
import { floatColumn } from '../series/map-series.js';
import { deriveTable, tableColumns } from '../table/build-table.js';
import { columnOfCells, type RowValue } from '../table/cell-column.js';
import { type AnyColumn, findColumn, isKnown } from '../table/columns.js';
import { takeColumn } from '../table/take-rows.js';
import { asGrouped, type GroupedTable } from './group-by.js';

/** Options for `fill`, which replaces nulls. */
export type FillOptions<Name extends string = string> =
  | {
      /** The value that replaces every null. */
      value: RowValue;
    }
  | {
      /**
       * How to replace a null: with the last value before it (`forward`), the first value after it (`backward`), or a
       * linear interpolation between these two values (`linear`). If there is no such value, the null remains.
       */
      how: 'forward' | 'backward' | 'linear';
      /**
       * The columns to sort the rows by. By default, rows keep their order. `linear` requires a single column of
       * numbers or dates to interpolate along; if `by` is omitted, the rows count as evenly spaced.
       */
      by?: SortKeys<Name> | undefined;
      /** The maximum number of consecutive nulls to fill (default: no limit). Longer gaps are filled only in part. */
      limit?: number | undefined;
    };

const FILL_KEYS: OptionKeys<FillOptions> = {
  value: ANYTHING,
  how: oneOf(['forward', 'backward', 'linear']),
  by: SORT_KEYS,
  limit: integer({ min: 1 }),
};

export function fill(
  grouped: GroupedTable | Table,
  columns: string | readonly string[],
  options: FillOptions,
): Table {
  const { table, grouping, step } = asGrouped(grouped);
  const names = typeof columns === 'string' ? [columns] : columns;
  check(v.array(TEXT), names, 'columns');
  checkRequiredOptions(options, FILL_KEYS, 'fill');
  if ('value' in options === 'how' in options)
    throw badArgument('how', 'specify either how, such as "forward", or a value');
  for (const name of names) findColumn(table, name, 'columns');
  const by = 'how' in options ? options.by : undefined;
  const arrangement = arrangeBy(table, grouping, by);
  const filled = tableColumns(table).map((each) => {
    if (!names.includes(each.name)) return each;
    if ('value' in options) return { ...each, column: fillValue(table, each.name, options.value) };
    const { how, limit = Number.POSITIVE_INFINITY } = options;
    const column =
      how === 'linear'
        ? fillLinear(new TableValues(table), each.name, { arrangement, by, limit })
        : takeColumn(each.column, nearestRows(each.column, arrangement, { how, limit }));
    return { ...each, column };
  });
  return deriveTable(table, filled, `${step}fill`, columns, options);
}

function fillValue(table: Table, name: string, value: RowValue): AnyColumn {
  const column = findColumn(table, name, 'columns');
  const filler = columnOfCells([value], { name, arrowType: table.getChild(name)!.type, argument: 'value' });
  const both = concatColumns(name, [column, filler], 'value');
  const rows = new Int32Array(table.numRows);
  for (let row = 0; row < rows.length; row++) rows[row] = isKnown(column, row) ? row : rows.length;
  return takeColumn(both, rows);
}

function nearestRows(
  column: AnyColumn,
  { rows, starts }: Arrangement,
  { how, limit }: { how: 'forward' | 'backward'; limit: number },
): Int32Array {
  const nearest = new Int32Array(rows.length).fill(-1);
  for (let group = 0; group < starts.length - 1; group++) {
    const [start, end] = [starts[group]!, starts[group + 1]!];
    let [from, gap] = [-1, 0];
    for (let step = 0; step < end - start; step++) {
      const row = rows[how === 'forward' ? start + step : end - 1 - step]!;
      if (isKnown(column, row)) [from, gap] = [row, 0];
      else gap++;
      if (gap <= limit) nearest[row] = from;
    }
  }
  return nearest;
}

interface LinearFill {
  readonly arrangement: Arrangement;
  readonly by: SortKeys | undefined;
  readonly limit: number;
}

function fillLinear(
  values: TableValues,
  name: string,
  { arrangement: { rows, starts }, by, limit }: LinearFill,
): AnyColumn {
  const numbers = values.numbers(name, 'linear');
  const positions = by === undefined ? undefined : positionsOf(values, by);
  const positionAt = (at: number) => (positions === undefined ? at : positions[rows[at]!]!);
  const filled = numbers.slice();
  for (let group = 0; group < starts.length - 1; group++) {
    let from = -1;
    for (let at = starts[group]!; at < starts[group + 1]!; at++) {
      const value = numbers[rows[at]!]!;
      if (Number.isNaN(value)) continue;
      const first = from < 0 ? value : numbers[rows[from]!]!;
      for (let gap = from < 0 ? at : from + 1; gap < at && gap - from <= limit; gap++) {
        const share = (positionAt(gap) - positionAt(from)) / (positionAt(at) - positionAt(from));
        filled[rows[gap]!] = first + (value - first) * share;
      }
      from = at;
    }
  }
  return floatColumn(filled);
}

function positionsOf(values: TableValues, by: SortKeys): Float64Array {
  const positions = typeof by === 'string' ? values.exactNumbers(by) : undefined;
  if (positions !== undefined && !positions.some(Number.isNaN)) return positions;
  throw badArgument('by', 'linear needs a single column of numbers or dates that has a value in every row');
}
