import pLimit from 'p-limit';
import type { ServiceClient } from '../../client/client.js';
import { FetchProgress } from '../../client/points/fetch-progress.js';
import type { PointSet } from '../../columns/point-columns.js';
import type { PointFlags } from '../../model/point.js';
import type { LongOperation } from '../../model/progress.js';
import { partialFailure, type RetrievalReport } from '../../model/report.js';
import type { SavedSeries } from '../saved-series.js';
import { batchesOf } from './batches.js';
import { convertResults } from './convert-results.js';
import { SeriesFetcher } from './series-fetcher.js';
import { causesOf, joinResults, type SeriesResult } from './series-result.js';

/** What is fetched of saved series, and how. */
export interface FanOutOptions extends PointFlags, LongOperation {
  /** False asks for one series at a time. */
  async_mode?: boolean | undefined;
  unit_id?: number | undefined;
  /** True keeps what arrived when a series fails; the report tells. */
  allow_partial?: boolean | undefined;
}

/** What became of saved series, and when. */
interface FetchedResults {
  /** One entry a saved series, in saved order. */
  readonly outcomes: SeriesResult[];
  readonly report: RetrievalReport;
  /** ISO 8601 UTC: no point that became available before this is missing. */
  readonly retrieved_at: string;
}

/** The points of saved series. */
interface FetchedSeries extends Omit<FetchedResults, 'outcomes'> {
  /** One entry a saved series, in saved order. */
  readonly points: PointSet;
}

/** What fetching saved series asks of a client. */
export type FetchingClient = Pick<ServiceClient, 'seriesPoints' | 'toUnit'>;

/**
 * Fetches the points of every saved series concurrently and puts them together in saved order.
 * @throws PartialDataError, with what did arrive, when some series failed; the cause itself when one failed them all;
 * UnitError; the signal's reason when aborted
 */
export async function fetchSavedSeries(
  client: FetchingClient,
  saved: readonly SavedSeries[],
  options: FanOutOptions = {},
): Promise<FetchedSeries> {
  const { outcomes, ...fetched } = await fetchResults(client, saved, options);
  return { points: joinResults(outcomes), ...fetched };
}

/** The same series by series. @throws what `fetchSavedSeries` throws */
export async function fetchResults(
  client: FetchingClient,
  saved: readonly SavedSeries[],
  options: FanOutOptions,
): Promise<FetchedResults> {
  const { async_mode = true, allow_partial = false, unit_id, signal, onProgress, ...flags } = options;
  signal?.throwIfAborted();
  const startedAt = new Date().toISOString();
  const outcomes = await fetchAll(client, saved, { async_mode, flags, signal, onProgress });
  const report = outcomes.map((outcome) => outcome.report);
  if (unit_id !== undefined) await convertResults(client, outcomes, { unit_id, report, signal });
  const causes = causesOf(outcomes);
  if (causes.length > 0 && !allow_partial)
    throw partialFailure(report, { causes, partial: () => joinResults(outcomes) });
  return { outcomes, report, retrieved_at: earliest(outcomes, startedAt) };
}

async function fetchAll(
  client: FetchingClient,
  saved: readonly SavedSeries[],
  { async_mode, flags, signal, onProgress }: LongOperation & { async_mode: boolean; flags: PointFlags },
): Promise<SeriesResult[]> {
  const progress = new FetchProgress('fetching series', { total: saved.length, unit: 'series', onProgress });
  const fetcher = new SeriesFetcher(client.seriesPoints, {
    flags,
    onOutcome: ({ report }) => progress.arrived(report.rows),
    onBytes: (bytes) => progress.received(bytes),
  });
  const { concurrency } = client.seriesPoints;
  const limit = pLimit(async_mode ? concurrency : 1);
  const parcels = batchesOf(saved.length, async_mode ? { concurrency } : { concurrency: 1, max: 1 });
  const fetched = await Promise.all(
    parcels.map(({ from, to }) => limit(() => fetcher.fetch(saved.slice(from, to), signal))),
  );
  signal?.throwIfAborted();
  return fetched.flat();
}

/** When the oldest of the answers was given: those of a cache that was not asked anew are older than the start. */
function earliest(outcomes: readonly SeriesResult[], startedAt: string): string {
  return outcomes.reduce((first, { answer }) => {
    const { fromCache = false, answeredAt = first } = answer?.origin ?? {};
    return fromCache && answeredAt < first ? answeredAt : first;
  }, startedAt);
}
