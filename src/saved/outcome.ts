import type { SeriesAnswer } from '../client/series-points.js';
import type { RetrievalReport, SeriesReport } from '../model/report.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../model/series.js';

/** What became of one saved series. */
export interface Outcome {
  readonly report: SeriesReport;
  /** Its points; null when it failed. */
  readonly answer: SeriesAnswer | null;
  /** Why it failed. */
  readonly cause?: unknown;
}

/** The outcome of a series that arrived, with or without points. */
export function arrivedOutcome(series: SeriesKey, answer: SeriesAnswer): Outcome {
  const rows = answer.batches.reduce((sum, { length }) => sum + length, 0);
  return {
    answer,
    report: {
      series: keyAlone(series),
      rows,
      outcome: rows > 0 ? 'data' : 'empty',
      reason: null,
      truncated: false,
      from_cache: answer.origin.fromCache,
    },
  };
}

/** The outcome of a series that failed. */
export function failedOutcome(series: SeriesKey, cause: unknown): Outcome {
  return {
    answer: null,
    cause,
    report: {
      series: keyAlone(series),
      rows: 0,
      outcome: 'failed',
      reason: cause instanceof Error ? cause.message : String(cause),
      truncated: false,
      from_cache: false,
    },
  };
}

/** The report of series whose points arrived, and cannot be used for a reason that concerns all of them. */
export function unusable(report: RetrievalReport, what: string, cause: unknown): RetrievalReport {
  const reason = `${what}: ${cause instanceof Error ? cause.message : String(cause)}`;
  return report.map((entry) =>
    entry.outcome === 'failed' ? entry : { ...entry, outcome: 'failed', reason },
  );
}

function keyAlone(series: SeriesKey): SeriesKey {
  return Object.fromEntries(SERIES_KEY_FIELDS.map((field) => [field, series[field]])) as unknown as SeriesKey;
}
