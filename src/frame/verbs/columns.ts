import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { badArgument } from '../../model/errors.js';
import { check } from '../../model/schema/check.js';
import { TEXT } from '../../model/schema/schemas.js';
import { buildTable, deriveTable, tableColumns } from '../table/build-table.js';
import { findColumn, repeatedName } from '../table/columns.js';
import { distinctNames, shortNames } from '../table/names.js';
import { frameSeries, seriesShape } from '../table/series-view.js';

export function select(table: Table, columns: readonly string[]): Table {
  check(v.array(TEXT), columns, 'columns');
  const all = new Map(tableColumns(table).map((each) => [each.name, each]));
  for (const name of columns) findColumn(table, name, 'columns');
  const selected = columns.map((name) => all.get(name)!);
  checkDistinct(selected, 'columns');
  return deriveTable(table, selected, 'select', columns);
}

export function omit(table: Table, columns: readonly string[]): Table {
  check(v.array(TEXT), columns, 'columns');
  for (const name of columns) findColumn(table, name, 'columns');
  const kept = tableColumns(table).filter(({ name }) => !columns.includes(name));
  return deriveTable(table, kept, 'omit', columns);
}

export function rename(table: Table, names: Readonly<Record<string, string>>): Table {
  check(v.looseObject({}), names, 'names');
  for (const [from, to] of Object.entries(names)) {
    findColumn(table, from, 'names');
    check(TEXT, to, `names.${from}`);
  }
  const renamed = tableColumns(table).map((each) => ({
    ...each,
    name: Object.hasOwn(names, each.name) ? names[each.name]! : each.name,
  }));
  checkDistinct(renamed, 'names');
  return deriveTable(table, renamed, 'rename', names);
}

export function checkDistinct(columns: readonly { readonly name: string }[], argument: string): void {
  const repeated = repeatedName(columns.map(({ name }) => name));
  if (repeated !== undefined)
    throw badArgument(argument, `two columns would be called "${repeated}"; give each a different name`);
}

export function withShortNames(table: Table): Table {
  if (seriesShape(table) !== 'wide') {
    throw badArgument('table', 'the frame is long; only the columns of a wide frame can have short names');
  }
  const views = frameSeries(table);
  const columns = tableColumns(table);
  const reserved = columns.filter(({ metadata }) => !metadata.has('metric_id')).map(({ name }) => name);
  const names = distinctNames(shortNames(views, { regions: true }), {
    reserved,
    keys: views.map(({ key, unit_id }) => ({ ...key, unit_id })),
  });
  const nameOf = new Map(views.map(({ column }, at) => [column, names[at]!]));
  const renamed = columns.map((each) => ({ ...each, name: nameOf.get(each.name) ?? each.name }));
  return buildTable(renamed, table.schema.metadata);
}
