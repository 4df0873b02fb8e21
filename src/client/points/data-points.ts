import { isValid } from '../../columns/bitmap.js';
import type { PointColumns, PointSet } from '../../columns/point-columns.js';
import { availableText, type BlockSeries, unitOrNull } from '../../contract/series-blocks.js';
import type { DataPoint } from '../../model/point.js';
import { formatTime } from '../../model/time.js';

/** The points of a set as objects with the specification's fields. */
export function toDataPoints({ series, batches }: PointSet): DataPoint[] {
  return batches.flatMap((columns) =>
    Array.from({ length: columns.length }, (_, i) => dataPoint(columns, i, series[columns.series[i]!]!)),
  );
}

function dataPoint(columns: PointColumns, i: number, series: BlockSeries): DataPoint {
  const { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id } = series;
  const { available_date, metadata } = columns;
  return {
    start_date: formatTime(Number(columns.start_date[i])),
    end_date: formatTime(Number(columns.end_date[i])),
    value: isValid(columns.valueValid, i) ? columns.value[i]! : null,
    unit_id: unitOrNull(columns.unit_id[i]!),
    reporting_date: isValid(columns.reportingValid, i) ? formatTime(Number(columns.reporting_date[i])) : null,
    metric_id,
    item_id,
    region_id,
    partner_region_id,
    frequency_id,
    source_id,
    ...(available_date ? { available_date: availableText(available_date[i]) } : {}),
    ...(metadata ? { metadata: readMetadata(metadata[i] ?? null) } : {}),
    belongs_to: series.belongs_to ?? { metric_id, item_id, region_id, frequency_id, source_id },
  };
}

function readMetadata(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}
