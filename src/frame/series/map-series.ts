import type { Table } from 'apache-arrow';
import { type Derivation, hasTrueZero } from '../../model/derivations.js';
import { badArgument } from '../../model/errors.js';
import { buildTable, type TableColumn, tableColumns } from '../table/build-table.js';
import { type FrameColumn, validityWhere } from '../table/columns.js';
import { readProvenance } from '../table/provenance.js';
import { seriesName, unitOf } from '../table/series-view.js';
import { deriveSeries, metadataOfDerived, withDerivedSeries } from './derive.js';
import { knownPoints, readSeries, type SeriesPoints } from './series-points.js';

/** Computes new values for the points of a series, which all have a value; NaN becomes null. */
type SeriesKernel = (points: SeriesPoints) => Float64Array;

/**
 * Computes new values of a derived metric. Rows, dates and all other columns are kept, and null stays null. `step` is
 * added to the derivation in the metadata. The checksum is removed, because it covers the old values.
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
    const target = values.get(column) ?? new Float64Array(table.numRows).fill(Number.NaN);
    values.set(column, target);
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

/** @throws ArgumentError when the unit of a series has an arbitrary zero */
function checkTrueZero(table: Table, series: readonly SeriesPoints[]): void {
  const provenance = readProvenance(table);
  for (const { view } of series) {
    const unit = unitOf(view, provenance);
    if (hasTrueZero(unit)) continue;
    throw badArgument(
      'table',
      `${seriesName(view)} is in ${unit}, whose zero is arbitrary, so ratios and percentages of it have no meaning; use differences, or leave the series out with selectSeries`,
    );
  }
}

/** Builds a column of numbers in which NaN becomes null. */
export function floatColumn(values: Float64Array): FrameColumn {
  return {
    type: 'float64',
    values,
    valid: validityWhere(values.length, (row) => !Number.isNaN(values[row])),
  };
}
