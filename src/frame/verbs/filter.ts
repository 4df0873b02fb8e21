import type { Table, TypeMap } from 'apache-arrow';
import { checkDate, checkFinite, checkFlag, checkFunction } from '../../model/arguments/checks.js';
import { checkRequiredOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { parseTime } from '../../model/time.js';
import { floatColumn } from '../series/map-series.js';
import { readSeries } from '../series/series-points.js';
import { runsWhere, takeRuns } from '../series/take-runs.js';
import { buildTable, type TableColumn, tableColumns } from '../table/build-table.js';
import { numberAt } from '../table/columns.js';
import { derivedMetadata } from '../table/provenance.js';
import { frameSeries, seriesShape } from '../table/series-view.js';

/** The period of a point, both dates inclusive, in UTC. */
export interface PointPeriod {
  /** The first date. */
  start_date: Date;
  /** The last date. */
  end_date: Date;
}

/** What to keep; a point must fit all that is given. */
export interface FilterOptions {
  /** The first date: a point is kept when its period ends on it or later. */
  start_date?: string | undefined;
  /** The last date: a point is kept when its period starts on it or earlier. */
  end_date?: string | undefined;
  /** The lowest value, in the unit of each series. */
  min_value?: number | undefined;
  /** The highest value, in the unit of each series. */
  max_value?: number | undefined;
  /** Which values to keep; null values are not asked. */
  where?: ((value: number, point: PointPeriod) => boolean) | undefined;
  /** Whether null values are kept; they are by default, unless values are filtered. */
  keep_null?: boolean | undefined;
}

const FILTER_KEYS: OptionKeys<FilterOptions> = {
  start_date: checkDate,
  end_date: checkDate,
  min_value: checkFinite,
  max_value: checkFinite,
  where: checkFunction,
  keep_null: checkFlag,
};

/**
 * The points of a frame that fit. A long frame loses rows; in a wide frame the other values become null, and dates are left
 * out on which no series has a point that fits. Units, sources and report are kept.
 * @throws ArgumentError when the table is not a frame of series, or an option cannot be read
 */
export function filter<T extends TypeMap>(table: Table<T>, options: FilterOptions): Table<T> {
  checkRequiredOptions(options, FILTER_KEYS, 'filter');
  const fits = pointTest(options);
  const shown = { ...options, ...(options.where && { where: String(options.where) }) };
  const metadata = derivedMetadata(table, `filter(${JSON.stringify(shown)})`);
  return seriesShape(table) === 'long'
    ? filterLong(table, fits, metadata)
    : (filterWide(table, fits, metadata) as Table<T>);
}

/** Whether a point fits; times in UTC milliseconds, the value NaN where it is null. */
type PointTest = (start: number, end: number, value: number) => boolean;

function pointTest(options: FilterOptions): PointTest {
  const { start_date, end_date, min_value = -Infinity, max_value = Infinity, where } = options;
  const isOfValues = options.min_value !== undefined || options.max_value !== undefined || where;
  const { keep_null = !isOfValues } = options;
  const from = start_date === undefined ? -Infinity : parseTime(start_date, 'start_date');
  const to = end_date === undefined ? Infinity : parseTime(end_date, 'end_date');
  return (start, end, value) => {
    if (end < from || start > to) return false;
    if (Number.isNaN(value)) return keep_null;
    if (value < min_value || value > max_value) return false;
    return where?.(value, { start_date: new Date(start), end_date: new Date(end) }) ?? true;
  };
}

function filterLong<T extends TypeMap>(
  table: Table<T>,
  fits: PointTest,
  metadata: Map<string, string>,
): Table<T> {
  const columns = tableColumns(table);
  const columnOf = (wanted: string) => columns.find(({ name }) => name === wanted)!.column;
  const [starts, ends, value] = [columnOf('start_date'), columnOf('end_date'), columnOf('value')];
  const runs = runsWhere(table.numRows, (row) =>
    fits(Number(starts.values[row]), Number(ends.values[row]), numberAt(value, row)),
  );
  return buildTable(
    columns.map((each) => ({ ...each, column: takeRuns(each.column, runs) })),
    metadata,
  );
}

function filterWide(table: Table, fits: PointTest, metadata: Map<string, string>): Table {
  const kept = new Uint8Array(table.numRows);
  const values = new Map<string, Float64Array>();
  for (const { view, rows, start, end, value } of readSeries(table)) {
    const filtered = new Float64Array(table.numRows).fill(Number.NaN);
    rows.forEach((row, i) => {
      if (!fits(start[i]!, end[i]!, value[i]!)) return;
      kept[row] = 1;
      filtered[row] = value[i]!;
    });
    values.set(view.column, filtered);
  }
  if (frameSeries(table).length === 0) kept.fill(1);
  const runs = runsWhere(table.numRows, (row) => kept[row] === 1);
  const columns = tableColumns(table).map((each): TableColumn => {
    const filtered = values.get(each.name);
    return { ...each, column: takeRuns(filtered ? floatColumn(filtered) : each.column, runs) };
  });
  return buildTable(columns, metadata);
}
