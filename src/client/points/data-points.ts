import {
  availableAt,
  endAt,
  type PackedPoints,
  type PointSet,
  reportingAt,
  unitAt,
  valueAt,
} from '../../columns/packed-points.js';
import { dateAt } from '../../columns/series-dates.js';
import { type BlockSeries, unitOrNull } from '../../contract/series-blocks.js';
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
  const [reporting, available] = [reportingAt(run, i), availableAt(run, i)];
  return {
    start_date: formatTime(dateAt(run.start_date, i)),
    end_date: formatTime(endAt(run, i)),
    value: valueAt(run, i),
    unit_id: unitOrNull(unitAt(run, i)),
    reporting_date: reporting === null ? null : formatTime(reporting),
    metric_id,
    item_id,
    region_id,
    partner_region_id,
    frequency_id,
    source_id,
    ...(show_available_date === true
      ? { available_date: available === 0 ? null : formatTime(available) }
      : {}),
    ...(show_metadata === true ? { metadata: readMetadata(run.metadata?.[i] ?? null) } : {}),
    belongs_to: series.belongs_to ?? { metric_id, item_id, region_id, frequency_id, source_id },
  };
}

function readMetadata(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}
