import type { Table } from 'apache-arrow';
import { NO_UNIT_ID, unitRows } from '../../columns/point-columns.js';
import { distinctDates } from '../../columns/series-dates.js';
import { SERIES_KEY_FIELDS } from '../../model/series.js';
import { buildTable, type TableColumn } from '../table/build-table.js';
import { type FrameColumn, joinArrays } from '../table/columns.js';
import { columnNames, LONG_COLUMN_TYPES, NAME_COLUMNS, seriesMetadata } from '../table/names.js';
import { columnOf, encodeDictionary } from '../table/parse-column.js';
import { frameShape, type SeriesView } from '../table/series-view.js';
import { floatColumn } from './map-series.js';
import type { SeriesPoints } from './series-points.js';

type Metadata = ReadonlyMap<string, string>;

/** Builds a frame from series. It has the same shape as `like` and, if long, the same columns. */
export function buildFrameLike(like: Table, series: readonly SeriesPoints[], metadata: Metadata): Table {
  return frameShape(like) === 'long'
    ? buildLong(longColumns(like), series, metadata)
    : buildWide(series, metadata);
}

export const LONG_COLUMNS: readonly string[] = [
  ...['start_date', 'end_date', 'value', 'unit_id', 'reporting_date'],
  ...SERIES_KEY_FIELDS,
  ...NAME_COLUMNS.map(({ column }) => column),
  'unit_name',
];

export function longColumns(table: Table): readonly string[] {
  return frameShape(table) === 'long' ? table.schema.fields.map(({ name }) => name) : LONG_COLUMNS;
}

export function buildLong(
  names: readonly string[],
  series: readonly SeriesPoints[],
  metadata: Metadata,
): Table {
  // No service knows the names of derived metrics, so the frame must contain them.
  const isDerived = series.some(({ view }) => view.names.has('metric_name'));
  const all = names.includes('metric_name') || !isDerived ? names : [...names, 'metric_name'];
  const columns = all.flatMap((name): TableColumn[] => {
    const column = longColumn(name, series);
    const weights = name === 'value' ? weightColumn(series) : [];
    return column === null ? weights : [{ name, column }, ...weights];
  });
  return buildTable(columns, metadata);
}

function longColumn(name: string, series: readonly SeriesPoints[]): FrameColumn | null {
  switch (name) {
    case 'start_date':
      return dateColumn(joinNumbers(series, ({ start }) => start));
    case 'end_date':
      return dateColumn(joinNumbers(series, ({ end }) => end));
    case 'value':
      return floatColumn(joinNumbers(series, ({ value }) => value));
    case 'available_date':
      return dateColumn(joinNumbers(series, ({ available, end }) => available ?? end.map(() => Number.NaN)));
    case 'reporting_date':
      return dateColumn(joinNumbers(series, ({ end }) => end.map(() => Number.NaN)));
    case 'unit_id': {
      const values = joinIds(series, ({ unit_id }) => unit_id ?? NO_UNIT_ID);
      return { type: 'int32', values, valid: unitRows(values, values.length) };
    }
    case 'metadata': {
      const remarks = series.flatMap(({ remarks, end }) => remarks ?? Array.from(end, () => null));
      return columnOf('utf8', remarks, (remark) => remark);
    }
  }
  const id = SERIES_KEY_FIELDS.find((field) => field === name);
  if (id !== undefined) return { type: 'int32', values: joinIds(series, ({ key }) => key[id]), valid: null };
  if (LONG_COLUMN_TYPES.get(name) !== 'dictionary') return null;
  return encodeDictionary(series.flatMap(({ view, end }) => Array.from(end, () => nameOf(view, name))));
}

function weightColumn(series: readonly SeriesPoints[]): TableColumn[] {
  if (series.every(({ weight_present }) => weight_present === undefined)) return [];
  const unknown = (points: SeriesPoints) => new Float64Array(points.end.length).fill(Number.NaN);
  const column = floatColumn(joinNumbers(series, (points) => points.weight_present ?? unknown(points)));
  return [{ name: 'weight_present', column }];
}

function joinNumbers(
  series: readonly SeriesPoints[],
  numbersOf: (points: SeriesPoints) => Float64Array,
): Float64Array {
  return joinArrays(series.map(numbersOf), Float64Array);
}

function joinIds(series: readonly SeriesPoints[], idOf: (view: SeriesView) => number): Int32Array {
  const values = new Int32Array(series.reduce((sum, { end }) => sum + end.length, 0));
  let at = 0;
  for (const { view, end } of series) {
    values.fill(idOf(view), at, at + end.length);
    at += end.length;
  }
  return values;
}

/** Returns a series' name for a column. A missing metric becomes `metric 12`, a missing unit null, and any other ''. */
function nameOf({ key, unit_id, names }: SeriesView, column: string): string | null {
  const none = column === 'metric_name' ? `metric ${key.metric_id}` : '';
  return names.get(column) ?? (column === 'unit_name' && unit_id === null ? null : none);
}

export function buildWide(series: readonly SeriesPoints[], metadata: Metadata): Table {
  return buildWideOnDates(series, distinctDates(series.flatMap(({ end }) => [...end])), metadata);
}

export function buildWideOnDates(
  series: readonly SeriesPoints[],
  dates: Float64Array,
  metadata: Metadata,
): Table {
  const names = columnNames(series.map(({ view }) => view));
  const columns = series.map((points, at): TableColumn => {
    const column = floatColumn(valuesOn(points, dates));
    return { name: names[at]!, column, metadata: seriesMetadata(points.view) };
  });
  return buildTable([{ name: 'end_date', column: dateColumn(dates) }, ...columns], metadata);
}

/** Returns a series' values on the given ascending dates, with NaN for dates without a value. */
export function valuesOn(points: SeriesPoints | undefined, dates: Float64Array): Float64Array {
  const values = new Float64Array(dates.length).fill(Number.NaN);
  let row = 0;
  points?.end.forEach((date, i) => {
    while (dates[row]! < date) row++;
    if (dates[row] === date) values[row] = points.value[i]!;
  });
  return values;
}

export function dateColumn(dates: Float64Array): FrameColumn {
  const { valid } = floatColumn(dates);
  return { type: 'timestamp', values: BigInt64Array.from(dates, (date) => BigInt(date || 0)), valid };
}
