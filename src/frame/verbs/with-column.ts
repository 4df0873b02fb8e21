import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { badArgument } from '../../model/errors.js';
import { check, checkOptions, type OptionsOf, optionsOf } from '../../model/schema/check.js';
import { FUNCTION, TEXT } from '../../model/schema/schemas.js';
import { SELECTION_KEYS, type Selection, selectionTest } from '../../model/selection.js';
import { deriveTable, tableColumns } from '../table/build-table.js';
import { columnOfCells, type RowValue } from '../table/cell-column.js';
import { findColumn } from '../table/columns.js';
import { READ_NULL, type RowView, viewRows } from '../table/row-reader.js';
import { frameSeries, frameShape } from '../table/series-view.js';

const WITH_COLUMN = {
  /**
   * Short column names for use in the function. Each stands for a column or, in a wide frame, for a selection by ids
   * that matches exactly one series.
   */
  columns: v.record(v.string(), v.union([v.string(), optionsOf<Selection>(SELECTION_KEYS)])),
  /** The unit of the new values, which is shown in headings and stored in the metadata. */
  unit: TEXT,
  /** Whether the function receives nulls. By default, the result is null if the function reads a null. */
  pass_nulls: v.boolean(),
};

/** Options for `withColumn` when a function computes the new column. */
export interface WithColumnOptions extends OptionsOf<typeof WITH_COLUMN> {}

export function withColumn(
  table: Table,
  name: string,
  compute: (row: never) => RowValue,
  options: WithColumnOptions = {},
): Table {
  checkNewName(table.schema.fields, name);
  check(FUNCTION, compute, 'compute');
  checkOptions(options, WITH_COLUMN, 'withColumn');
  const read = new Map<string, string>();
  const view = viewRows(table, {
    argument: 'compute',
    aliases: Object.entries(options.columns ?? {}).map(([short, column]) => [
      short,
      aliasedColumn(table, short, column),
    ]),
    endsAtNull: options.pass_nulls !== true,
    onRead: (name, column) => read.set(name, column),
  });
  const values = computeRows(table.numRows, view, compute as (row: object) => RowValue);
  if (options.unit === undefined) refuseUnits(table, read);
  const column = columnOfCells(values, { name, argument: 'compute' });
  const unit = options.unit === undefined ? [] : ([['unit_name', options.unit]] as const);
  const added = { name, column, metadata: new Map(unit) };
  return deriveTable(table, [...tableColumns(table), added], 'withColumn', { name, compute, ...options });
}

function computeRows(length: number, view: RowView, compute: (row: object) => RowValue): RowValue[] {
  const values = new Array<RowValue>(length);
  for (let at = 0; at < length; at++) {
    view.moveTo(at);
    try {
      values[at] = finite(compute(view.row), at);
    } catch (cause) {
      if (cause !== READ_NULL) throw withRow(cause, at);
      values[at] = null;
    }
  }
  return values;
}

function withRow(cause: unknown, at: number): unknown {
  if (!(cause instanceof TypeError && /BigInt/.test(cause.message))) return cause;
  const problem = `row ${at + 1}: ${cause.message}; 64-bit integers are bigints, so convert them with Number`;
  return badArgument('compute', problem, { cause });
}

function finite(value: RowValue, at: number): RowValue {
  if (value === undefined)
    throw badArgument('compute', `the function returned undefined for row ${at + 1}; return a value or null`);
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}

export function checkNewName(columns: readonly { readonly name: string }[], name: string): void {
  check(TEXT, name, 'name');
  if (!columns.some((column) => column.name === name)) return;
  throw badArgument('name', `the frame already has a column "${name}"; choose a different name`);
}

function refuseUnits({ schema }: Table, read: ReadonlyMap<string, string>): void {
  const fields = new Map(schema.fields.map((field) => [field.name, field.metadata]));
  const units = new Map<string, string>();
  for (const [name, full] of read) {
    const unit = fields.get(full)?.get('unit_id');
    if (unit !== undefined && !units.has(unit))
      units.set(unit, `${name} in ${fields.get(full)?.get('unit_name') ?? unit}`);
  }
  if (units.size <= 1) return;
  throw badArgument(
    'unit',
    `the function reads ${[...units.values()].join(' and ')}; specify the unit of the result, or request the series in the same unit`,
  );
}

function aliasedColumn(table: Table, short: string, column: string | Selection): string {
  const full = typeof column === 'string' ? column : selectedColumn(table, short, column);
  findColumn(table, full, `columns.${short}`);
  return full;
}

function selectedColumn(table: Table, short: string, selection: Selection): string {
  if (frameShape(table) !== 'wide') {
    throw badArgument(
      'columns',
      `${short} selects a series, but the frame is not wide; specify a column name`,
    );
  }
  const fitting = frameSeries(table).filter(selectionTest(selection));
  if (fitting.length === 1) return fitting[0]!.column;
  const listed = fitting.slice(0, 3).map(({ column }) => `"${column}"`);
  const found = fitting.length === 0 ? 'no series' : `${fitting.length} series, such as ${listed.join(', ')}`;
  throw badArgument('columns', `${short} matches ${found}; specify ids that match exactly one`);
}
