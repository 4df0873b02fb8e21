import pLimit from 'p-limit';
import type { ServiceClient } from '../client/client.js';
import { FetchProgress } from '../client/fetch-progress.js';
import { atPosition } from '../client/series-runs.js';
import { UnitError } from '../model/errors.js';
import type { PointColumns, PointFlags, PointSeries, PointSet } from '../model/point.js';
import type { LongOperation } from '../model/progress.js';
import { PartialDataError, type RetrievalReport } from '../model/report.js';
import { type Outcome, unusable } from './outcome.js';
import { parcelsOf } from './parcels.js';
import type { SavedSeries } from './saved-series.js';
import { SeriesFetcher } from './series-fetcher.js';

/** What is fetched of saved series, and how. */
export interface FanOutOptions extends PointFlags, LongOperation {
  /** False asks for one series at a time. */
  async_mode?: boolean | undefined;
  unit_id?: number | undefined;
  /** True keeps what arrived when a series fails; the report tells. */
  allow_partial?: boolean | undefined;
}

/** The points of saved series. */
export interface FetchedSeries {
  /** One entry a saved series, in saved order. */
  readonly points: PointSet;
  readonly report: RetrievalReport;
  /** ISO 8601 UTC: no point that became available before this is missing. */
  readonly retrieved_at: string;
}

/** What fetching saved series asks of a client. */
export type FetchingClient = Pick<ServiceClient, 'seriesPoints' | 'toUnit'>;

/**
 * Fetches the points of every saved series concurrently and puts them together in saved order.
 * @throws PartialDataError when a series failed, with what did arrive; UnitError; the signal's reason when aborted
 */
export async function fetchSavedSeries(
  client: FetchingClient,
  saved: readonly SavedSeries[],
  options: FanOutOptions = {},
): Promise<FetchedSeries> {
  const { async_mode = true, allow_partial = false, unit_id, signal, onProgress, ...flags } = options;
  signal?.throwIfAborted();
  const startedAt = new Date().toISOString();
  const outcomes = await fetchAll(client, saved, { async_mode, flags, signal, onProgress });
  const fetched = joinOutcomes(outcomes);
  const report = outcomes.map((outcome) => outcome.report);
  const points =
    unit_id === undefined ? fetched : await convertedPoints(client, fetched, { unit_id, report, signal });
  const failure = outcomes.find((outcome) => outcome.answer === null);
  if (failure !== undefined && !allow_partial) throw new PartialDataError(report, points, failure.cause);
  return { points, report, retrieved_at: earliest(outcomes, startedAt) };
}

/** The points in one unit. @throws UnitError; PartialDataError, with the points in their own units, when the units cannot be looked up */
export async function convertedPoints(
  client: FetchingClient,
  points: PointSet,
  { unit_id, report, signal }: { unit_id: number; report: RetrievalReport; signal: AbortSignal | undefined },
): Promise<PointSet> {
  try {
    return await client.toUnit(points, unit_id, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof UnitError) throw cause;
    throw new PartialDataError(unusable(report, 'it cannot be converted', cause), points, cause);
  }
}

async function fetchAll(
  client: FetchingClient,
  saved: readonly SavedSeries[],
  { async_mode, flags, signal, onProgress }: LongOperation & { async_mode: boolean; flags: PointFlags },
): Promise<Outcome[]> {
  const progress = new FetchProgress('fetching series', { total: saved.length, unit: 'series', onProgress });
  const fetcher = new SeriesFetcher(client.seriesPoints, {
    flags,
    onOutcome: ({ report }) => progress.arrived(report.rows),
    onBytes: (bytes) => progress.received(bytes),
  });
  const { concurrency } = client.seriesPoints;
  const limit = pLimit(async_mode ? concurrency : 1);
  const parcels = parcelsOf(saved.length, async_mode ? { concurrency } : { concurrency: 1, most: 1 });
  const fetched = await Promise.all(
    parcels.map(({ from, to }) => limit(() => fetcher.fetch(saved.slice(from, to), signal))),
  );
  signal?.throwIfAborted();
  return fetched.flat();
}

/** One point set whose series are the saved ones, in their order. */
export function joinOutcomes(outcomes: readonly Outcome[]): PointSet {
  const series: PointSeries[] = [];
  const batches: PointColumns[] = [];
  outcomes.forEach(({ answer, report }, position) => {
    series.push(answer?.series ?? { ...report.series, unit_id: null });
    for (const columns of answer?.batches ?? []) batches.push(atPosition(columns, position));
  });
  return { series, batches };
}

/** When the oldest of the answers was given: those of a cache that was not asked anew are older than the start. */
function earliest(outcomes: readonly Outcome[], startedAt: string): string {
  return outcomes.reduce((first, { answer }) => {
    const { fromCache = false, answeredAt = first } = answer?.origin ?? {};
    return fromCache && answeredAt < first ? answeredAt : first;
  }, startedAt);
}
