import { type PackedPoints, rowAt } from '../columns/packed-points.js';
import { NO_UNIT_ID, type PointSeries } from '../columns/point-columns.js';
import { camelCaseKeyOf, SERIES_KEY_FIELDS } from '../model/series.js';
import { formatTime } from '../model/time.js';
import type { SeriesBlock } from './shapes.js';

/** The description of a series at the start of a block of points. */
export interface BlockSeries extends PointSeries {
  /** The index of the selection in the request that includes this series; absent for the first selection. */
  selection?: number | undefined;
  includes_historical_region?: boolean | undefined;
  includes_historical_partner_region?: boolean | undefined;
}

/** Checks that a value is a list of series. @throws RangeError if it is not */
export function checkSeriesList(list: unknown): BlockSeries[] {
  const isSeries = (series: Partial<BlockSeries> | null) =>
    series !== null &&
    SERIES_KEY_FIELDS.every((id) => Number.isSafeInteger(series[id])) &&
    (series.unit_id === null || Number.isSafeInteger(series.unit_id));
  if (Array.isArray(list) && list.every(isSeries)) return list as BlockSeries[];
  throw new RangeError('it has no list of series');
}

type PositionalPoint = [string, string, number | null, string | null, number | null, unknown, string | null];

/** Builds the description of a series for a series block in JSON. The names of id fields are in camelCase. */
export function blockHead(series: BlockSeries): SeriesBlock['series'] {
  const ids = camelCaseKeyOf(series);
  return {
    ...ids,
    unitId: unitOrNull(series.unit_id),
    belongsTo: ids,
    metadata: {
      includesHistoricalRegion: series.includes_historical_region ?? false,
      includesHistoricalPartnerRegion: series.includes_historical_partner_region ?? false,
    },
  };
}

/** Encodes point `i` of a run as an array of values without field names, which is the JSON form of a point. */
export function positionalPoint(run: PackedPoints, i: number): PositionalPoint {
  const { startMs, endMs, value, unitId, reportingMs, availableMs, metadata = null } = rowAt(run, i);
  return [
    formatTime(startMs),
    formatTime(endMs),
    value,
    reportingMs === null ? null : formatTime(reportingMs),
    unitOrNull(unitId),
    metadata === null ? null : JSON.parse(metadata),
    availableText(availableMs),
  ];
}

/** Converts `NO_UNIT_ID` to null, which means "no unit" in JSON and in objects. */
export function unitOrNull(unit_id: number | null): number | null {
  return unit_id === NO_UNIT_ID ? null : unit_id;
}

/** Formats a point's available date. Returns null if the date was not requested or the point fills a gap. */
export function availableText(availableMs: number | undefined): string | null {
  return availableMs === undefined || availableMs === 0 ? null : formatTime(availableMs);
}
