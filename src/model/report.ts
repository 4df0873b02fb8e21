import { CropframeError } from './errors.js';
import type { SeriesKey } from './series.js';

/** The outcome of a retrieval for one series; `empty` (no data) differs from `failed`. */
export interface SeriesReport {
  /** The series. */
  series: SeriesKey;
  /** Number of rows that arrived. */
  rows: number;
  /** `data` when rows arrived, `empty` when the series has none. */
  outcome: 'data' | 'empty' | 'failed';
  /** Why the retrieval failed; null otherwise. */
  reason: string | null;
  /** True when the service had more rows than it sent. */
  truncated: boolean;
  /** True when a cache answered. */
  from_cache: boolean;
  /** Points left out of a wide frame because another point of the series ends on the same date. */
  dropped_duplicates?: number | undefined;
}

/** One entry for each requested series. */
export type RetrievalReport = readonly SeriesReport[];

/**
 * Some series of a fan-out failed. `report` has an entry for every requested series; `partial` is what did arrive: a
 * point set or a frame.
 */
export class PartialDataError extends CropframeError {
  /** The series that failed, with their reasons. */
  readonly failed: readonly SeriesReport[];
  /** One entry for each series that was requested. */
  readonly report: RetrievalReport;
  /** The point set or frame of the series that arrived. */
  readonly partial: unknown;

  constructor(report: RetrievalReport, partial: unknown, cause?: unknown) {
    const failed = report.filter((entry) => entry.outcome === 'failed');
    const first = failed[0];
    super(
      'partial_data',
      `${failed.length} of ${report.length} series failed; the first: ${first ? describeFailure(first) : 'unknown'}`,
      cause === undefined ? undefined : { cause },
    );
    this.failed = failed;
    this.report = report;
    this.partial = partial;
  }
}

function describeFailure({ series, reason }: SeriesReport): string {
  const key = `metric ${series.metric_id}, item ${series.item_id}, region ${series.region_id}, source ${series.source_id}`;
  return `${key}: ${reason ?? 'no reason given'}`;
}
