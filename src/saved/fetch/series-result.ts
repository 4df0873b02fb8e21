import type { SeriesAnswer } from '../../client/points/series-points.js';
import { atPosition, countRows, type PointSet } from '../../columns/packed-points.js';
import type { PointSeries } from '../../columns/point-columns.js';
import { badAnswer } from '../../model/errors.js';
import { groupedBy } from '../../model/grouping.js';
import {
  arrivedReport,
  failedReport,
  partialFailure,
  type RetrievalReport,
  type SeriesReport,
} from '../../model/report.js';
import { seriesKeyOf, seriesKeyText } from '../../model/series.js';
import type { SavedSeries } from '../saved-series.js';

/** The result of fetching one saved series. */
export interface SeriesResult {
  readonly report: SeriesReport;
  /** The points; null when the series failed. */
  readonly answer: SeriesAnswer | null;
  /** The error, when the series failed. */
  readonly cause?: unknown;
}

/** The results of a series that arrived: one, or one for each part by which the service answered it. */
export function arrivedResults(series: SavedSeries, answers: readonly SeriesAnswer[]): SeriesResult[] {
  if (answers.length === 1) return [arrivedResult(series, answers[0]!)];
  return answers.map((answer) => {
    const { report, ...result } = arrivedResult({ ...answer.series, matched: series.matched }, answer);
    return { ...result, report: { ...report, belongs_to: seriesKeyOf(series) } };
  });
}

/** @throws ContractError when a series was answered by parts, and the caller needs the series itself */
export function requireWhole(results: readonly SeriesResult[]): void {
  const found = results.find(({ report }) => report.belongs_to !== undefined)?.report.belongs_to;
  if (found === undefined) return;
  const { metric_id, item_id, region_id } = found;
  throw badAnswer(
    'points',
    `the service answers the series of metric ${metric_id}, item ${item_id} and region ${region_id} in several parts; request the parts, or use getDf`,
  );
}

/** The result of a series that arrived, with or without points. */
function arrivedResult(series: SavedSeries, answer: SeriesAnswer): SeriesResult {
  const rows = countRows(answer.runs);
  return {
    answer,
    report: arrivedReport(series, rows, {
      from_cache: answer.origin.fromCache,
      unreadable_values: answer.series.unreadable_values,
      matched: series.matched,
    }),
  };
}

/** The result of a series that failed. */
export function failedResult(series: SavedSeries, cause: unknown): SeriesResult {
  return { answer: null, cause, report: failedReport(series, cause, { matched: series.matched }) };
}

/** @throws PartialDataError when some series failed, or the cause when one failed them all; see `partialFailure` */
export function requireAll(results: readonly SeriesResult[], report: RetrievalReport): void {
  const causes = results.flatMap(({ answer, cause }) => (answer === null ? [cause] : []));
  if (causes.length > 0) throw partialFailure(report, { causes, partial: () => joinResults(results) });
}

/** One point set with the saved series in their order. */
export function joinResults(results: readonly SeriesResult[]): PointSet {
  const runs = results.flatMap(({ answer }, position) =>
    (answer?.runs ?? []).map((run) => atPosition(run, position)),
  );
  return { series: results.map(seriesOf), runs };
}

/**
 * Yields the points of one series at a time, all entries of a series that is saved repeatedly together, in the order of
 * first entries. Empties the list, so that only the consumer holds the yielded points.
 */
export function* drainSeries(results: SeriesResult[]): Generator<PointSet, void, undefined> {
  const entries = groupedBy(results.splice(0), ({ report }) => seriesKeyText(report.series));
  for (const [key, ofSeries] of entries) {
    entries.delete(key);
    yield joinResults(ofSeries);
  }
}

/** The series of a result, as it was answered or else as it was requested. */
export function seriesOf({ answer, report }: SeriesResult): PointSeries {
  return answer?.series ?? { ...report.series, unit_id: null };
}

/** The report with every series failed: their points arrived, but cannot be used for a common reason. */
export function failEverySeries(report: RetrievalReport, what: string, cause: unknown): RetrievalReport {
  const reason = `${what}: ${cause instanceof Error ? cause.message : String(cause)}`;
  return report.map((entry) =>
    entry.outcome === 'failed' ? entry : { ...entry, outcome: 'failed', reason },
  );
}
