import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { NO_UNIT_ID } from '../../columns/point-columns.js';
import { PeriodList } from '../../compute/period-list.js';
import { type Frame, frameOf } from '../../frame/frame.js';
import { deriveFrame } from '../../frame/series/derive.js';
import { floatColumn, unitIdColumn } from '../../frame/series/map-series.js';
import { buildTable } from '../../frame/table/build-table.js';
import { readColumn } from '../../frame/table/columns.js';
import { NAME_COLUMNS, seriesMetadata } from '../../frame/table/names.js';
import { frameSeries, readUnitIds } from '../../frame/table/series-view.js';
import { DERIVATIONS } from '../../model/derivations.js';
import { UnitError } from '../../model/errors.js';
import type { WeightedAverage } from './weighted-average.js';

/**
 * Sums the values of a long frame across its regions: one row a period, ascending by end. The sum of a crop-weighted
 * series is its weighted average. Nulls count as 0; a period with only nulls is null.
 * @throws UnitError when the frame mixes units; ArgumentError when it is not a long frame
 */
export function sumAcrossRegions(table: Table): Frame {
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
  const list = new PeriodList((start, end) => ({ start, end, sum: Number.NaN }));
  values.forEach((value, row) => {
    const period = list.find(Number(start.values[row]!), Number(end.values[row]!));
    if (!isValid(valid, row) || Number.isNaN(value)) return;
    period.sum = Number.isNaN(period.sum) ? value : period.sum + value;
  });
  const periods = list.sorted();
  const metadata = metadataOfRegions(frameSeries(table).map(seriesMetadata));
  const dates = (side: 'start' | 'end') => BigInt64Array.from(periods, (period) => BigInt(period[side]));
  const value = Float64Array.from(periods, ({ sum }) => sum);
  const sums = { start_date: dates('start'), end_date: dates('end'), value };
  const unit_id = units[0] ?? NO_UNIT_ID;
  const sum = averageFrame(sums, { unit_id, metadata, ofFrame: table.schema.metadata });
  return frameOf(deriveFrame(sum, { step: 'summed across regions', derivation: DERIVATIONS.sumOfRegions() }));
}

/**
 * A weighted average, or a sum, as a frame of one series: start_date, end_date, value (null where the regions that have
 * one have too little weight), weight_present (the total weight of the regions with a value), unit_id.
 * @param context the unit, and the metadata of the series (see `metadataOfRegions`) and of the frame
 */
export function averageFrame(
  {
    start_date,
    end_date,
    value,
    weight_present,
  }: Omit<WeightedAverage, 'weight_present'> & Partial<WeightedAverage>,
  { unit_id, metadata, ofFrame }: { unit_id: number; metadata: Metadata; ofFrame: Metadata },
): Table {
  const present =
    weight_present === undefined
      ? []
      : [
          {
            name: 'weight_present',
            column: { type: 'float64', values: weight_present, valid: null },
          } as const,
        ];
  return buildTable(
    [
      { name: 'start_date', column: { type: 'timestamp', values: start_date, valid: null } },
      { name: 'end_date', column: { type: 'timestamp', values: end_date, valid: null } },
      { name: 'value', column: floatColumn(value), metadata },
      ...present,
      { name: 'unit_id', column: unitIdColumn(new Int32Array(value.length).fill(unit_id)) },
    ],
    new Map(ofFrame),
  );
}

type Metadata = ReadonlyMap<string, string>;

const MAX_NAMES = 3;

/**
 * The field metadata of an average over regions: the ids and names common to the series of all regions. Where they
 * differ, as in the region, the id is 0 and the name lists the names.
 * @param series the metadata of each series, as in the fields of a wide frame
 */
export function metadataOfRegions(series: readonly Metadata[]): Map<string, string> {
  const metadata = new Map<string, string>();
  for (const { column, id, names } of NAME_COLUMNS) {
    metadata.set(id, commonValue(series, id) ?? '0');
    metadata.set(column, commonValue(series, column) ?? listNames(valuesOf(series, column), names));
  }
  for (const key of ['unit_id', 'unit_name', 'unit_abbreviation']) {
    const value = commonValue(series, key);
    if (value !== undefined) metadata.set(key, value);
  }
  return metadata;
}

function listNames(names: readonly string[], kind: string): string {
  return names.length > MAX_NAMES ? `${names.length} ${kind}` : names.join(', ');
}

function commonValue(series: readonly Metadata[], key: string): string | undefined {
  const values = valuesOf(series, key);
  return values.length === 1 ? values[0] : undefined;
}

function valuesOf(series: readonly Metadata[], key: string): string[] {
  return [...new Set(series.flatMap((one) => one.get(key) ?? []))];
}
