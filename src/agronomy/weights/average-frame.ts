import type { Table } from 'apache-arrow';
import { unitRows } from '../../columns/point-columns.js';
import { floatColumn } from '../../frame/series/map-series.js';
import { buildTable } from '../../frame/table/build-table.js';
import { PROVENANCE_KEY } from '../../frame/table/provenance.js';
import type { Provenance } from '../../model/provenance.js';
import type { WeightedAverage } from './weighted-average.js';

/** The unit, field metadata and provenance of an average's frame. */
interface AverageContext {
  readonly unit_id: number;
  /** Describes the series of the average; see `metadataOfRegions`. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly provenance: Provenance;
}

/**
 * A weighted average as a frame of one series: start_date, end_date, value (null where no region of positive weight has
 * one), weight_present (the total weight of the regions with a value), unit_id.
 */
export function averageFrame(
  average: WeightedAverage,
  { unit_id, metadata, provenance }: AverageContext,
): Table {
  const { start_date, end_date, value, weight_present } = average;
  const units = new Int32Array(value.length).fill(unit_id);
  return buildTable(
    [
      { name: 'start_date', column: { type: 'timestamp', values: start_date, valid: null } },
      { name: 'end_date', column: { type: 'timestamp', values: end_date, valid: null } },
      { name: 'value', column: floatColumn(value), metadata },
      { name: 'weight_present', column: { type: 'float64', values: weight_present, valid: null } },
      { name: 'unit_id', column: { type: 'int32', values: units, valid: unitRows(units, units.length) } },
    ],
    new Map([[PROVENANCE_KEY, JSON.stringify(provenance)]]),
  );
}
