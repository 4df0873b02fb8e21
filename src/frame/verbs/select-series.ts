import type { Table } from 'apache-arrow';
import { rowsOf, rowsWhere } from '../../columns/row-runs.js';
import { checkRequiredOptions } from '../../model/schema/check.js';
import { SELECTION_KEYS, type Selection, selectionTest } from '../../model/selection.js';
import { buildTable, type TableColumn, tableColumns, takeColumns } from '../table/build-table.js';
import { isKnown } from '../table/columns.js';
import { derivedMetadata, PROVENANCE_KEY, readProvenance, sourcesOf, stepText } from '../table/provenance.js';
import { frameSeries, type SeriesView, seriesShape } from '../table/series-view.js';

/** The series to keep: a selection by ids, or a predicate. */
export type SeriesChoice = Selection | ((series: SeriesView) => boolean);

export function selectSeries(table: Table, choice: SeriesChoice): Table {
  const shape = seriesShape(table);
  if (typeof choice !== 'function') checkRequiredOptions(choice, SELECTION_KEYS, 'selectSeries');
  const views = frameSeries(table).filter(typeof choice === 'function' ? choice : selectionTest(choice));
  const columns = tableColumns(table);
  const names = new Set(views.map(({ column }) => column));
  const kept =
    shape === 'long'
      ? columns
      : columns.filter(({ name, metadata }) => names.has(name) || !metadata.has('metric_id'));
  const rows =
    shape === 'long' ? rowsOf(views.flatMap((view) => view.runs)).sort() : knownRows(kept, table.numRows);
  const described = typeof choice === 'function' ? views.map(({ key }) => key) : choice;
  const metadata = derivedMetadata(table, stepText('selectSeries', described));
  const provenance = readProvenance(table);
  if (provenance !== null) {
    const units = new Set(views.map(({ unit_id }) => unit_id));
    const ofViews = {
      sources: sourcesOf(views, provenance),
      units: provenance.units.filter(({ id }) => units.has(id)),
    };
    metadata.set(PROVENANCE_KEY, JSON.stringify({ ...provenance, ...ofViews }));
  }
  return buildTable(takeColumns(kept, rows), metadata);
}

function knownRows(columns: readonly TableColumn[], length: number): Int32Array {
  const known = new Uint8Array(length);
  for (const { name, column } of columns) {
    if (name === 'end_date') continue;
    for (let row = 0; row < length; row++) {
      if (isKnown(column, row)) known[row] = 1;
    }
  }
  return rowsWhere(length, (row) => known[row] === 1);
}
