import type { Table } from 'apache-arrow';
import { rowsWhere } from '../../columns/row-runs.js';
import { checkRequiredOptions, type OptionsOf } from '../../model/schema/check.js';
import { DATE } from '../../model/schema/schemas.js';
import { parsePeriod } from '../../model/time.js';
import { floatColumn } from '../series/map-series.js';
import { readSeries } from '../series/series-points.js';
import { deriveTable, type TableColumn, tableColumns, takeColumns, takeTable } from '../table/build-table.js';
import { numberAt, readColumn } from '../table/columns.js';
import { viewRows } from '../table/row-reader.js';
import { frameSeries, seriesShape } from '../table/series-view.js';

const FILTER = {
  /** The first date to keep. A point is kept if its period ends on this date or later. */
  start_date: DATE,
  /** The last date to keep. A point is kept if its period starts on this date or earlier. */
  end_date: DATE,
};

/** The period of the points to keep in a frame of series. */
export interface FilterOptions extends OptionsOf<typeof FILTER> {}

export function filterRows(table: Table, where: (row: never) => boolean): Table {
  const { row, moveTo } = viewRows(table, { argument: 'where' });
  const isKept = (at: number) => {
    moveTo(at);
    return where(row as never);
  };
  return takeTable(table, rowsWhere(table.numRows, isKept), 'filter', where);
}

export function filterPoints(table: Table, options: FilterOptions): Table {
  checkRequiredOptions(options, FILTER, 'filter');
  if (Object.keys(options).length === 0) return table;
  const { startMs, endMs } = parsePeriod(options);
  const fits = (start: number, end: number) =>
    (startMs === null || end >= startMs) && (endMs === null || start <= endMs);
  if (seriesShape(table) === 'wide') return filterWide(table, fits, options);
  const [starts, ends] = [readColumn(table, 'start_date'), readColumn(table, 'end_date')];
  const isKept = (row: number) => fits(numberAt(starts, row), numberAt(ends, row));
  return takeTable(table, rowsWhere(table.numRows, isKept), 'filter', options);
}

/** Checks whether to keep a point, given the first and last date of its period in UTC milliseconds. */
type PeriodTest = (start: number, end: number) => boolean;

function filterWide(table: Table, fits: PeriodTest, options: FilterOptions): Table {
  const kept = new Uint8Array(table.numRows);
  const values = new Map<string, Float64Array>();
  for (const { view, rows, start, end, value } of readSeries(table)) {
    const filtered = new Float64Array(table.numRows).fill(Number.NaN);
    rows.forEach((row, i) => {
      if (!fits(start[i]!, end[i]!)) return;
      kept[row] = 1;
      filtered[row] = value[i]!;
    });
    values.set(view.column, filtered);
  }
  if (frameSeries(table).length === 0) kept.fill(1);
  const columns = tableColumns(table).map((each): TableColumn => {
    const filtered = values.get(each.name);
    return filtered ? { ...each, column: floatColumn(filtered) } : each;
  });
  const rows = rowsWhere(table.numRows, (row) => kept[row] === 1);
  return deriveTable(table, takeColumns(columns, rows), 'filter', options);
}
