import type { SeriesAnswer } from '../../client/points/series-points.js';
import type { PointSeries, PointSet } from '../../columns/point-columns.js';
import { atPosition } from '../../columns/point-rows.js';
import type { RetrievalReport, SeriesReport } from '../../model/report.js';
import { type SeriesKey, seriesKeyOf, seriesKeyText } from '../../model/series.js';

/** What became of one saved series. */
export interface SeriesResult {
  readonly report: SeriesReport;
  /** Its points; null when it failed. */
  readonly answer: SeriesAnswer | null;
  /** Why it failed. */
  readonly cause?: unknown;
}

/** The outcome of a series that arrived, with or without points. */
export function arrivedResult(series: SeriesKey, answer: SeriesAnswer): SeriesResult {
  const rows = answer.batches.reduce((sum, { length }) => sum + length, 0);
  return {
    answer,
    report: {
      series: seriesKeyOf(series),
      rows,
      outcome: rows > 0 ? 'data' : 'empty',
      reason: null,
      truncated: false,
      from_cache: answer.origin.fromCache,
    },
  };
}

/** The outcome of a series that failed. */
export function failedResult(series: SeriesKey, cause: unknown): SeriesResult {
  return {
    answer: null,
    cause,
    report: {
      series: seriesKeyOf(series),
      rows: 0,
      outcome: 'failed',
      reason: cause instanceof Error ? cause.message : String(cause),
      truncated: false,
      from_cache: false,
    },
  };
}

/** The causes of the failures, one a failed series. */
export function causesOf(results: readonly SeriesResult[]): unknown[] {
  return results.flatMap(({ answer, cause }) => (answer === null ? [cause] : []));
}

/** One point set whose series are the saved ones, in their order. */
export function joinResults(outcomes: readonly SeriesResult[]): PointSet {
  const batches = outcomes.flatMap(({ answer }, position) =>
    (answer?.batches ?? []).map((columns) => atPosition(columns, position)),
  );
  return { series: outcomes.map(seriesOf), batches };
}

/**
 * The same points in parts, one a series (all its entries, where one is saved repeatedly), by its first entry. Empties
 * the list: what has been taken is held by the taker alone.
 */
export function* takeParts(outcomes: SeriesResult[]): Generator<PointSet, void, undefined> {
  const entries = new Map<string, SeriesResult[]>();
  for (const outcome of outcomes.splice(0)) {
    const key = seriesKeyText(outcome.report.series);
    const known = entries.get(key);
    if (known === undefined) entries.set(key, [outcome]);
    else known.push(outcome);
  }
  for (const [key, ofSeries] of entries) {
    entries.delete(key);
    yield joinResults(ofSeries);
  }
}

/** The series of an outcome as its answer tells it, else as it was asked for. */
export function seriesOf({ answer, report }: SeriesResult): PointSeries {
  return answer?.series ?? { ...report.series, unit_id: null };
}

/** The report of series whose points arrived, and cannot be used for a reason that concerns all of them. */
export function unusable(report: RetrievalReport, what: string, cause: unknown): RetrievalReport {
  const reason = `${what}: ${cause instanceof Error ? cause.message : String(cause)}`;
  return report.map((entry) =>
    entry.outcome === 'failed' ? entry : { ...entry, outcome: 'failed', reason },
  );
}
