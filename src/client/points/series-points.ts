import pLimit from 'p-limit';
import { atPosition, type PackedPoints } from '../../columns/packed-points.js';
import type { PointSeries } from '../../columns/point-columns.js';
import type { DecodedPoints } from '../../contract/points/read-runs.js';
import { RUNS } from '../../contract/wire-names.js';
import { isTransient } from '../../http/retries.js';
import { badAnswer, HttpError, NetworkError, TimeoutError } from '../../model/errors.js';
import { chunksOf } from '../../model/grouping.js';
import { seriesKeyOf, seriesKeyText } from '../../model/series.js';
import type { AnswerOrigin, ByteWatch, Transport } from '../http/transport.js';
import { toFlagQuery, toQuery } from '../query.js';
import { type BatchSelection, type NumberedRequest, planBatch, type SeriesRequest } from './batch-plan.js';
import { FormatNegotiation, openPointAnswer, openRuns } from './point-answer.js';

/** The points of one series, and the origin of the response that contained them. */
export interface SeriesAnswer extends SeriesPoints {
  readonly origin: AnswerOrigin;
}

/** Callbacks for when a series arrives or fails. `position` is the position of the series' request in the retrieval. */
interface Receiver extends ByteWatch {
  onArrival(position: number, answer: SeriesAnswer): void;
  onFailure(position: number, cause: unknown): void;
}

interface Retrieval {
  /**
   * Fetches series, many per request if the service supports this. If an import changes the store meanwhile, series from
   * its earlier version are fetched once more, and `onArrival` is called again. Rejects only with the signal's reason.
   */
  fetch(requests: readonly SeriesRequest[], receiver: Receiver): Promise<void>;
}

export interface SeriesPointSource {
  /** Starts a retrieval, which ends early if the service becomes unavailable. */
  begin(options?: { one_by_one?: boolean }): Retrieval;
}

export function seriesPointSource(transport: Transport): SeriesPointSource {
  const formats = new FormatNegotiation();
  return { begin: ({ one_by_one = false } = {}) => createRetrieval(transport, formats, one_by_one) };
}

const MAX_CONSECUTIVE_FAILURES = 10;

/** Creates a circuit breaker, so that an unavailable service is not asked for every remaining series. */
function circuitBreaker() {
  let failures = 0;
  let last: unknown = null;
  return {
    recordSuccess(): void {
      failures = 0;
    },
    recordFailure(cause: unknown): void {
      const status = cause instanceof HttpError ? cause.status : 0;
      const isOfNetwork = cause instanceof NetworkError || cause instanceof TimeoutError;
      // If the token is rejected or has insufficient rights, every series would fail.
      if (status === 401 || status === 402) failures = MAX_CONSECUTIVE_FAILURES;
      else if (isOfNetwork || status >= 500) failures++;
      else return;
      last = cause;
    },
    /** Throws the last failure once there have been too many consecutive failures. */
    check(): void {
      if (failures >= MAX_CONSECUTIVE_FAILURES) throw last;
    },
  };
}

/** The statuses with which a service may reject a request because of one series or because the request is too large. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

/** The number of times that series may be fetched. If imports change the store more often, its versions stay mixed. */
const MAX_ROUNDS = 3;

const MAX_SERIES_PER_BATCH = 500;
const MIN_SERIES_PER_BATCH = 100;

function createRetrieval(transport: Transport, formats: FormatNegotiation, one_by_one: boolean): Retrieval {
  const { concurrency } = transport;
  const batchLimit = pLimit(one_by_one ? 1 : concurrency);
  const seriesLimit = pLimit(concurrency);
  const breaker = circuitBreaker();

  /**
   * Fetches series in one request. If the connection breaks after some series have arrived, requests the rest together.
   * If the service rejects the request because of a single series or too many series, requests each half separately.
   * After any other failure, returns the remaining series, so that the report can identify those that fail.
   * @returns the series that remain to be requested one by one
   */
  async function fetchTogether(
    requests: readonly NumberedRequest[],
    receiver: Receiver,
  ): Promise<readonly NumberedRequest[]> {
    // If there is a cache, each series is requested and revalidated separately.
    if (requests.length < 2 || transport.caches || !formats.batches) return requests;
    const remaining = new Map(requests.map((each) => [each.position, each]));
    const onArrival: Receiver['onArrival'] = (position, answer) => {
      breaker.recordSuccess();
      receiver.onArrival(position, answer);
    };
    while (remaining.size > 0) {
      const before = remaining.size;
      try {
        breaker.check();
        await readRemaining(transport, remaining, { ...receiver, onArrival });
      } catch (error) {
        receiver.signal?.throwIfAborted();
        if (remaining.size < before && isTransient(error)) continue;
        formats.failedBatch(error);
        breaker.recordFailure(error);
        const rest = [...remaining.values()];
        if (!(error instanceof HttpError) || !REFUSALS.has(error.status)) return rest;
        const half = Math.ceil(rest.length / 2);
        const first = await fetchTogether(rest.slice(0, half), receiver);
        return [...first, ...(await fetchTogether(rest.slice(half), receiver))];
      }
    }
    return [];
  }

  async function fetchAlone({ position, request }: NumberedRequest, receiver: Receiver): Promise<void> {
    receiver.signal?.throwIfAborted();
    try {
      breaker.check();
      const answer = await fetchOne(request, receiver, { transport, formats });
      breaker.recordSuccess();
      receiver.onArrival(position, answer);
    } catch (cause) {
      receiver.signal?.throwIfAborted();
      breaker.recordFailure(cause);
      receiver.onFailure(position, cause);
    }
  }

  async function fetchBatch(batch: readonly NumberedRequest[], receiver: Receiver): Promise<void> {
    const alone = await fetchTogether(batch, receiver);
    await Promise.all(alone.map((each) => seriesLimit(() => fetchAlone(each, receiver))));
  }

  /**
   * Returns the number of series to request together. There is one batch per concurrent request, unless batches would
   * be so small that round trips take longer than the transfer, or so large that repeating one is expensive.
   */
  function batchSize(count: number): number {
    if (one_by_one) return 1;
    return Math.min(MAX_SERIES_PER_BATCH, Math.max(MIN_SERIES_PER_BATCH, Math.ceil(count / concurrency)));
  }

  return {
    async fetch(requests, receiver) {
      const numbered = requests.map((request, position) => ({ position, request }));
      const versions = new Map<number, string | null>();
      let version: string | null = null;
      const onArrival: Receiver['onArrival'] = (position, answer) => {
        version = answer.origin.storeVersion;
        versions.set(position, version);
        receiver.onArrival(position, answer);
      };
      let pending = numbered;
      for (let round = 0; pending.length > 0 && round < MAX_ROUNDS; round++) {
        const batches = chunksOf(pending, batchSize(pending.length));
        await Promise.all(
          batches.map((batch) => batchLimit(() => fetchBatch(batch, { ...receiver, onArrival }))),
        );
        const isOther = ({ position }: NumberedRequest) => (versions.get(position) ?? version) !== version;
        pending = numbered.filter(isOther);
      }
    },
  };
}

