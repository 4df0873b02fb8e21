import type { Table, TypeMap } from 'apache-arrow';
import { buildTable, type TableColumn, tableColumns } from '../table/build-table.js';
import { type FrameColumn, validityWhere } from '../table/columns.js';
import { derivedMetadata } from '../table/provenance.js';
import { knownPoints, readSeries, type SeriesPoints } from './series-points.js';

/** Computes new values for the points of a series, which all have a value; NaN becomes null. */
type SeriesKernel = (points: SeriesPoints) => Float64Array;

/**
 * The same frame with new values: rows, dates and all other columns are kept, and null stays null. `step` is added to the
 * derivation in the metadata; the checksum of the old values is removed.
 */
export function mapSeries<T extends TypeMap>(table: Table<T>, step: string, kernel: SeriesKernel): Table<T> {
  const values = new Map<string, Float64Array>();
  for (const points of readSeries(table).map(knownPoints)) {
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
  return buildTable(columns, derivedMetadata(table, step));
}

/** A column of numbers in which NaN is null. */
export function floatColumn(values: Float64Array): FrameColumn {
  return {
    type: 'float64',
    values,
    valid: validityWhere(values.length, (row) => !Number.isNaN(values[row])),
  };
}
