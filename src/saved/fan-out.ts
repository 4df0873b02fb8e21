import pLimit from 'p-limit';
import type { ServiceClient } from '../client/client.js';
import type { PointColumns, PointFlags, PointSeries, PointSet } from '../model/point.js';
import type { LongOperation } from '../model/progress.js';
import { PartialDataError, type RetrievalReport, type SeriesReport } from '../model/report.js';
import type { SavedSeries } from './saved-series.js';

/** Series fetched at once. */
const CONCURRENT_FETCHES = 10;

export interface FanOutOptions extends PointFlags, LongOperation {
  /** False asks for one series at a time. */
  async_mode?: boolean | undefined;
  unit_id?: number | undefined;
  /** True keeps what arrived when a series fails; the report tells. */
  allow_partial?: boolean | undefined;
}

export interface FetchedSeries {
  /** One entry a saved series, in saved order. */
  readonly points: PointSet;
  readonly report: RetrievalReport;
}

/**
 * Fetches the points of every saved series concurrently and puts them together in saved order.
 * @throws PartialDataError when a series failed, with what did arrive; the signal's reason when aborted
 */
export async function fetchSavedSeries(
  client: Pick<ServiceClient, 'getPointSet'>,
  saved: readonly SavedSeries[],
  options: FanOutOptions = {},
): Promise<FetchedSeries> {
  const { async_mode = true, allow_partial = false, signal, onProgress, ...flags } = options;
  const limit = pLimit(async_mode ? CONCURRENT_FETCHES : 1);
  let done = 0;
  let rows = 0;
  const outcomes = await Promise.all(
    saved.map((series) =>
      limit(async () => {
        signal?.throwIfAborted();
        const outcome = await fetchOne(client, series, { ...flags, signal });
        signal?.throwIfAborted();
        done += 1;
        rows += outcome.report.rows;
        onProgress?.({ label: 'fetching series', done, total: saved.length, unit: 'series', rows });
        return outcome;
      }),
    ),
  );
  const fetched = { points: joinOutcomes(outcomes), report: outcomes.map((outcome) => outcome.report) };
  const failure = outcomes.find((outcome) => outcome.report.outcome === 'failed');
  if (failure !== undefined && !allow_partial) {
    throw new PartialDataError(fetched.report, fetched.points, failure.cause);
  }
  return fetched;
}

interface Outcome {
  readonly set: PointSet;
  readonly report: SeriesReport;
  readonly cause?: unknown;
}

async function fetchOne(
  client: Pick<ServiceClient, 'getPointSet'>,
  series: SavedSeries,
  flags: PointFlags & { unit_id?: number | undefined; signal: AbortSignal | undefined },
): Promise<Outcome> {
  const { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id } = series;
  const key = { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id };
  const { unit_id, ...rest } = { ...datesOf(series), ...flags };
  try {
    const set = await client.getPointSet({ ...key, ...rest, ...(unit_id === undefined ? {} : { unit_id }) });
    const rows = set.batches.reduce((sum, batch) => sum + batch.length, 0);
    return { set, report: { ...UNREMARKABLE, series: key, rows, outcome: rows > 0 ? 'data' : 'empty' } };
  } catch (cause) {
    flags.signal?.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    const report: SeriesReport = { ...UNREMARKABLE, series: key, rows: 0, outcome: 'failed', reason };
    return { set: { series: [], batches: [] }, report, cause };
  }
}

const UNREMARKABLE = { reason: null, truncated: false, from_cache: false } as const;

function datesOf({ start_date, end_date }: SavedSeries): PointFlags {
  return {
    ...(start_date === undefined ? {} : { start_date }),
    ...(end_date === undefined ? {} : { end_date }),
  };
}

/** One point set whose series are the saved ones, in their order; each outcome holds one series. */
function joinOutcomes(outcomes: readonly Outcome[]): PointSet {
  const series: PointSeries[] = [];
  const batches: PointColumns[] = [];
  outcomes.forEach(({ set, report }, position) => {
    series.push(set.series[0] ?? { ...report.series, unit_id: null });
    for (const columns of set.batches) batches.push(atPosition(columns, position));
  });
  return { series, batches };
}

function atPosition(columns: PointColumns, position: number): PointColumns {
  return { ...columns, series: new Uint32Array(columns.length).fill(position) };
}