/** Fetches one series. @throws ContractError if the response does not have exactly the requested series */
async function fetchOne(
  request: SeriesRequest,
  { signal, onBytes }: ByteWatch,
  { transport, formats }: { transport: Transport; formats: FormatNegotiation },
): Promise<SeriesAnswer> {
  const query = { ...toQuery(request), ...toFlagQuery(request), responseType: 'list_of_series' };
  return formats.ask((accept) =>
    transport.read('points', { query, accept, signal, onBytes }, async (response, origin) => {
      const { series, batches } = await openPointAnswer(response, request);
      if (series.length > 1)
        throw badAnswer('points', `responded with ${series.length} series instead of one`);
      const { partner_region_id = 0 } = request;
      const key = seriesKeyOf({ ...request, partner_region_id });
      const [found = { ...key, unit_id: null }] = series;
      if (seriesKeyText(found) !== seriesKeyText(key)) throw badAnswer('points', OTHER_SERIES);
      const runs: PackedPoints[] = [];
      for await (const batch of batches) runs.push(...batch);
      return { series: found, runs, origin };
    }),
  );
}

/** Fetches the remaining series in one request, and removes each of them from `remaining` once it has arrived. */
function readRemaining(
  transport: Transport,
  remaining: Map<number, NumberedRequest>,
  { signal, onBytes, onArrival }: Omit<Receiver, 'onFailure'>,
): Promise<void> {
  let selections: readonly BatchSelection[] = [];
  const renew = () => {
    selections = planBatch([...remaining.values()]);
    return { body: selections.map(({ body }) => body) };
  };
  return transport.read('pointsBatch', { renew, accept: RUNS, signal, onBytes }, async (response, origin) => {
    const answer = await openRuns('pointsBatch', response);
    if (answer === null) throw badAnswer('pointsBatch', 'the response is not in the requested format');
    await readBatch(answer, selections, (requests, points) => {
      for (const { position } of requests) remaining.delete(position);
      for (const { position } of requests) onArrival(position, { ...points, origin });
    });
  });
}

/** All points of one series. In every run of points, `series` is 0. */
interface SeriesPoints {
  readonly series: PointSeries;
  readonly runs: readonly PackedPoints[];
}

/**
 * Passes on each series in a batch as soon as it is complete, that is, when the next series begins or the stream ends.
 * A series that was passed on remains valid if the stream breaks later.
 * @throws ContractError if the response does not have exactly the requested series
 */
export async function readBatch(
  answer: DecodedPoints,
  selections: readonly BatchSelection[],
  onSeries: (requests: readonly NumberedRequest[], points: SeriesPoints) => void,
): Promise<void> {
  const requests = matchSeries(answer, selections);
  let open = 0;
  let runs: PackedPoints[] = [];
  const closeUpTo = (position: number): void => {
    for (; open < position; open++) {
      const { selection: _, ...series } = answer.series[open]!;
      onSeries(requests[open]!, { series, runs });
      runs = [];
    }
  };
  for await (const batch of answer.batches) {
    for (const run of batch) {
      if (run.series < open || run.series >= requests.length)
        throw badAnswer('pointsBatch', 'the points are not ordered by series');
      closeUpTo(run.series);
      runs.push(atPosition(run, 0));
    }
  }
  closeUpTo(requests.length);
}

/** Matches each series in a response to its requests. The response must have every requested series exactly once. */
function matchSeries(
  { series }: DecodedPoints,
  selections: readonly BatchSelection[],
): (readonly NumberedRequest[])[] {
  const missing = selections.map(({ requests }) => new Map(requests));
  const matched = series.map((one) => {
    const ofSelection = missing[one.selection ?? 0];
    const key = seriesKeyText(one);
    const requests = ofSelection?.get(key);
    if (requests === undefined) throw badAnswer('pointsBatch', OTHER_SERIES);
    ofSelection!.delete(key);
    return requests;
  });
  if (missing.some(({ size }) => size > 0)) throw badAnswer('pointsBatch', OTHER_SERIES);
  return matched;
}

const OTHER_SERIES = 'the response does not match the requested series';
