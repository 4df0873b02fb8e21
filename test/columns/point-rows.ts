import type { PointColumns } from '../../src/columns/point-columns.js';
import { columnsOf, rowsOf, type SeriesRow } from './rows.js';

/** The given rows, in the given order. */
export function takeRows<Columns extends PointColumns>(columns: Columns, rows: Uint32Array): Columns {
  const all = rowsAsked(columns);
  return columnsOf(Array.from(rows, (row) => all[row]!)) as Columns;
}

/**
 * The rows of all parts, one part after another. An optional column that one of the parts lacks is `NO_AVAILABLE_DATE` or
 * null in its rows.
 */
export function joinColumns(parts: readonly PointColumns[]): PointColumns {
  return columnsOf(parts.flatMap(rowsAsked));
}

/** The rows of columns, with remarks only where they have the column. */
function rowsAsked(columns: PointColumns): SeriesRow[] {
  const rows = rowsOf(columns);
  return columns.metadata === undefined ? rows.map((row) => ({ ...row, metadata: undefined })) : rows;
}
