import type { Table } from 'apache-arrow';
import { rowsOf, rowsWhere } from '../../columns/row-runs.js';
import type { Provenance } from '../../model/provenance.js';
import type { RetrievalReport } from '../../model/report.js';
import { checkRequiredOptions } from '../../model/schema/check.js';
import { SELECTION_KEYS, type Selection, selectionTest } from '../../model/selection.js';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import { buildTable, type TableColumn, tableColumns, takeColumns } from '../table/build-table.js';
import { isKnown } from '../table/columns.js';
import {
  derivedMetadata,
  PROVENANCE_KEY,
  readProvenance,
  sourceKeys,
  stepText,
} from '../table/provenance.js';
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
  return buildTable(takeColumns(kept, rows), selectedMetadata(table, choice, views));
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

function selectedMetadata(
  table: Table,
  choice: SeriesChoice,
  views: readonly SeriesView[],
): Map<string, string> {
  const described = typeof choice === 'function' ? views.map(({ key }) => key) : choice;
  const metadata = derivedMetadata(table, stepText('selectSeries', described));
  const provenance = readProvenance(table);
  if (provenance === null) return metadata;
  const isReported = typeof choice === 'function' ? () => false : selectionTest(choice);
  const sourceOf = sourceKeys(table);
  const retrieved = views.map((view) => ({ ...view, key: sourceOf(view.key) }));
  return metadata.set(PROVENANCE_KEY, JSON.stringify(narrowed(provenance, retrieved, isReported)));
}

function narrowed(
  provenance: Provenance,
  views: readonly SeriesView[],
  isReported: (series: Pick<SeriesView, 'key'>) => boolean,
): Provenance {
  const isOfView = entryTest(provenance.report, views);
  const report = provenance.report.filter(({ series }) => isOfView(series) || isReported({ key: series }));
  const keys = [...views.map(({ key }) => key), ...report.map(({ series }) => series)];
  const sources = new Set(keys.map(({ source_id }) => source_id));
  const units = new Set(views.map(({ unit_id }) => unit_id));
  return {
    ...provenance,
    sources: provenance.sources.filter(({ id }) => sources.has(id)),
    units: provenance.units.filter(({ id }) => units.has(id)),
    report,
  };
}

// A report lists the series that were retrieved, and a resampled series has a different frequency.
function entryTest(report: RetrievalReport, views: readonly SeriesView[]): (key: SeriesKey) => boolean {
  const reported = new Set(report.map(({ series }) => seriesKeyText(series)));
  const kept = new Set(
    views.map(({ key }) => (reported.has(seriesKeyText(key)) ? seriesKeyText(key) : entitiesText(key))),
  );
  return (key) => kept.has(seriesKeyText(key)) || kept.has(entitiesText(key));
}

function entitiesText(key: SeriesKey): string {
  return seriesKeyText({ ...key, frequency_id: 0 });
}
