import type { Table, TypeMap } from 'apache-arrow';
import { SELECTION_FIELDS, type Selection, selectionLists } from '../../model/selection.js';
import { buildTable } from '../table/build-table.js';
import { readColumns } from '../table/columns.js';

import { derivedMetadata } from '../table/provenance.js';
import { frameSeries, type SeriesView, seriesShape } from '../table/series-view.js';
import { takeRuns } from './take-runs.js';

/** The series to keep: a selection by ids, or a predicate. */
export type SeriesChoice = Selection | ((series: SeriesView) => boolean);

/**
 * A frame with some of the series: some rows of a long frame, or some columns and all dates of a wide one.
 * @throws ArgumentError when the table is not a frame of series
 */
export function selectSeries<T extends TypeMap>(table: Table<T>, choice: SeriesChoice): Table<T> {
  const shape = seriesShape(table);
  const isWanted = typeof choice === 'function' ? choice : selectionTest(choice);
  const views = frameSeries(table).filter(isWanted);
  const described = typeof choice === 'function' ? views.map(({ key }) => key) : choice;
  const metadata = derivedMetadata(table, `selectSeries(${JSON.stringify(described)})`);
  const columns = readColumns(table).map(({ field, column }) => ({
    name: field.name,
    column,
    metadata: field.metadata,
  }));
  if (shape === 'wide') {
    const names = new Set(views.map(({ column }) => column));
    return buildTable(
      columns.filter(({ name, metadata }) => names.has(name) || !metadata.has('metric_id')),
      metadata,
    );
  }
  const runs = views.flatMap((view) => view.runs).sort((a, b) => a.from - b.from);
  return buildTable(
    columns.map(({ column, ...rest }) => ({ ...rest, column: takeRuns(column, runs) })),
    metadata,
  );
}

function selectionTest(selection: Selection): (series: SeriesView) => boolean {
  const lists = selectionLists(selection);
  return ({ key }) => SELECTION_FIELDS.every((field) => lists[field]?.includes(key[field]) ?? true);
}
