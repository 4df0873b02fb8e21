import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { NO_UNIT_ID, unitRows } from '../../columns/point-columns.js';
import { seriesMetadata } from '../../frame/series/build-frame.js';
import { floatColumn } from '../../frame/series/map-series.js';
import { buildTable } from '../../frame/table/build-table.js';
import { readColumn } from '../../frame/table/columns.js';
import { derivedMetadata } from '../../frame/table/provenance.js';
import { frameSeries, readUnitIds } from '../../frame/table/series-view.js';
import { UnitError } from '../../model/errors.js';
import { indexPeriods } from './period-index.js';
import { metadataOfRegions } from './regions-metadata.js';

/**
 * Sums the values of a long frame across its regions: one row a period, ascending by end. The sum of a crop-weighted
 * series is its weighted average. Nulls count as 0; a period with only nulls is null.
 * @throws UnitError when the frame mixes units; ArgumentError when it is not a long frame
 */
export function sumAcrossRegions(table: Table): Table {
  const start = readColumn(table, 'start_date', 'timestamp');
  const end = readColumn(table, 'end_date', 'timestamp');
  const { values, valid } = readColumn(table, 'value', 'float64');
  const units = readUnitIds(table);
  const mixed = units.find((unit) => unit !== units[0]);
  if (mixed !== undefined) {
    throw new UnitError(
      mixed,
      `values in unit_id ${units[0]} and ${mixed} cannot be summed; fetch them in one unit`,
    );
  }
  const { period, start_date, end_date } = indexPeriods(start.values, end.values);
  const sums = new Float64Array(end_date.length).fill(Number.NaN);
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (!isValid(valid, row) || Number.isNaN(value)) continue;
    const at = period[row]!;
    sums[at] = Number.isNaN(sums[at]) ? value : sums[at]! + value;
  }
  const metadata = metadataOfRegions(frameSeries(table).map(seriesMetadata));
  const unit_id = new Int32Array(sums.length).fill(units[0] ?? NO_UNIT_ID);
  return buildTable(
    [
      { name: 'start_date', column: { type: 'timestamp', values: start_date, valid: null } },
      { name: 'end_date', column: { type: 'timestamp', values: end_date, valid: null } },
      { name: 'value', column: floatColumn(sums), metadata },
      {
        name: 'unit_id',
        column: { type: 'int32', values: unit_id, valid: unitRows(unit_id, unit_id.length) },
      },
    ],
    derivedMetadata(table, 'summed across regions'),
  );
}
