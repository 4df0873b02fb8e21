import type { Table } from 'apache-arrow';
import { seriesValues } from '../frame/display/shown-series.js';
import { readColumn } from '../frame/table/columns.js';
import { readProvenance } from '../frame/table/provenance.js';
import { labelSeries } from '../frame/table/series-labels.js';
import { frameSeries, type SeriesView } from '../frame/table/series-view.js';
import { takeRuns } from '../frame/verbs/take-runs.js';
import { checkOptions } from '../model/arguments/option-keys.js';
import { ArgumentError } from '../model/errors.js';
import type { Provenance } from '../model/provenance.js';
import { type PlottedSeries, plotSeries, SERIES_PLOT_KEYS, type SeriesPlotOptions } from './series.js';

/** Texts and size of the chart; by default from the frame. */
export type FramePlotOptions = Partial<SeriesPlotOptions>;

/**
 * An SVG document with one line for each series of a long or wide frame over time. Nulls break the line. Names, unit and
 * sources are those of the frame.
 * @throws ArgumentError when the table has no series or no rows, or its series are in several units
 */
export function plotFrame(table: Table, options: FramePlotOptions = {}): string {
  checkOptions(options, SERIES_PLOT_KEYS, 'plotFrame');
  const views = frameSeries(table);
  const provenance = readProvenance(table);
  const { shared, labels } = labelSeries(views);
  if (views.length === 0)
    throw new ArgumentError('table', 'table: it has no series; give a long or wide frame');
  const series = views.map((view, i) => seriesOf(table, view, labels[i]!));
  return plotSeries(series, {
    ...options,
    title: options.title ?? (views.length === 1 ? labels[0]! : shared || 'Series'),
    measure: options.measure ?? measureOf(views),
    unit: options.unit ?? unitOf(views, provenance),
    source: options.source ?? provenance?.sources.map(({ name }) => name).join('; '),
  });
}

function seriesOf(table: Table, view: SeriesView, label: string): PlottedSeries {
  const { values: end_date } = takeRuns(readColumn(table, 'end_date', 'timestamp'), view.runs);
  return { label, end_date, value: seriesValues(table, view) };
}

function measureOf(views: readonly SeriesView[]): string {
  const metrics = new Set(views.map(({ names }) => names.get('metric_name') ?? 'Value'));
  return metrics.size === 1 ? [...metrics][0]! : 'Value';
}

/** @throws ArgumentError when the series are in several units */
function unitOf(views: readonly SeriesView[], provenance: Provenance | null): string {
  const known = new Map(provenance?.units.map(({ id, abbreviation }) => [id, abbreviation]));
  const ids = [...new Set(views.map(({ unit_id }) => unit_id))];
  const units = ids.map((id) => (id === null ? 'no unit' : (known.get(id) ?? `unit ${id}`)));
  if (units.length === 1) return units[0]!;
  throw new ArgumentError(
    'table',
    `table: its series are in several units (${units.join(', ')}); select those of one unit, for instance with selectSeries`,
  );
}
