import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { rowsOf } from '../../columns/row-runs.js';
import { check, checkOptions } from '../../model/schema/check.js';
import { integer, TEXT } from '../../model/schema/schemas.js';
import { agg } from '../groups/agg.js';
import { groupRows } from '../groups/group-rows.js';
import { orderKeys, orderRows, SORT_KEYS, type SortKeys } from '../groups/order-rows.js';
import { deriveTable, tableColumns, takeColumns, takeTable } from '../table/build-table.js';
import { findVector, isKnown } from '../table/columns.js';
import { groupBy, rollup } from './group-by.js';
import { MAX_SEED, seededRandom } from './seeded-random.js';

export function sortBy(table: Table, by: SortKeys): Table {
  check(SORT_KEYS, by, 'by');
  return takeTable(table, orderRows(table.numRows, orderKeys(table, by)), 'sortBy', by);
}

const COUNT = integer();

export function head(table: Table, rows = 5): Table {
  check(COUNT, rows, 'rows');
  const first = rowsOf([{ from: 0, to: Math.min(rows, table.numRows) }]);
  return takeTable(table, first, 'head', rows);
}

export function tail(table: Table, rows = 5): Table {
  check(COUNT, rows, 'rows');
  const last = rowsOf([{ from: Math.max(0, table.numRows - rows), to: table.numRows }]);
  return takeTable(table, last, 'tail', rows);
}

export function sample(table: Table, rows: number, options: { seed?: number | undefined } = {}): Table {
  check(COUNT, rows, 'rows');
  checkOptions(options, { seed: integer({ min: 0, max: MAX_SEED }) }, 'sample');
  const { seed = 1 } = options;
  const random = seededRandom(seed);
  const all = rowsOf([{ from: 0, to: table.numRows }]);
  const count = Math.min(rows, all.length);
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor(random() * (all.length - at));
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return takeTable(table, all.subarray(0, count).sort(), 'sample', rows, { seed });
}

export function unique(table: Table, columns: readonly string[] = []): Table {
  check(v.array(TEXT), columns, 'columns');
  const keys =
    columns.length > 0
      ? columns.map((name) => findVector(table, name, 'columns'))
      : table.schema.fields.map((_, at) => table.getChildAt(at)!);
  return takeTable(table, groupRows(keys).firsts, 'unique', ...columns);
}

export function valueCounts(table: Table, columns: readonly string[]): Table {
  const groups = groupBy(table, columns);
  const counts = rollup(groups, { count: agg.count() });
  const order = orderRows(counts.numRows, orderKeys(counts, { column: 'count', descending: true }));
  const isCounted = (group: number) =>
    groups.keys.every(({ column }) => isKnown(column, groups.grouping.firsts[group]!));
  const counted = takeColumns(tableColumns(counts), order.filter(isCounted));
  return deriveTable(table, counted, 'valueCounts', ...columns);
}
