import { prefetch } from '../../client/discovery/prefetch.js';
import { FetchProgress } from '../../client/points/fetch-progress.js';
import type { PointSet } from '../../columns/point-columns.js';
import { partialFailure, type RetrievalReport } from '../../model/report.js';
import type { SavedSeries } from '../saved-series.js';
import { batchesOf } from './batches.js';
import { convertResults } from './convert-results.js';
import type { FanOutOptions, FetchingClient } from './fan-out.js';
import { SeriesFetcher } from './series-fetcher.js';
import { causesOf, joinResults } from './series-result.js';

/** Series of one point set: what is held at once is a few such sets. */
const SERIES_IN_A_SET = 20;

/** A fetch whose points are taken as they come. */
export interface StreamedFetch {
  /**
   * The points in saved order, some series a set; each set lists the series of its own.
   * @throws PartialDataError when a series failed, unless `allow_partial`; UnitError; the signal's reason
   */
  sets(): AsyncGenerator<PointSet, void, undefined>;
  /** What became of the series so far. */
  report(): RetrievalReport;
  rows(): number;
}

/** Fetches saved series in order, some sets ahead of the consumer and no more. */
export function fetchInOrder(
  client: FetchingClient,
  saved: readonly SavedSeries[],
  options: Omit<FanOutOptions, 'async_mode'>,
): StreamedFetch {
  const { allow_partial = false, unit_id, signal, onProgress, ...flags } = options;
  const report: RetrievalReport[number][] = [];
  const progress = new FetchProgress('fetching series', { total: saved.length, unit: 'series', onProgress });

  async function* sets(): AsyncGenerator<PointSet, void, undefined> {
    const fetcher = new SeriesFetcher(client.seriesPoints, {
      flags,
      onOutcome: (outcome) => progress.arrived(outcome.report.rows),
      onBytes: (bytes) => progress.received(bytes),
    });
    const parcels = batchesOf(saved.length, { concurrency: saved.length, max: SERIES_IN_A_SET });
    const fetch = ({ from, to }: (typeof parcels)[number], signal: AbortSignal) =>
      fetcher.fetch(saved.slice(from, to), signal);
    for await (const outcomes of prefetch(parcels, fetch, signal)) {
      report.push(...outcomes.map((outcome) => outcome.report));
      const causes = causesOf(outcomes);
      if (causes.length > 0 && !allow_partial)
        throw partialFailure(report, { causes, partial: () => joinResults(outcomes) });
      if (unit_id !== undefined) await convertResults(client, outcomes, { unit_id, report, signal });
      yield joinResults(outcomes);
    }
  }

  return { sets, report: () => report, rows: () => report.reduce((sum, { rows }) => sum + rows, 0) };
}
