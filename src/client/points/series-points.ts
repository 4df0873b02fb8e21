import { atPosition, type PackedPoints, type PointSet } from '../../columns/packed-points.js';
import type { PointSeries } from '../../columns/point-columns.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { ContractError } from '../../model/errors.js';
import { selectionLists } from '../../model/selection.js';
import { seriesKeyOf, seriesKeyText } from '../../model/series.js';
import type { EntityLists } from '../entities.js';
import {
  endlessRedirects,
  type IdRedirect,
  IdsRedirected,
  MAX_REDIRECTS,
  redirectKey,
} from '../http/id-redirects.js';
import { isTransient } from '../http/retry.js';
import type { ByteWatch, Origin, Transport } from '../http/transport.js';
import { toFlagQuery } from '../query.js';
import { type BatchSelection, type NumberedRequest, planBatch, type SeriesRequest } from './batch-plan.js';
import { withoutHistorical } from './historical.js';
import {
  type FormatNegotiation,
  openPointAnswer,
  type PointAnswer,
  UnaccountedBatch,
} from './point-answer.js';
import type { RetrievePoints } from './points.js';

/** The points of one series, and where they came from. */
export interface SeriesAnswer extends SeriesPoints {
  readonly origin: Pick<Origin, 'fromCache' | 'answeredAt'>;
}

/** Called with each series of a batch as it arrives; `position` is that of its request. */
export type OnArrival = (position: number, answer: SeriesAnswer) => void;

/** Fetches the points of series: one at a time, or many in one request where the service supports it. */
export interface SeriesPointSource {
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /**
   * False once the service has refused a batch, and with a cache, whose answers are revalidated series by series.
   */
  takesBatches(): boolean;
  /** The points of one series; several answers where the service answers it by its parts, which belong to it. */
  fetchOne(request: SeriesRequest, watch?: ByteWatch): Promise<readonly SeriesAnswer[]>;
  /**
   * Fetches many series in one request. Each is passed on as soon as it is whole. After a broken connection only the
   * remaining series are requested again.
   * @throws BatchRefused when the service does not support batches; what the transport throws, after some arrivals
   */
  fetchBatch(requests: readonly SeriesRequest[], onArrival: OnArrival, watch?: ByteWatch): Promise<void>;
}

/** The service does not support batches: request the series one by one. */
export class BatchRefused extends Error {}

/** What series are fetched over. */
interface PointService {
  readonly transport: Transport;
  readonly entities: Pick<EntityLists, 'lookupList'>;
  readonly retrieve: RetrievePoints;
  readonly formats: FormatNegotiation;
}

export function seriesPointSource(service: PointService): SeriesPointSource {
  const { transport, formats } = service;
  return {
    concurrency: transport.concurrency,
    takesBatches: () => formats.batches && !transport.caches,
    fetchOne: (request, watch = {}) => fetchOne(service, request, watch),
    fetchBatch: (requests, onArrival, watch = {}) =>
      fetchBatch(service, new RemainingSeries(requests, onArrival), watch),
  };
}

async function fetchOne(
  { retrieve, entities }: PointService,
  request: SeriesRequest,
  watch: ByteWatch,
): Promise<SeriesAnswer[]> {
  const retrieved = await retrieve(selectionLists(request), toFlagQuery(request), watch);
  const drops = request.include_historical === false;
  const points = drops ? await withoutHistorical(retrieved, { entities, signal: watch.signal }) : retrieved;
  const { partner_region_id = 0 } = request;
  const nothing = {
    series: { ...seriesKeyOf({ ...request, partner_region_id }), unit_id: null },
    runs: [],
  };
  const parts = partsOf(points);
  return (parts.length === 0 ? [nothing] : parts).map((part) => ({ ...part, origin: retrieved.origin }));
}

/** The points of each series of an answer, in their order; blocks of one series are one part. */
function partsOf({ series, runs }: PointSet): SeriesPoints[] {
  const positions = new Map<string, number>();
  const parts: { series: PointSeries; runs: PackedPoints[] }[] = [];
  const partAt = series.map((one) => {
    const key = seriesKeyText(one);
    const at = positions.get(key);
    if (at !== undefined) {
      parts[at]!.series = withCounts(parts[at]!.series, one);
      return at;
    }
    positions.set(key, parts.length);
    return parts.push({ series: one, runs: [] }) - 1;
  });
  for (const run of runs) parts[partAt[run.series]!]!.runs.push(atPosition(run, 0));
  return parts;
}

/** A series with what was counted in another block of it. */
function withCounts(series: PointSeries, other: PointSeries): PointSeries {
  const sum = (field: 'unreadable_values' | 'unstated_units') =>
    (series[field] ?? 0) + (other[field] ?? 0) || undefined;
  const unit_id = series.unit_id ?? other.unit_id;
  return {
    ...series,
    unit_id,
    unreadable_values: sum('unreadable_values'),
    unstated_units: sum('unstated_units'),
  };
}

