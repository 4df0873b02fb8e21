import type { Table, TypeMap } from 'apache-arrow';
import { emptyBitmap, setBit } from '../../columns/bitmap.js';
import { buildTable, type TableColumn } from '../table/build-table.js';
import { type FrameColumn, readColumns } from '../table/columns.js';
import { derivedMetadata } from '../table/provenance.js';
import { knownPoints, readSeries, type SeriesPoints } from './series-points.js';

/** New values for the points of a series that have one; NaN where there is none. */
type SeriesKernel = (points: SeriesPoints) => Float64Array;

/**
 * The same frame with other values: rows, dates and all other columns stay, and null stays null. `step` says in the metadata how the
 * figures came about; the checksum of the former figures is dropped.
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
  const columns = readColumns(table).map(({ field, column }): TableColumn => {
    const computed = values.get(field.name);
    return { name: field.name, column: computed ? floatColumn(computed) : column, metadata: field.metadata };
  });
  return buildTable(columns, derivedMetadata(table, step));
}

/** Numbers as a column in which NaN is null. */
export function floatColumn(values: Float64Array): FrameColumn {
  if (!values.some(Number.isNaN)) return { type: 'float64', values, valid: null };
  const valid = emptyBitmap(values.length);
  values.forEach((value, row) => {
    if (!Number.isNaN(value)) setBit(valid, row);
  });
  return { type: 'float64', values, valid };
}
