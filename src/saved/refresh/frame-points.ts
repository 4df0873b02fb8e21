import type { Table } from 'apache-arrow';
import type { PointColumns } from '../../columns/point-columns.js';
import { readColumn } from '../../frame/table/columns.js';
import { SERIES_KEY_FIELDS, type SeriesKey, seriesKeyText } from '../../model/series.js';

/**
 * The rows of a long frame as points again: `series` counts into the given list, by its first entry of the row's key.
 * `unknownSeries` counts rows of series that are not listed.
 */
export function framePoints(
  table: Table,
  series: readonly SeriesKey[],
): { columns: PointColumns; unknownSeries: number } {
  const positions = firstPositions(series);
  const ids = SERIES_KEY_FIELDS.map((field) => readColumn(table, field, 'int32').values);
  const numbers = new Uint32Array(table.numRows);
  let strangers = 0;
  let from = -1;
  for (let row = 0; row < numbers.length; row++) {
    if (from >= 0 && ids.every((column) => column[row] === column[from])) {
      numbers[row] = numbers[from]!;
      continue;
    }
    from = row;
    const key = Object.fromEntries(SERIES_KEY_FIELDS.map((field, at) => [field, ids[at]![row]!]));
    const position = positions.get(seriesKeyText(key as unknown as SeriesKey));
    if (position === undefined) strangers++;
    numbers[row] = position ?? 0;
  }
  return { columns: { ...figures(table), series: numbers }, unknownSeries: strangers };
}

function firstPositions(series: readonly SeriesKey[]): Map<string, number> {
  const positions = new Map<string, number>();
  for (const [position, key] of series.entries()) {
    const text = seriesKeyText(key);
    if (!positions.has(text)) positions.set(text, position);
  }
  return positions;
}

function figures(table: Table): Omit<PointColumns, 'series'> {
  const times = (name: string) => readColumn(table, name, 'timestamp').values;
  const has = (name: string) => table.schema.fields.some((field) => field.name === name);
  const { values: value, valid: valueValid } = readColumn(table, 'value', 'float64');
  return {
    length: table.numRows,
    start_date: times('start_date'),
    end_date: times('end_date'),
    value,
    valueValid,
    unit_id: readColumn(table, 'unit_id', 'int32').values,
    reporting_date: times('reporting_date'),
    reportingValid: readColumn(table, 'reporting_date').valid,
    available_date: has('available_date') ? times('available_date') : undefined,
    metadata: has('metadata') ? readColumn(table, 'metadata', 'utf8').values : undefined,
  };
}
