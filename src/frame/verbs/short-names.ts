import type { Table } from 'apache-arrow';
import { badArgument } from '../../model/errors.js';
import { buildTable, tableColumns } from '../table/build-table.js';
import { distinctNames, shortNames } from '../table/names.js';
import { frameSeries, seriesShape } from '../table/series-view.js';

/** Renames the series of a wide frame. Their ids, names and units stay in the metadata of the fields. */
export function withShortNames(table: Table): Table {
  if (seriesShape(table) !== 'wide') {
    throw badArgument('table', 'it is long; short names are those of the columns of a wide frame');
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
