import pLimit from 'p-limit';
import type { SeriesRequest } from '../../client/points/batch-plan.js';
import { FetchProgress } from '../../client/points/fetch-progress.js';
import {
  BatchRefused,
  type SeriesAnswer,
  type SeriesPointSource,
} from '../../client/points/series-points.js';
import { AuthenticationError, HttpError, NetworkError, TimeoutError } from '../../model/errors.js';
import type { PointFlags } from '../../model/point.js';
import type { Cancellable, LongOperation } from '../../model/progress.js';
import { seriesKeyOf } from '../../model/series.js';
import { parseTime } from '../../model/time.js';
import type { SavedSeries } from '../saved-series.js';
import { arrivedResults, failedResult, type SeriesResult } from './series-result.js';

/** How saved series are fetched. */
interface FetcherOptions {
  readonly flags: PointFlags;
  /** Called once for each series, as it arrives or fails, with its results. */
  readonly onResults?: ((results: readonly SeriesResult[]) => void) | undefined;
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** Consecutive failures after which the service counts as unavailable. */
const MAX_CONSECUTIVE_FAILURES = 10;

/** Stops a fan-out over a thousand series from retrying each of them when the service is unavailable. */
class CircuitBreaker {
  #consecutiveFailures = 0;
  #lastFailure: unknown = null;

  recordSuccess(): void {
    this.#consecutiveFailures = 0;
  }

  recordFailure(cause: unknown): void {
    if (failsEverySeries(cause)) this.#consecutiveFailures = MAX_CONSECUTIVE_FAILURES;
    else if (isOutage(cause)) this.#consecutiveFailures++;
    else return;
    this.#lastFailure = cause;
  }

  /** @throws the last failure, once there were too many of them */
  check(): void {
    if (this.#consecutiveFailures >= MAX_CONSECUTIVE_FAILURES) throw this.#lastFailure;
  }
}

/** A token that is refused or lacks a right is so for every series. */
function failsEverySeries(cause: unknown): boolean {
  return cause instanceof AuthenticationError || (cause instanceof HttpError && cause.status === 402);
}

function isOutage(cause: unknown): boolean {
  if (cause instanceof HttpError) return cause.status >= 500;
  return cause instanceof NetworkError || cause instanceof TimeoutError;
}

/** Fetches saved series, several in one request where the service accepts batches. */
class SeriesFetcher {
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #breaker = new CircuitBreaker();
  readonly #source: SeriesPointSource;
  readonly #options: FetcherOptions;

  constructor(source: SeriesPointSource, options: FetcherOptions) {
    this.#source = source;
    this.#options = options;
    this.#limit = pLimit(source.concurrency);
  }

  /**
   * The results of the series, in their order: one for each, or one for each part by which the service answers it. The
   * series of a failed batch that did not arrive are requested in smaller ones or one by one, so that the report names those that failed. A
   * series whose own dates are all outside those of the fetch is empty, and not requested.
   * @throws only the signal's reason: failures are results
   */
  async fetch(saved: readonly SavedSeries[], signal: AbortSignal | undefined): Promise<SeriesResult[]> {
    const results = saved.map((series) => this.#outside(series));
    const wanted = saved.flatMap((_, position) => (results[position] === undefined ? [position] : []));
    await this.#fetchBatches(saved, { wanted, results, signal });
    await Promise.all(
      saved.map((series, position) => {
        if (results[position] !== undefined) return undefined;
        return this.#limit(async () => {
          const ofSeries = await this.#fetchOne(series, signal);
          results[position] = ofSeries;
          this.#options.onResults?.(ofSeries);
        });
      }),
    );
    return results.flatMap((ofSeries) => ofSeries!);
  }

  /** The result of a series whose own dates are all before or after those of the fetch; undefined for any other. */
  #outside(series: SavedSeries): SeriesResult[] | undefined {
    const { start_date, end_date } = this.#options.flags;
    const isOutside =
      (start_date !== undefined && end_date === undefined && isAfter(start_date, series.end_date)) ||
      (end_date !== undefined && start_date === undefined && isAfter(series.start_date, end_date));
    if (!isOutside) return undefined;
    const nothing = { series: { ...seriesKeyOf(series), unit_id: null }, runs: [] };
    const origin = { fromCache: false, answeredAt: new Date().toISOString() };
    const results = arrivedResults(series, [{ ...nothing, origin }]);
    this.#options.onResults?.(results);
    return results;
  }

