import { prefetch } from '../../client/discovery/prefetch.js';
import type { PointSet } from '../../columns/packed-points.js';
import type { RetrievalReport } from '../../model/report.js';
import type { SavedSeries } from '../saved-series.js';
import { convertResults } from './convert-results.js';
import { batchesOf, type FanOutOptions, type FetchingClient } from './fan-out.js';
import { createFetcher } from './series-fetcher.js';
import { joinResults, requireAll, requireWhole } from './series-result.js';

/** Series in one point set; a few sets are in memory at once. */
const SERIES_IN_A_SET = 20;

/** A fetch whose points are consumed as they arrive. */
export interface StreamedFetch {
  /**
   * The points in saved order, several series in each set, which lists its own series.
   * @throws PartialDataError when some series failed, unless `allow_partial`; UnitError; ContractError when the service answers a
   * series by parts; the signal's reason
   */
  sets(): AsyncGenerator<PointSet, void, undefined>;
  /** The report of the series fetched so far. */
  report(): RetrievalReport;
  /** The number of rows fetched so far. */
  rows(): number;
}

/** Fetches saved series in order, at most a few sets ahead of the consumer. */
export function fetchInOrder(
  client: FetchingClient,
  saved: readonly SavedSeries[],
  options: Omit<FanOutOptions, 'async_mode'>,
): StreamedFetch {
  const { allow_partial = false, unit_id, signal, onProgress, ...flags } = options;
  const report: RetrievalReport[number][] = [];

  async function* sets(): AsyncGenerator<PointSet, void, undefined> {
    const fetcher = createFetcher(client.seriesPoints, { flags, total: saved.length, onProgress });
    const batches = batchesOf(saved.length, { concurrency: saved.length, max: SERIES_IN_A_SET });
    const fetch = ({ from, to }: (typeof batches)[number], signal: AbortSignal) =>
      fetcher.fetch(saved.slice(from, to), signal);
    for await (const results of prefetch(batches, fetch, signal)) {
      requireWhole(results);
      report.push(...results.map((result) => result.report));
      if (!allow_partial) requireAll(results, report);
      if (typeof unit_id === 'number') await convertResults(client, results, { unit_id, report, signal });
      yield joinResults(results);
    }
  }

  return { sets, report: () => report, rows: () => report.reduce((sum, { rows }) => sum + rows, 0) };
}