async function fetchBatch(
  { transport, formats }: PointService,
  remaining: RemainingSeries,
  watch: ByteWatch,
): Promise<void> {
  while (remaining.size > 0) {
    const before = remaining.size;
    try {
      await formats.ask((accept) => readRemaining(transport, remaining, { ...watch, accept }));
      return;
    } catch (error) {
      watch.signal?.throwIfAborted();
      const hasProgressed = remaining.size < before;
      if (error instanceof IdsRedirected) remaining.redirect(error.redirects);
      else if (formats.refusedBatch(error)) throw new BatchRefused('no batches', { cause: error });
      else if (!hasProgressed || !isTransient(error)) throw error;
    }
  }
}

function readRemaining(
  transport: Transport,
  remaining: RemainingSeries,
  { accept, signal, onBytes }: ByteWatch & { accept: string },
): Promise<void> {
  const call = () => ({ body: remaining.selections().map(({ body }) => body), accept, signal, onBytes });
  return transport.read('pointsBatch', call, async (response, origin) => {
    const answer = await openPointAnswer('pointsBatch', response);
    if (!answer.accounted) throw new UnaccountedBatch();
    await readBatch(answer, remaining.selections(), (requests, points) =>
      remaining.arrived(requests, { ...points, origin }),
    );
  });
}

/** The series of a batch that have not arrived. */
class RemainingSeries {
  /** By their position. */
  readonly #requests: Map<number, NumberedRequest>;
  /** Those of the last request; null when some series have arrived since it was planned. */
  #selections: readonly BatchSelection[] | null = null;
  #redirects = 0;

  readonly #onArrival: OnArrival;

  constructor(requests: readonly SeriesRequest[], onArrival: OnArrival) {
    this.#onArrival = onArrival;
    this.#requests = new Map(requests.map((request, position) => [position, { position, request }]));
  }

  get size(): number {
    return this.#requests.size;
  }

  /** The selections that request them. */
  selections(): readonly BatchSelection[] {
    this.#selections ??= planBatch([...this.#requests.values()]);
    return this.#selections;
  }

  arrived(requests: readonly NumberedRequest[], answer: SeriesAnswer): void {
    this.#selections = null;
    for (const { position } of requests) this.#requests.delete(position);
    for (const { position } of requests) this.#onArrival(position, answer);
  }

  /** @throws ContractError when the redirects do not end */
  redirect(redirects: readonly IdRedirect[]): void {
    this.#redirects++;
    if (this.#redirects > MAX_REDIRECTS) throw endlessRedirects('pointsBatch');
    this.#selections = null;
    for (const [position, { request }] of this.#requests)
      this.#requests.set(position, { position, request: redirectKey(request, redirects) });
  }
}

/** The complete points of one series; the `series` of each run is 0. */
interface SeriesPoints {
  readonly series: PointSeries;
  readonly runs: readonly PackedPoints[];
}

/**
 * Passes on each series of a batch as soon as it is complete: when the next one begins, or at the end of the stream. It
 * remains valid when the stream breaks later.
 * @throws ContractError when the answer is not of the requested series
 */
export async function readBatch(
  answer: PointAnswer,
  selections: readonly BatchSelection[],
  onSeries: (requests: readonly NumberedRequest[], points: SeriesPoints) => void,
): Promise<void> {
  const requests = matchSeries(answer, selections);
  let open = 0;
  let runs: PackedPoints[] = [];
  const closeUpTo = (position: number): void => {
    for (; open < position; open++) {
      onSeries(requests[open]!, { series: withoutSelection(answer.series[open]!), runs });
      runs = [];
    }
  };
  for await (const batch of answer.batches) {
    for (const run of batch) {
      if (run.series < open || run.series >= requests.length) throw outOfOrder();
      closeUpTo(run.series);
      runs.push(atPosition(run, 0));
    }
  }
  closeUpTo(requests.length);
}

/** The requests for each series of the answer, which must hold every requested series once. */
function matchSeries(
  { series }: PointAnswer,
  selections: readonly BatchSelection[],
): (readonly NumberedRequest[])[] {
  const missing = selections.map(({ requests }) => new Map(requests));
  const matched = series.map((one) => {
    const ofSelection = missing[one.selection ?? 0];
    const key = seriesKeyText(one);
    const requests = ofSelection?.get(key);
    if (requests === undefined) throw otherSeries();
    ofSelection!.delete(key);
    return requests;
  });
  if (missing.some(({ size }) => size > 0)) throw otherSeries();
  return matched;
}

function withoutSelection({ selection: _, ...series }: BlockSeries): PointSeries {
  return series;
}

function otherSeries(): ContractError {
  return new ContractError('pointsBatch', 'pointsBatch: the answer is not of the requested series');
}

function outOfOrder(): ContractError {
  return new ContractError('pointsBatch', 'pointsBatch: the points are not ordered by series');
}
