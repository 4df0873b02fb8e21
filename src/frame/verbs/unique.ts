import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { check } from '../../model/schema/check.js';
import { TEXT } from '../../model/schema/schemas.js';
import { agg } from '../groups/agg.js';
import { groupRows } from '../groups/group-rows.js';
import { orderKeys, orderRows } from '../groups/order-rows.js';
import { buildTable, tableColumns, takeColumns } from '../table/build-table.js';
import { findVector, isKnown } from '../table/columns.js';
import { derivedMetadata } from '../table/provenance.js';
import { groupBy, rollup } from './group-by.js';

export function unique(table: Table, columns: readonly string[] = []): Table {
  check(v.array(TEXT), columns, 'columns');
  const keys =
    columns.length > 0
      ? columns.map((name) => findVector(table, name, 'columns'))
      : table.schema.fields.map((_, at) => table.getChildAt(at)!);
  const { firsts } = groupRows(keys);
  const step = `unique(${columns.map((name) => JSON.stringify(name)).join(', ')})`;
  return buildTable(takeColumns(tableColumns(table), firsts), derivedMetadata(table, step));
}

export function valueCounts(table: Table, columns: readonly string[]): Table {
  const groups = groupBy(table, columns);
  const counts = rollup(groups, { count: agg.count() });
  const order = orderRows(counts.numRows, orderKeys(counts, { column: 'count', descending: true }));
  const isCounted = (group: number) =>
    groups.keys.every(({ column }) => isKnown(column, groups.grouping.firsts[group]!));
  const step = `valueCounts(${columns.map((name) => JSON.stringify(name)).join(', ')})`;
  return buildTable(takeColumns(tableColumns(counts), order.filter(isCounted)), derivedMetadata(table, step));
}
