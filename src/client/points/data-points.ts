import { isValid } from '../../columns/bitmap.js';
import { type PackedSet, unpackSet } from '../../columns/packed-set.js';
import type { PointColumns } from '../../columns/point-columns.js';
import { availableText, type BlockSeries, unitOrNull } from '../../contract/series-blocks.js';
import type { DataPoint, PointFlags } from '../../model/point.js';
import { formatTime } from '../../model/time.js';

/** The fields that every point has on request. */
type Extras = Pick<PointFlags, 'show_available_date' | 'show_metadata'>;

/** The points of a set as objects with the specification's fields. */
export function toDataPoints(points: PackedSet, extras: Extras): DataPoint[] {
  const { series, batches } = unpackSet(points);
  return batches.flatMap((columns) =>
    Array.from({ length: columns.length }, (_, i) =>
      dataPoint(columns, i, { ...extras, series: series[columns.series[i]!]! }),
    ),
  );
}

function dataPoint(
  columns: PointColumns,
  i: number,
  { series, show_available_date, show_metadata }: Extras & { series: BlockSeries },
): DataPoint {
  const { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id } = series;
  const { available_date, metadata } = columns;
  return {
    start_date: formatTime(Number(columns.start_date[i])),
    end_date: formatTime(Number(columns.end_date[i])),
    value: isValid(columns.value_valid, i) ? columns.value[i]! : null,
    unit_id: unitOrNull(columns.unit_id[i]!),
    reporting_date: isValid(columns.reporting_valid, i)
      ? formatTime(Number(columns.reporting_date[i]))
      : null,
    metric_id,
    item_id,
    region_id,
    partner_region_id,
    frequency_id,
    source_id,
    ...(show_available_date === true ? { available_date: availableText(available_date?.[i]) } : {}),
    ...(show_metadata === true ? { metadata: readMetadata(metadata?.[i] ?? null) } : {}),
    belongs_to: series.belongs_to ?? { metric_id, item_id, region_id, frequency_id, source_id },
  };
}

function readMetadata(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}
