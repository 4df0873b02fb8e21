import { SERIES_KEY_FIELDS } from '../../model/series.js';
import type { CommonPoints, StoredSeries } from '../plan.js';

/** The integer columns of `series`, in the order in which `storedSeries` takes them. */
export const SERIES_IDS = [...SERIES_KEY_FIELDS, 'handle', 'unit_id', 'point_count'] as const;

/** Its columns that become floats, NaN in place of null; dates as UTC milliseconds. */
export const SERIES_NUMBERS = [
  'start_date',
  'end_date',
  'period_days',
  'available_date',
  'has_times',
  'has_one_unit',
  'has_reporting_dates',
  'has_metadata',
] as const;

interface SeriesRow {
  readonly row: number;
  /** The content of which the columns are true; null where that is not known. */
  readonly of: object | null;
}

/** A series from the columns of `SERIES_IDS` and `SERIES_NUMBERS`. */
export function storedSeries(
  ids: readonly Int32Array[],
  numbers: readonly Float64Array[],
  { row, of }: SeriesRow,
): StoredSeries {
  const [metric, item, region, partner, frequency, source, handle, unit, count] = ids;
  return {
    handle: handle![row]!,
    metric_id: metric![row]!,
    item_id: item![row]!,
    region_id: region![row]!,
    partner_region_id: partner![row]!,
    source_id: source![row]!,
    frequency_id: frequency![row]!,
    unit_id: unit![row]!,
    startMs: numbers[0]![row]!,
    endMs: numbers[1]![row]!,
    pointCount: count![row]!,
    common: of === null ? undefined : commonPoints(numbers, row, of),
  };
}

function commonPoints(numbers: readonly Float64Array[], row: number, snapshot: object): CommonPoints {
  const [, , days, available, times, oneUnit, reporting, metadata] = numbers;
  return {
    snapshot,
    hasTimes: times![row] !== 0,
    periodDays: numberOrNull(days![row]!),
    hasOneUnit: oneUnit![row] === 1,
    hasReportingDates: reporting![row] !== 0,
    hasMetadata: metadata![row] !== 0,
    availableMs: numberOrNull(available![row]!),
  };
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
