import pLimit from 'p-limit';
import type { SeriesRequest } from '../../client/points/batch-plan.js';
import {
  BatchRefused,
  type SeriesAnswer,
  type SeriesPointSource,
} from '../../client/points/series-points.js';
import type { PointFlags } from '../../model/point.js';
import { SERIES_KEY_FIELDS } from '../../model/series.js';
import type { SavedSeries } from '../saved-series.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { PointArena } from './point-arena.js';
import { arrivedResult, failedResult, type SeriesResult } from './series-result.js';

/** How saved series are fetched. */
interface FetcherOptions {
  readonly flags: PointFlags;
  /** Told of each series once, as it arrives or fails. */
  readonly onOutcome?: ((outcome: SeriesResult) => void) | undefined;
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** Fetches saved series, several in one request where the service takes such. */
export class SeriesFetcher {
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #outage = new CircuitBreaker();
  readonly #holder = new PointArena();

  readonly #source: SeriesPointSource;
  readonly #options: FetcherOptions;

  constructor(source: SeriesPointSource, options: FetcherOptions) {
    this.#source = source;
    this.#options = options;
    this.#limit = pLimit(source.concurrency);
  }

  /**
   * What became of each series, in their order. A batch that fails is asked for series by series, so that the report
   * names those that failed; what had arrived is not asked for again.
   * @throws the signal's reason alone: failures are outcomes
   */
  async fetch(saved: readonly SavedSeries[], signal: AbortSignal | undefined): Promise<SeriesResult[]> {
    const outcomes: (SeriesResult | undefined)[] = saved.map(() => undefined);
    if (saved.length > 1 && this.#source.takesBatches()) await this.#fetchBatch(saved, outcomes, signal);
    await Promise.all(
      saved.map((series, position) => {
        if (outcomes[position] !== undefined) return undefined;
        return this.#limit(async () => {
          outcomes[position] = await this.#fetchOne(series, signal);
          this.#options.onOutcome?.(outcomes[position]);
        });
      }),
    );
    return outcomes as SeriesResult[];
  }

  async #fetchBatch(
    saved: readonly SavedSeries[],
    outcomes: (SeriesResult | undefined)[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { onBytes, onOutcome } = this.#options;
    const requests = saved.map((series) => this.#requestOf(series));
    const arrived = (position: number, answer: SeriesAnswer): void => {
      this.#outage.succeeded();
      if (isUnknown(answer)) return;
      outcomes[position] = this.#arrived(saved[position]!, answer);
      onOutcome?.(outcomes[position]!);
    };
    try {
      this.#outage.check();
      await this.#source.fetchBatch(requests, arrived, { signal, ...(onBytes ? { onBytes } : {}) });
    } catch (cause) {
      signal?.throwIfAborted();
      if (!(cause instanceof BatchRefused)) this.#outage.failed(cause);
    }
  }

  async #fetchOne(series: SavedSeries, signal: AbortSignal | undefined): Promise<SeriesResult> {
    const { onBytes } = this.#options;
    signal?.throwIfAborted();
    try {
      this.#outage.check();
      const answer = await this.#source.fetchOne(this.#requestOf(series), {
        signal,
        ...(onBytes ? { onBytes } : {}),
      });
      this.#outage.succeeded();
      return this.#arrived(series, answer);
    } catch (cause) {
      signal?.throwIfAborted();
      this.#outage.failed(cause);
      return failedResult(series, cause);
    }
  }

  #arrived(series: SavedSeries, answer: SeriesAnswer): SeriesResult {
    return arrivedResult(series, { ...answer, batches: this.#holder.hold(answer.batches) });
  }

  /** Flags given for all stand before the series' own dates. */
  #requestOf(series: SavedSeries): SeriesRequest {
    const key = Object.fromEntries(SERIES_KEY_FIELDS.map((field) => [field, series[field]]));
    const { start_date, end_date } = series;
    return {
      ...(key as unknown as SeriesRequest),
      ...(start_date === undefined ? {} : { start_date }),
      ...(end_date === undefined ? {} : { end_date }),
      ...this.#options.flags,
    };
  }
}

/**
 * The service has no such series. Its ids may have moved, which a service may tell of requests for one series only: it is
 * asked for by itself before it is called empty.
 */
function isUnknown({ series, batches }: SeriesAnswer): boolean {
  return series.unit_id === null && batches.every(({ length }) => length === 0);
}
