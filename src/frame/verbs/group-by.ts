import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { isValid } from '../../columns/bitmap.js';
import { badArgument } from '../../model/errors.js';
import { check } from '../../model/schema/check.js';
import type { Aggregation, Computation } from '../groups/agg.js';
import { checkAggregation } from '../groups/aggregate.js';
import { GroupAggregator } from '../groups/group-aggregator.js';
import { arrangeRows, type Grouping, groupRows, oneGroup } from '../groups/group-rows.js';
import { TableValues } from '../groups/table-values.js';
import { computeWindow, type Window } from '../groups/windows.js';
import { deriveTable, type TableColumn, tableColumns, takeColumns } from '../table/build-table.js';
import { columnOfCells, type RowValue } from '../table/cell-column.js';
import { type AnyColumn, asOther, findVector, isKnown, readColumn } from '../table/columns.js';
import { stepText } from '../table/provenance.js';
import { viewRows } from '../table/row-reader.js';
import { frameShape } from '../table/series-view.js';
import { takeColumn } from '../table/take-rows.js';
import { checkDistinct } from './columns.js';
import { checkNewName, withColumn } from './with-column.js';

/** A column name, or an object that maps the name of each new key column to a function that computes it. */
export type GroupKey = string | { readonly [Name in string]: (row: never) => RowValue };

type GroupValue = Aggregation | ((group: never) => RowValue);

export interface GroupedTable {
  readonly table: Table;
  readonly keys: readonly TableColumn[];
  readonly grouping: Grouping;
  /** The prefix of each derivation step, such as `groupBy("year").`; empty if rows are not grouped. */
  readonly step: string;
}

export function groupBy(table: Table, keys: readonly GroupKey[]): GroupedTable {
  const columns = keys.flatMap((key): KeyColumn[] => {
    if (typeof key === 'string') return [{ name: key, ...findKey(table, key) }];
    check(v.looseObject({}), key, 'keys');
    return Object.entries(key).map(([name, compute]) => computeKey(table, name, compute));
  });
  if (columns.length === 0) throw badArgument('keys', 'the list is empty; specify a column to group by');
  checkDistinct(columns, 'keys');
  const step = `${stepText('groupBy', ...columns.map(({ name }) => name))}.`;
  return { table, keys: columns, grouping: groupRows(columns.map(({ column }) => column.values)), step };
}

/** A key column, stored as an Arrow vector so that its strings need not be decoded. */
type KeyColumn = TableColumn & { readonly column: ReturnType<typeof asOther> };

function findKey(table: Table, name: string): Omit<KeyColumn, 'name'> {
  const { metadata } = table.schema.fields.find((field) => field.name === name) ?? {};
  return { column: asOther(findVector(table, name, 'keys')), metadata };
}

function computeKey(table: Table, name: string, compute: (row: never) => RowValue): KeyColumn {
  const names = new Set(table.schema.fields.map((field) => field.name));
  // The key may have the same name as a column of the table, which `withColumn` would reject.
  let temporary = name;
  while (names.has(temporary)) temporary += '_';
  const computed = withColumn(table, temporary, compute, { pass_nulls: true });
  return { ...findKey(computed, temporary), name };
}

export function asGrouped(table: GroupedTable | Table): GroupedTable {
  if ('grouping' in table) return table;
  return { table, keys: [], grouping: oneGroup(table.numRows), step: '' };
}

export function rollup(grouped: GroupedTable | Table, given: Readonly<Record<string, GroupValue>>): Table {
  const { table, keys, grouping, step } = asGrouped(grouped);
  check(v.looseObject({}), given, 'aggregates');
  for (const [name, value] of Object.entries(given))
    if (typeof value !== 'function') checkAggregation(value, `aggregates.${name}`);
  refuseMixedUnits(table, grouping, Object.values(given));
  const aggregator = new GroupAggregator(new TableValues(table), grouping);
  const results = Object.entries(given).map(([name, value]): TableColumn => {
    if (keys.some((key) => key.name === name))
      throw badArgument('aggregates', `"${name}" is already the name of a key; choose a different name`);
    if (typeof value === 'function') return { name, column: computeGroups(table, grouping, { name, value }) };
    return { name, column: aggregator.aggregate(value), metadata: unitOf(table, value) };
  });
  return deriveTable(table, [...takeColumns(keys, grouping.firsts), ...results], `${step}rollup`, given);
}

function computeGroups(
  table: Table,
  grouping: Grouping,
  { name, value }: { name: string; value: (group: never) => RowValue },
): AnyColumn {
  const { row: group, moveTo } = viewRows(table, { argument: 'aggregates', groups: arrangeRows(grouping) });
  const cells = Array.from(grouping.firsts, (_, at) => {
    moveTo(at);
    return value(group as never);
  });
  return columnOfCells(cells, { name, argument: 'aggregates' });
}

function refuseMixedUnits(table: Table, { groups, firsts }: Grouping, given: Iterable<unknown>): void {
  const isOfValues = [...given].some(
    (one) => IN_UNIT.includes((one as Aggregation).how) && (one as Aggregation).columns.includes('value'),
  );
  if (!isOfValues || frameShape(table) !== 'long') return;
  const [values, units] = [readColumn(table, 'value'), readColumn(table, 'unit_id', 'int32')];
  const unitAt = (row: number) => (isValid(units.valid, row) ? `unit_id ${units.values[row]}` : 'no unit');
  const rowOf = new Int32Array(firsts.length).fill(-1);
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row]!;
    if (!isKnown(values, row)) continue;
    if (rowOf[group] === -1) rowOf[group] = row;
    else if (unitAt(row) !== unitAt(rowOf[group]!))
      throw badArgument(
        'aggregates',
        `a group has values in ${unitAt(rowOf[group]!)} and in ${unitAt(row)}; add "unit_id" to the keys, or request the series in the same unit`,
      );
  }
}

/** The aggregates whose results have the same unit as the aggregated column. */
const IN_UNIT = ['sum', 'mean', 'median', 'quantile', 'min', 'max', 'first', 'last', 'std', 'weightedMean'];

function unitOf(table: Table, { how, columns }: Aggregation): Map<string, string> {
  const unit = table.schema.fields.find(({ name }) => name === columns[0])?.metadata.get('unit_name');
  return new Map(unit !== undefined && IN_UNIT.includes(how) ? [['unit_name', unit]] : []);
}

export function withComputed(
  grouped: GroupedTable | Table,
  given: Readonly<Record<string, Computation>>,
): Table {
  const { table, grouping, step } = asGrouped(grouped);
  check(v.looseObject({}), given, 'columns');
  for (const [name, computation] of Object.entries(given))
    if (!('window' in Object(computation))) checkAggregation(computation, `columns.${name}`);
  refuseMixedUnits(
    table,
    grouping,
    Object.values(given).map((one) => (one as { aggregate?: unknown }).aggregate ?? one),
  );
  const values = new TableValues(table);
  const aggregator = new GroupAggregator(values, grouping);
  const columns = tableColumns(table);
  for (const [name, computation] of Object.entries(given)) {
    checkNewName(columns, name);
    const column =
      'window' in computation
        ? computeWindow(values, grouping, computation as Window)
        : takeColumn(aggregator.aggregate(computation as Aggregation), grouping.groups);
    columns.push({ name, column, metadata: new Map() });
  }
  return deriveTable(table, columns, `${step}withColumns`, given);
}
