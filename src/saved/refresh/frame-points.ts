import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { type PackedPoints, packColumns } from '../../columns/packed-points.js';
import { NO_AVAILABLE_DATE, type PointColumns } from '../../columns/point-columns.js';
import { readColumn } from '../../frame/table/columns.js';
import { readUnitIds } from '../../frame/table/series-view.js';
import { SERIES_KEY_FIELDS, type SeriesKey, seriesKeyText } from '../../model/series.js';

/**
 * The points of a long frame. Their `series` is the first position of the row's key in the list; `unknownSeries` is the
 * number of runs of rows whose series is not in the list.
 */
export function readPoints(
  table: Table,
  series: readonly SeriesKey[],
): { runs: PackedPoints[]; unknownSeries: number } {
  const positions = firstPositions(series);
  const ids = SERIES_KEY_FIELDS.map((field) => readColumn(table, field, 'int32').values);
  const numbers = new Uint32Array(table.numRows);
  let unknownSeries = 0;
  let from = -1;
  for (let row = 0; row < numbers.length; row++) {
    if (from >= 0 && ids.every((column) => column[row] === column[from])) {
      numbers[row] = numbers[from]!;
      continue;
    }
    from = row;
    const key = Object.fromEntries(SERIES_KEY_FIELDS.map((field, at) => [field, ids[at]![row]!]));
    const position = positions.get(seriesKeyText(key as unknown as SeriesKey));
    if (position === undefined) unknownSeries++;
    numbers[row] = position ?? 0;
  }
  return { runs: packColumns({ ...valueColumns(table), series: numbers }), unknownSeries };
}

function firstPositions(series: readonly SeriesKey[]): Map<string, number> {
  const positions = new Map<string, number>();
  for (const [position, key] of series.entries()) {
    const text = seriesKeyText(key);
    if (!positions.has(text)) positions.set(text, position);
  }
  return positions;
}

function valueColumns(table: Table): Omit<PointColumns, 'series'> {
  const dates = (name: string) => readColumn(table, name, 'timestamp').values;
  const has = (name: string) => table.schema.fields.some((field) => field.name === name);
  const { values: value, valid: value_valid } = readColumn(table, 'value', 'float64');
  return {
    length: table.numRows,
    start_date: dates('start_date'),
    end_date: dates('end_date'),
    value,
    value_valid,
    unit_id: readUnitIds(table),
    reporting_date: dates('reporting_date'),
    reporting_valid: readColumn(table, 'reporting_date').valid,
    available_date: has('available_date') ? availableDates(table) : undefined,
    metadata: has('metadata') ? readColumn(table, 'metadata', 'utf8').values : undefined,
  };
}

/** A null row may hold any date, for instance after a file was read. */
function availableDates(table: Table): BigInt64Array {
  const { values, valid } = readColumn(table, 'available_date', 'timestamp');
  return valid === null
    ? values
    : values.map((date, row) => (isValid(valid, row) ? date : NO_AVAILABLE_DATE));
}
