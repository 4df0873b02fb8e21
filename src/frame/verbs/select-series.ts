import type { Table, TypeMap } from 'apache-arrow';
import { ArgumentError } from '../../model/errors.js';
import { SELECTION_FIELDS, type Selection, selectionLists } from '../../model/selection.js';
import { buildTable } from '../table/build-table.js';
import { readColumns } from '../table/columns.js';

import { derivedMetadata } from '../table/provenance.js';
import { frameSeries, frameShape, type SeriesView } from '../table/series-view.js';
import { takeRuns } from './take-runs.js';

/** Which series are wanted: by their ids, or by a test of what is known of each. */
export type SeriesChoice = Selection | ((series: SeriesView) => boolean);

/**
 * The frame with some of its series: the rows of a long frame, the columns of a wide one (whose dates all stay).
 * @throws ArgumentError when the table is no frame of series
 */
export function selectSeries<T extends TypeMap>(table: Table<T>, choice: SeriesChoice): Table<T> {
  const shape = frameShape(table);
  if (shape === 'other') {
    throw new ArgumentError(
      'table',
      'table: this is no long or wide frame; it lacks end_date and its series',
    );
  }
  const wanted = typeof choice === 'function' ? choice : selectionTest(choice);
  const views = frameSeries(table).filter(wanted);
  const told = typeof choice === 'function' ? views.map(({ key }) => key) : choice;
  const metadata = derivedMetadata(table, `selectSeries(${JSON.stringify(told)})`);
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
