import { type PackedPoints, type PointSet, rowAt } from '../../columns/packed-points.js';
import { availableText, type BlockSeries, unitOrNull } from '../../contract/series-blocks.js';
import type { DataPoint, PointFlags } from '../../model/point.js';
import { formatTime } from '../../model/time.js';

/** The fields that every point has on request. */
type Extras = Pick<PointFlags, 'show_available_date' | 'show_metadata'>;

/** The points of a set as objects with the specification's fields. */
export function toDataPoints({ series, runs }: PointSet, extras: Extras): DataPoint[] {
  return runs.flatMap((run) =>
    Array.from({ length: run.length }, (_, i) =>
      dataPoint(run, i, { ...extras, series: series[run.series]! }),
    ),
  );
}

function dataPoint(
  run: PackedPoints,
  i: number,
  { series, show_available_date, show_metadata }: Extras & { series: BlockSeries },
): DataPoint {
  const { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id } = series;
  const { startMs, endMs, value, unitId, reportingMs, availableMs, metadata = null } = rowAt(run, i);
  return {
    start_date: formatTime(startMs),
    end_date: formatTime(endMs),
    value,
    unit_id: unitOrNull(unitId),
    reporting_date: reportingMs === null ? null : formatTime(reportingMs),
    metric_id,
    item_id,
    region_id,
    partner_region_id,
    frequency_id,
    source_id,
    ...(show_available_date === true ? { available_date: availableText(availableMs) } : {}),
    ...(show_metadata === true ? { metadata: readMetadata(metadata) } : {}),
    belongs_to: series.belongs_to ?? { metric_id, item_id, region_id, frequency_id, source_id },
  };
}

function readMetadata(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}
