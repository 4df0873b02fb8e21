import { atPosition } from '../../columns/point-rows.js';
import type { Cancellable } from '../../model/progress.js';
import { selectionLists } from '../../model/selection.js';
import { seriesKeyOf } from '../../model/series.js';
import {
  type IdRedirect,
  IdsRedirected,
  MAX_REDIRECTS,
  redirectKey,
  unfollowable,
} from '../http/id-redirects.js';
import { mayPass } from '../http/retry.js';
import type { Origin, Transport } from '../http/transport.js';
import { toFlagQuery } from '../query.js';
import { type BatchSelection, type NumberedRequest, planBatch, type SeriesRequest } from './batch-plan.js';
import { readBatch, type SeriesPoints } from './batch-reader.js';
import { withoutHistorical } from './historical.js';
import { type FormatNegotiation, openPointAnswer, UnaccountedBatch } from './point-answer.js';
import type { RetrievePoints } from './points.js';

/** The points of one series, and where they came from. */
export interface SeriesAnswer extends SeriesPoints {
  readonly origin: Pick<Origin, 'fromCache' | 'answeredAt'>;
}

/** How a retrieval of series is watched. */
export interface SeriesWatch extends Cancellable {
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** What fan-outs fetch series by: one at a time, or many in one request where the service takes such. */
export interface SeriesPointSource {
  /** Requests under way at once. */
  readonly concurrency: number;
  /**
   * Whether batches are worth asking for: false once the service has refused one, and with a cache, whose answers are
   * revalidated series by series.
   */
  takesBatches(): boolean;
  /** One series by a request of its own. */
  one(request: SeriesRequest, watch?: SeriesWatch): Promise<SeriesAnswer>;
  /**
   * Many series in one request. Each is handed over as soon as it is whole, in memory that later ones take: what is to
   * be kept is copied at once. After a broken connection only the others are asked for again.
   * @throws BatchRefused when the service takes no batches; what the transport throws, with some series handed over
   */
  batch(
    requests: readonly SeriesRequest[],
    onArrival: (position: number, answer: SeriesAnswer) => void,
    watch?: SeriesWatch,
  ): Promise<void>;
}

/** The service takes no batches: series are to be asked for one by one. */
export class BatchRefused extends Error {}

/** The two ways to fetch the points of series. */
export function seriesPointSource(
  transport: Transport,
  retrieve: RetrievePoints,
  forms: FormatNegotiation,
): SeriesPointSource {
  async function one(request: SeriesRequest, watch: SeriesWatch = {}): Promise<SeriesAnswer> {
    const retrieved = await retrieve(selectionLists(request), toFlagQuery(request), watch);
    const { series, batches } =
      request.include_historical === false ? withoutHistorical(retrieved) : retrieved;
    const { partner_region_id = 0 } = request;
    return {
      series: series[0] ?? { ...seriesKeyOf({ ...request, partner_region_id }), unit_id: null },
      batches: batches.map((columns) => atPosition(columns, 0)),
      origin: retrieved.origin,
    };
  }

  async function batch(
    requests: readonly SeriesRequest[],
    onArrival: (position: number, answer: SeriesAnswer) => void,
    watch: SeriesWatch = {},
  ): Promise<void> {
    const left = new RemainingSeries(requests, onArrival);
    while (left.requests.length > 0) {
      const before = left.requests.length;
      const { accept } = forms;
      try {
        await readRemaining(left, accept, watch);
        return;
      } catch (error) {
        watch.signal?.throwIfAborted();
        if (error instanceof IdsRedirected) left.follow(error.moves);
        else if (forms.refusedBatch(error)) throw new BatchRefused('no batches', { cause: error });
        else if (!forms.refusedArrow(error, accept) && !(mayPass(error) && left.requests.length < before))
          throw error;
      }
    }
  }

  function readRemaining(left: RemainingSeries, accept: string, watch: SeriesWatch): Promise<void> {
    let selections: BatchSelection[] = [];
    const call = () => {
      selections = planBatch(left.requests);
      const body = selections.map((selection) => selection.body);
      return { body, accept, signal: watch.signal, onBytes: watch.onBytes };
    };
    return transport.read('pointsBatch', call, async (response, origin) => {
      const answer = await openPointAnswer('pointsBatch', response);
      if (!answer.accounted) throw new UnaccountedBatch();
      await readBatch(answer, selections, (asking, points) => left.arrived(asking, { ...points, origin }));
    });
  }

  return {
    concurrency: transport.concurrency,
    takesBatches: () => forms.batches && !transport.caches,
    one,
    batch,
  };
}

/** The series of a batch that have not arrived. */
class RemainingSeries {
  requests: readonly NumberedRequest[];
  #moves = 0;

  readonly #onArrival: (position: number, answer: SeriesAnswer) => void;

  constructor(
    requests: readonly SeriesRequest[],
    onArrival: (position: number, answer: SeriesAnswer) => void,
  ) {
    this.#onArrival = onArrival;
    this.requests = requests.map((request, position) => ({ position, request }));
  }

  arrived(asking: readonly NumberedRequest[], answer: SeriesAnswer): void {
    const gone = new Set(asking.map(({ position }) => position));
    this.requests = this.requests.filter(({ position }) => !gone.has(position));
    for (const { position } of asking) this.#onArrival(position, answer);
  }

  /** @throws ContractError when the service sends round in circles */
  follow(moves: readonly IdRedirect[]): void {
    this.#moves++;
    if (this.#moves > MAX_REDIRECTS) throw unfollowable('pointsBatch');
    this.requests = this.requests.map((one) => ({ ...one, request: redirectKey(one.request, moves) }));
  }
}