  /** Fetches the wanted series in one request. A refused request is halved until the series at fault is found. */
  async #fetchBatches(saved: readonly SavedSeries[], batch: Batch): Promise<void> {
    if (batch.wanted.length < MIN_BATCH || !this.#source.takesBatches()) return;
    const unknown = new Set<number>();
    if ((await this.#fetchBatch(saved, batch, unknown)) !== 'refused') return;
    const left = batch.wanted.filter((at) => batch.results[at] === undefined && !unknown.has(at));
    const half = Math.ceil(left.length / 2);
    for (const wanted of [left.slice(0, half), left.slice(half)])
      await this.#fetchBatches(saved, { ...batch, wanted });
  }

  async #fetchBatch(
    saved: readonly SavedSeries[],
    { wanted, results, signal }: Batch,
    unknown: Set<number>,
  ): Promise<'refused' | 'ended'> {
    const { onBytes, onResults } = this.#options;
    const requests = wanted.map((position) => this.#requestOf(saved[position]!));
    const onArrival = (at: number, answer: SeriesAnswer): void => {
      this.#breaker.recordSuccess();
      const position = wanted[at]!;
      if (isUnknown(answer)) {
        unknown.add(position);
        return;
      }
      results[position] = arrivedResults(saved[position]!, [answer]);
      onResults?.(results[position]!);
    };
    try {
      this.#breaker.check();
      await this.#source.fetchBatch(requests, onArrival, { signal, onBytes });
    } catch (cause) {
      signal?.throwIfAborted();
      if (!(cause instanceof BatchRefused)) this.#breaker.recordFailure(cause);
      if (cause instanceof HttpError && REFUSALS.has(cause.status)) return 'refused';
    }
    return 'ended';
  }

  async #fetchOne(series: SavedSeries, signal: AbortSignal | undefined): Promise<SeriesResult[]> {
    const { onBytes } = this.#options;
    signal?.throwIfAborted();
    try {
      this.#breaker.check();
      const answers = await this.#source.fetchOne(this.#requestOf(series), { signal, onBytes });
      this.#breaker.recordSuccess();
      return arrivedResults(series, answers);
    } catch (cause) {
      signal?.throwIfAborted();
      this.#breaker.recordFailure(cause);
      return [failedResult(series, cause)];
    }
  }

  /** The dates of the whole fetch override the series' own. */
  #requestOf(series: SavedSeries): SeriesRequest {
    const { flags } = this.#options;
    return {
      ...seriesKeyOf(series),
      ...flags,
      start_date: flags.start_date ?? series.start_date,
      end_date: flags.end_date ?? series.end_date,
    };
  }
}

/** A single series is requested by itself. */
const MIN_BATCH = 2;

/** Statuses by which a service may refuse all series of a request for one of them, or for their number. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

/** Series to be fetched in one request. */
interface Batch extends Cancellable {
  /** Their positions. */
  readonly wanted: readonly number[];
  /** By position; undefined until it arrives. */
  readonly results: (SeriesResult[] | undefined)[];
}

/** Whether one date is after another; not where either is absent or cannot be read, which the request says. */
function isAfter(date: string | undefined, other: string | undefined): boolean {
  if (date === undefined || other === undefined) return false;
  try {
    return parseTime(date, 'start_date') > parseTime(other, 'end_date');
  } catch {
    return false;
  }
}

/**
 * Whether the service does not know the series. Its ids may be redirected, which a service may report only for a request
 * of one series, so it is requested alone before it counts as empty.
 */
function isUnknown({ series, runs }: SeriesAnswer): boolean {
  return series.unit_id === null && runs.every(({ length }) => length === 0);
}

/** A fetcher that reports the progress of fetching `total` series. */
export function createFetcher(
  source: SeriesPointSource,
  { flags, total, onProgress }: LongOperation & { flags: PointFlags; total: number },
): SeriesFetcher {
  const progress = new FetchProgress('fetching series', { total, unit: 'series', onProgress });
  return new SeriesFetcher(source, {
    flags,
    onResults: (results) => progress.arrived(results.reduce((sum, { report }) => sum + report.rows, 0)),
    onBytes: (bytes) => progress.received(bytes),
  });
}
