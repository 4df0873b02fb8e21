import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { badArgument } from '../../model/errors.js';
import { check, checkRequiredOptions, type OptionsOf } from '../../model/schema/check.js';
import { FINITE, integer, listOf, SHARE, TEXT } from '../../model/schema/schemas.js';
import { quantile } from '../groups/accumulators.js';
import { TableValues } from '../groups/table-values.js';
import { deriveTable, tableColumns } from '../table/build-table.js';
import { type FrameColumn, validityWhere } from '../table/columns.js';
import { checkDistinct } from './columns.js';

const CUT = {
  /** The edges of the bins, in ascending order. */
  edges: listOf(FINITE),
  /** The number of bins, each with an equal share of the values, or the quantiles (0 to 1) to use as bin edges. */
  quantiles: v.union([integer({ min: 2 }), listOf(SHARE)]),
  /** A name for each bin. By default, a bin is named after its edges, such as `(10, 20]`. */
  labels: listOf(TEXT),
  name: TEXT,
};

/** Options for `cut`. The bins are specified by edges or by quantiles. */
export interface CutOptions<Name extends string = string> extends OptionsOf<typeof CUT> {
  /** The name of the new column. By default, it is the original column's name with `_bin` appended. */
  name?: Name | undefined;
}

export function cut(table: Table, column: string, options: CutOptions): Table {
  check(TEXT, column, 'column');
  checkRequiredOptions(options, CUT, 'cut');
  const numbers = new TableValues(table).numbers(column, 'cut');
  const edges = edgesOf(numbers, options);
  const { labels = labelsOf(edges), name = `${column}_bin` } = options;
  if (labels.length !== edges.length - 1)
    throw badArgument(
      'labels',
      `the number of labels (${labels.length}) differs from the number of bins (${edges.length - 1}); specify one label for each bin`,
    );
  const columns = [...tableColumns(table), { name, column: binsOf(numbers, edges, labels) }];
  checkDistinct(columns, 'name');
  return deriveTable(table, columns, 'cut', column, options);
}

function edgesOf(numbers: Float64Array, { edges, quantiles }: CutOptions): readonly number[] {
  if ((edges === undefined) === (quantiles === undefined))
    throw badArgument('edges', 'specify either edges or quantiles');
  const shares =
    typeof quantiles === 'number'
      ? Array.from({ length: quantiles + 1 }, (_, at) => at / quantiles)
      : quantiles;
  const sorted = numbers.filter((value) => !Number.isNaN(value)).sort();
  if (shares !== undefined && sorted.length === 0)
    throw badArgument('column', 'the column has no values and therefore no quantiles; specify edges');
  const all = edges ?? shares!.map((share) => quantile(sorted, share));
  if (all.length < 2) throw badArgument('edges', 'specify at least two edges');
  const wrong = all.findIndex((edge, at) => at > 0 && !(edge > all[at - 1]!));
  if (wrong > 0)
    throw badArgument(
      edges === undefined ? 'quantiles' : 'edges',
      `${all[wrong]} comes after ${all[wrong - 1]}, but each edge must be greater than the previous one; use fewer bins or different edges`,
    );
  return all;
}

function labelsOf(edges: readonly number[]): string[] {
  const shown = edges.map((edge) => String(Number(edge.toPrecision(12))));
  return shown.slice(1).map((upper, at) => `${at === 0 ? '[' : '('}${shown[at]}, ${upper}]`);
}

function binsOf(numbers: Float64Array, edges: readonly number[], labels: readonly string[]): FrameColumn {
  const values = new Int32Array(numbers.length);
  const [lowest, highest] = [edges[0]!, edges.at(-1)!];
  const isInside = (row: number) => numbers[row]! >= lowest && numbers[row]! <= highest;
  for (let row = 0; row < values.length; row++) {
    if (!isInside(row)) continue;
    let [low, high] = [1, edges.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[row]! <= edges[middle]!) high = middle;
      else low = middle + 1;
    }
    values[row] = low - 1;
  }
  return { type: 'dictionary', values, categories: labels, valid: validityWhere(values.length, isInside) };
}
