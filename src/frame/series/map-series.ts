import type { Table, TypeMap } from 'apache-arrow';
import { NO_UNIT_ID, unitRows } from '../../columns/point-columns.js';
import { buildTable, type TableColumn, tableColumns } from '../table/build-table.js';
import { type FrameColumn, readColumns, validityWhere } from '../table/columns.js';
import { columnNames } from '../table/names.js';
import { encodeDictionary } from '../table/parse-column.js';
import { derivedMetadata, PROVENANCE_KEY, readProvenance } from '../table/provenance.js';
import { frameSeries } from '../table/series-view.js';
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

/** A column of units in which `NO_UNIT_ID` is null. */
export function unitIdColumn(values: Int32Array): FrameColumn {
  return { type: 'int32', values, valid: unitRows(values, values.length) };
}

/** A column of numbers in which NaN is null. */
export function floatColumn(values: Float64Array): FrameColumn {
  return {
    type: 'float64',
    values,
    valid: validityWhere(values.length, (row) => !Number.isNaN(values[row])),
  };
}

/**
 * The same frame of values that are ratios or percentages: without units in rows, headings and metadata. The steps in its
 * metadata say how the values are expressed.
 */
export function withoutUnits<T extends TypeMap>(table: Table<T>): Table<T> {
  const views = frameSeries(table).map((view) => ({
    ...view,
    unit_id: null,
    names: withoutUnit(view.names),
  }));
  const names = columnNames(views);
  const headings = new Map(views.map(({ column }, at) => [column, names[at]!]));
  const columns = readColumns(table).map(({ field: { name, metadata }, column }): TableColumn => {
    if (name === 'unit_id')
      return { name, column: unitIdColumn(new Int32Array(table.numRows).fill(NO_UNIT_ID)) };
    if (name === 'unit_name')
      return { name, column: encodeDictionary(new Array<null>(table.numRows).fill(null)) };
    if (!metadata.has('metric_id')) return { name, column, metadata };
    return { name: headings.get(name)!, column, metadata: withoutUnit(metadata) };
  });
  const provenance = readProvenance(table);
  const metadata = new Map(table.schema.metadata);
  if (provenance !== null) metadata.set(PROVENANCE_KEY, JSON.stringify({ ...provenance, units: [] }));
  return buildTable(columns, metadata);
}

/** Names of a series, or the metadata of its field. */
function withoutUnit(names: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...names].filter(([name]) => !name.startsWith('unit_')));
}
