import type { Table } from 'apache-arrow';
import { rowsOf } from '../../columns/row-runs.js';
import { DERIVED_UNITS, type Derivation, derivedMetricId, hasTrueZero } from '../../model/derivations.js';
import { badArgument } from '../../model/errors.js';
import { getOrCompute } from '../../model/grouping.js';
import { buildTable, type TableColumn, tableColumns } from '../table/build-table.js';
import { type FrameColumn, validityWhere } from '../table/columns.js';
import { columnNames, type NamedSeries, seriesMetadata } from '../table/names.js';
import { columnOf } from '../table/parse-column.js';
import {
  DERIVED_METRICS_KEY,
  derivedMetadata,
  PROVENANCE_KEY,
  readProvenance,
  sourceMetrics,
} from '../table/provenance.js';
import { frameShape, type SeriesView, seriesName, unitOf } from '../table/series-view.js';
import { knownPoints, readSeries, type SeriesPoints } from './series-points.js';

/** Computes a new value for each point of a series. Only non-null points are passed. A result of NaN becomes null. */
type SeriesKernel = (points: SeriesPoints) => Float64Array;

/**
 * Computes a derived metric from each series. Rows and dates do not change, and nulls stay null. Only the value, metric
 * and unit columns change. `step` is added to the derivation steps in the metadata, and the checksum is removed because
 * it covers the old values.
 */
export function mapSeries(
  table: Table,
  { step, derivation }: { readonly step: string; readonly derivation: Derivation },
  kernel: SeriesKernel,
): Table {
  const values = new Map<string, Float64Array>();
  const all = readSeries(table);
  if (derivation.isRatio) checkTrueZero(table, all);
  for (const points of all.map(knownPoints)) {
    const { column } = points.view;
    const target = getOrCompute(values, column, () => new Float64Array(table.numRows).fill(Number.NaN));
    const computed = kernel(points);
    points.rows.forEach((row, i) => {
      target[row] = computed[i]!;
    });
  }
  const columns = tableColumns(table).map((each): TableColumn => {
    const computed = values.get(each.name);
    return computed ? { ...each, column: floatColumn(computed) } : each;
  });
  const series = all.map(({ view }) => ({ from: view, to: deriveSeries(view, derivation) }));
  return buildTable(withDerivedSeries(table, columns, series), metadataOfDerived(table, step, series));
}

function checkTrueZero(table: Table, series: readonly SeriesPoints[]): void {
  const provenance = readProvenance(table);
  for (const { view } of series) {
    const unit = unitOf(view, provenance);
    if (hasTrueZero(unit)) continue;
    throw badArgument(
      'table',
      `${seriesName(view)} is in ${unit}, whose zero is arbitrary, so ratios and percentages are meaningless; use differences, or exclude the series with selectSeries`,
    );
  }
}

/** Builds a column of doubles in which NaN becomes null. */
export function floatColumn(values: Float64Array): FrameColumn {
  return {
    type: 'float64',
    values,
    valid: validityWhere(values.length, (row) => !Number.isNaN(values[row])),
  };
}

/** Replaces a series' metric with the derived metric, which has a new name and id and may have a different unit. */
export function deriveSeries<Series extends NamedSeries>(series: Series, derivation: Derivation): Series {
  const { key, column, unit_id } = series;
  const { words, unit } = derivation;
  const before = series.names.get('metric_name');
  const metric = `${before ?? `metric ${key.metric_id}`}, ${words}`;
  const names = new Map(series.names).set('metric_name', metric);
  if (unit !== 'same') for (const name of ['unit_name', 'unit_abbreviation']) names.delete(name);
  if (unit !== 'same' && unit !== null)
    names.set('unit_name', unit.abbreviation).set('unit_abbreviation', unit.abbreviation);
  return {
    ...series,
    key: { ...key, metric_id: derivedMetricId(key.metric_id, derivation) },
    unit_id: unit === 'same' ? unit_id : (unit?.id ?? null),
    column: column
      .split(' · ')
      .map((part) => (part === before ? metric : part))
      .join(' · '),
    names,
  };
}

interface DerivedSeries<From extends NamedSeries = NamedSeries> {
  readonly from: From;
  readonly to: NamedSeries;
}

export function metadataOfDerived(
  table: Pick<Table, 'schema'>,
  step: string,
  series: readonly DerivedSeries[],
): Map<string, string> {
  const metadata = derivedMetadata(table, step);
  const sources = sourceMetrics(table);
  for (const { from, to } of series)
    if (to !== from) sources.set(to.key.metric_id, sources.get(from.key.metric_id) ?? from.key.metric_id);
  if (sources.size > 0) metadata.set(DERIVED_METRICS_KEY, JSON.stringify(Object.fromEntries(sources)));
  const provenance = readProvenance(table);
  if (provenance === null) return metadata;
  const used = new Set(series.map(({ to }) => to.unit_id));
  const known = new Map([...DERIVED_UNITS, ...provenance.units].map((unit) => [unit.id, unit]));
  const units = [...known.values()].filter(({ id }) => used.has(id));
  return metadata.set(PROVENANCE_KEY, JSON.stringify({ ...provenance, units }));
}

function withDerivedSeries(
  table: Table,
  columns: readonly TableColumn[],
  series: readonly DerivedSeries<SeriesView>[],
): TableColumn[] {
  if (frameShape(table) === 'wide') return withDerivedFields(columns, series);
  const byRow = new Array<NamedSeries>(table.numRows);
  for (const { from, to } of series) for (const row of rowsOf(from.runs)) byRow[row] = to;
  const replaced = new Map<string, TableColumn['column']>([
    ['metric_id', columnOf('int32', byRow, ({ key }) => key.metric_id)],
    ['unit_id', columnOf('int32', byRow, ({ unit_id }) => unit_id)],
    ['metric_name', columnOf('dictionary', byRow, ({ names }) => names.get('metric_name') ?? null)],
    ['unit_name', columnOf('dictionary', byRow, ({ names }) => names.get('unit_name') ?? null)],
  ]);
  const hasNames = columns.some(({ name }) => name === 'metric_name');
  // No service knows the names of derived metrics, so the frame must contain them.
  const all = hasNames ? columns : [...columns, { name: 'metric_name', column: columns[0]!.column }];
  return all.map((each) => ({ ...each, column: replaced.get(each.name) ?? each.column }));
}

function withDerivedFields(
  columns: readonly TableColumn[],
  series: readonly DerivedSeries<SeriesView>[],
): TableColumn[] {
  const headings = columnNames(series.map(({ to }) => to));
  const derived = new Map(series.map(({ from, to }, at) => [from.column, { to, heading: headings[at]! }]));
  return columns.map(({ name, column, metadata = new Map<string, string>() }) => {
    const own = derived.get(name);
    if (own === undefined) return { name, column, metadata };
    const others = [...metadata].filter(([key]) => !key.startsWith('unit_'));
    return { name: own.heading, column, metadata: new Map([...others, ...seriesMetadata(own.to)]) };
  });
}
