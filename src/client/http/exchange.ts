import { joinChunks } from '../../columns/byte-chunks.js';
import type { EndpointName } from '../../contract/endpoints.js';
import { CarriedPoints, carriedPoints, carryPoints } from '../../contract/points/carried-points.js';
import { errorOfStatus, problemMessage } from '../../contract/problems.js';
import { ANSWER_OF } from '../../contract/request-mark.js';
import { REQUEST_ID } from '../../contract/wire-names.js';
import { badAnswer, NetworkError } from '../../model/errors.js';
import { readRetryAfter } from '../../model/retry-after.js';
import { type Outgoing, type Send, wholeBody } from '../sending/send.js';
import { type AnswerCache, asResponse, cacheKey, isCacheable, type StoredAnswer } from './answer-cache.js';
import { onAbort } from './cancellable.js';
import { type PlannedRequest, planRequest, toOutgoing } from './request.js';
import type { RetryHint } from './retry.js';

/** An answer whose connection can be released. */
interface GuardedAnswer {
  /** The same answer; reading its body throws a NetworkError when the connection breaks. */
  readonly response: Response;
  /** Discards the rest of the body, so that the connection is reused or closed. */
  release(): void;
}

/** How a body is observed. */
interface BodyWatch {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Called with every piece of the body as it arrives. */
  onPiece(piece: Uint8Array): void;
}

/** Bytes that are read to the end of an answer to keep its connection usable; beyond them it is closed. */
const MAX_DRAINED_BYTES = 65_536;

/** Guards an answer's body: a read ends as soon as the signal aborts, even if the connection hangs. */
function guardBody(answered: Response, watch: BodyWatch): GuardedAnswer {
  if (answered.body === null) return { response: answered, release: () => {} };
  const reader = answered.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  let isOver = false;
  const release = (): void => {
    if (isOver) return;
    isOver = true;
    void drain(reader, watch.signal);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await readPiece(reader, watch);
        if (piece === null) {
          isOver = true;
          controller.close();
          return;
        }
        watch.onPiece(piece);
        controller.enqueue(piece);
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
  const { status, headers } = answered;
  return { response: new Response(body, { status, headers }), release };
}

async function readPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { name, signal }: BodyWatch,
): Promise<Uint8Array | null> {
  try {
    const { done, value } = await untilAborted(reader.read(), signal);
    return done ? null : value;
  } catch (error) {
    throw brokenAnswer(error, { name, signal });
  }
}

/** The error for an answer that ended early: the signal's reason when it aborted. */
function brokenAnswer(error: unknown, { name, signal }: Pick<BodyWatch, 'name' | 'signal'>): unknown {
  if (signal.aborted) return signal.reason;
  const message = `${name}: the connection broke before the answer was complete: ${reasonOf(error)}`;
  return new NetworkError(message, { cause: error });
}

/** How carried points are observed. */
interface PointsWatch {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Called with the size of the values of every batch. */
  onBytes(bytes: number): void;
}

type Batches = ReturnType<CarriedPoints['take']>;

/** Takes points, and guards them as `guardBody` guards the bytes of a body; `release` ends them. */
function guardPoints(
  carried: CarriedPoints,
  watch: PointsWatch,
): { points: CarriedPoints; release: () => void } {
  const batches = carried.take();
  const release = (): void => void batches.return().catch(() => {});
  return { points: new CarriedPoints(carried.series, guarded(batches, watch)), release };
}

async function* guarded(batches: Batches, { name, signal, onBytes }: PointsWatch): Batches {
  for (;;) {
    const next = await untilAborted(batches.next(), signal).catch((error: unknown) => {
      throw brokenAnswer(error, { name, signal });
    });
    if (next.done === true) return;
    onBytes(next.value.reduce((bytes, { value }) => bytes + value.byteLength, 0));
    yield next.value;
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal): Promise<void> {
  try {
    for (let bytes = 0; bytes < MAX_DRAINED_BYTES && !signal.aborted; ) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) return;
      bytes += value.byteLength;
    }
  } catch {
    // The rest of this answer is not needed.
  }
  await reader.cancel().catch(() => {});
}

/** The message of a failure's cause, or its own: a failed `fetch` says nothing itself. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return `${cause.message || cause.name}${isUntrusted(cause) ? UNTRUSTED : ''}`;
}

const UNTRUSTED =
  ' (if you made the certificate, set NODE_EXTRA_CA_CERTS to its file, or to that of its authority)';

/** Whether Node does not know who signed a certificate. */
function isUntrusted({ code }: Error & { code?: unknown }): boolean {
  return typeof code === 'string' && /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)/.test(code);
}

/** Where an answer came from. */
export interface AnswerOrigin {
  /** True when it is from the cache, revalidated by the service or offline. */
  readonly fromCache: boolean;
  /** When the service last confirmed it, ISO 8601 UTC. */
  readonly answeredAt: string;
}

/** The answer to a request: a success, or a 301 that names changed ids. */
interface Exchange {
  readonly response: Response;
  readonly origin: AnswerOrigin;
  /** Call it when the answer was read whole and is undamaged: it is cached. */
  accept(): Promise<void>;
  /** Call it when the answer is damaged: it is removed from the cache. */
  refuse(): Promise<void>;
  /** Releases the connection. */
  release(): void;
}

/** Where requests go, and where answers are cached. */
export interface ExchangeOptions {
  readonly host: string;
  readonly token: string | null;
  readonly send: Send;
  readonly cache: AnswerCache | null;
  readonly redirect: 'manual' | 'follow';
  /** Whether the service marks its answers with what they are of; undefined until that is known. */
  readonly service: { marks?: boolean };
}

/** How one try is observed. */
export interface Watch {
  readonly name: EndpointName;
  readonly signal: AbortSignal;
  readonly hint: RetryHint;
  /** Called whenever something arrives. */
  alive(): void;
  onBytes?: ((bytes: number) => void) | undefined;
}

/** Larger answers are not cached: they would displace everything else. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** Sends one request and checks its status. @throws NetworkError, HttpError, ContractError, or the signal's reason */
export async function exchange(
  planned: PlannedRequest,
  options: ExchangeOptions,
  watch: Watch,
): Promise<Exchange> {
  const place = await placeOf(planned, options);
  const stored = (await place?.cache.find(place.key)) ?? null;
  const etag = stored?.etag ?? null;
  const askedAt = new Date().toISOString();
  const request = toOutgoing(planned, { ...options, signal: watch.signal, etag });
  const response = await send(request, options, watch);
  watch.alive();
  if (response.status < 400) await checkMark(response, { planned, options, watch });
  if (response.status === 304 && place !== null && stored !== null && etag !== null)
    return revalidated({ ...stored, answeredAt: askedAt }, place);
  await checkStatus(response, watch);
  return answered(response, { place, askedAt, watch });
}

/** The place of an answer in a cache. */
interface CachePlace {
  readonly cache: AnswerCache;
  readonly key: string;
}

async function placeOf(
  planned: PlannedRequest,
  { cache, token }: ExchangeOptions,
): Promise<CachePlace | null> {
  return cache === null || !isCacheable(planned) ? null : { cache, key: await cacheKey(planned, token) };
}

function answered(
  response: Response,
  { place, askedAt, watch }: { place: CachePlace | null; askedAt: string; watch: Watch },
): Exchange {
  const origin = { fromCache: false, answeredAt: askedAt };
  const carried = place === null ? carriedPoints(response) : undefined;
  if (carried !== undefined) return { ...takeCarried(response, carried, watch), origin };
  const collected = place === null ? null : new CollectedBody();
  const { name, signal } = watch;
  const onPiece = (piece: Uint8Array): void => {
    watch.alive();
    watch.onBytes?.(piece.byteLength);
    collected?.add(piece);
  };
  const whole = wholeBody(response);
  if (whole !== undefined) onPiece(whole);
  return {
    ...(whole === undefined
      ? guardBody(response, { name, signal, onPiece })
      : { response, release: () => {} }),
    origin,
    refuse: async () => {},
    async accept() {
      const answer = collected?.answer(response, askedAt) ?? null;
      if (answer !== null) await place?.cache.put(place.key, answer);
    },
  };
}

/** The points of a service in this process; a cache needs the bytes of the body instead. */
function takeCarried(
  { status, headers }: Response,
  carried: CarriedPoints,
  { name, signal, alive, onBytes }: Watch,
): Omit<Exchange, 'origin'> {
  const { points, release } = guardPoints(carried, {
    name,
    signal,
    onBytes(bytes) {
      alive();
      onBytes?.(bytes);
    },
  });
  const response = carryPoints(new Response(null, { status, headers }), points);
  return { response, release, accept: async () => {}, refuse: async () => {} };
}

async function send(request: Outgoing, { host, send }: ExchangeOptions, watch: Watch): Promise<Response> {
  const answering = send(request, () => watch.alive());
  try {
    return await untilAborted(answering, watch.signal);
  } catch (error) {
    void answering.then((late) => late.body?.cancel()).catch(() => {});
    if (watch.signal.aborted) throw watch.signal.reason;
    const reason = `${reasonOf(error)}${isPlain(host) && isHangUp(error) ? otherScheme(host) : ''}`;
    throw new NetworkError(`${host} could not be reached: ${reason}`, { cause: error });
  }
}

const isPlain = (host: string): boolean => host.startsWith('http:');

/** Whether a connection was closed before anything was answered, as a server of TLS does with plain HTTP. */
function isHangUp(error: unknown): boolean {
  const { cause, code } = error as { readonly cause?: { readonly code?: unknown }; readonly code?: unknown };
  return ['ECONNRESET', 'UND_ERR_SOCKET'].includes(String(cause?.code ?? code));
}

function otherScheme(host: string): string {
  return ` (it closed the connection without an answer; a service with TLS has the address ${host.replace('http:', 'https:')})`;
}

/** @throws HttpError for an error status, after the requested wait is put into the hint */
async function checkStatus(response: Response, { name, signal, hint }: Watch): Promise<void> {
  if (response.ok || response.status === 301) return;
  hint.retryAfterMs = readRetryAfter(response.headers.get('retry-after'), response.headers.get('date'));
  if (response.status < 400) {
    void response.body?.cancel().catch(() => {});
    const problem = `answered ${response.status}, which the contract does not define`;
    throw badAnswer(name, problem, { damaged: true });
  }
  const text = await untilAborted(response.text(), signal).catch(() => '');
  signal.throwIfAborted();
  throw errorOfStatus(response.status, name, {
    message: problemMessage(name, text),
    retryAfterMs: hint.retryAfterMs,
    requestId: requestIdOf(response),
  });
}

/** @throws ContractError for the answer to another request, and for an empty one without the mark that all others have */
async function checkMark(
  response: Response,
  asked: { planned: PlannedRequest; options: ExchangeOptions; watch: Watch },
): Promise<void> {
  const { planned, options, watch } = asked;
  const { service, host } = options;
  const mark = response.headers.get(ANSWER_OF);
  if (mark !== null) service.marks = true;
  if (mark === null && response.status === 204 && service.marks === undefined) {
    const request = toOutgoing(planRequest('health', {}, host), {
      ...options,
      signal: watch.signal,
      etag: null,
    });
    const health = await send(request, options, watch);
    service.marks = health.headers.has(ANSWER_OF);
    void health.body?.cancel().catch(() => {});
  }
  const isOfAnother =
    mark === null ? response.status === 204 && service.marks === true : mark !== planned.mark();
  if (!isOfAnother) return;
  void response.body?.cancel().catch(() => {});
  const what =
    mark === null
      ? 'the answer is empty, without the checksum of its request'
      : 'the answer is to another request';
  throw badAnswer(watch.name, `${what}; a proxy or a cache may mix them up`, {
    damaged: true,
  });
}

/** The id under which the service's log has the request of an answer; null when it names none. */
export function requestIdOf({ headers }: Response): string | null {
  return shownId(headers.get(REQUEST_ID));
}

/** An id of another service may be long, or hold anything; null when it cannot be shown. */
function shownId(id: string | null): string | null {
  return id !== null && /^[\x21-\x7e]{1,128}$/.test(id) ? id : null;
}

function revalidated(stored: StoredAnswer, { cache, key }: CachePlace): Exchange {
  return {
    response: asResponse(stored),
    origin: { fromCache: true, answeredAt: stored.answeredAt },
    accept: () => cache.put(key, stored),
    refuse: () => cache.remove(key),
    release: () => {},
  };
}

/** Collects a body while it is read, unless it becomes too large to cache. */
class CollectedBody {
  #pieces: Uint8Array[] | null = [];
  #bytes = 0;

  add(piece: Uint8Array): void {
    this.#bytes += piece.byteLength;
    if (this.#bytes > MAX_CACHED_BYTES) this.#pieces = null;
    this.#pieces?.push(piece);
  }

  answer({ status, headers }: Response, answeredAt: string): StoredAnswer | null {
    const forbidden = /\bno-store\b/i.test(headers.get('cache-control') ?? '');
    if (this.#pieces === null || status !== 200 || forbidden) return null;
    const etag = headers.get('etag');
    return {
      etag: etag?.startsWith('"') === true ? etag : null,
      contentType: headers.get('content-type') ?? '',
      answeredAt,
      body: joinChunks(this.#pieces),
    };
  }
}

/** Settles as the promise does, or rejects with the signal's reason as soon as it aborts. */
function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(leave);
  });
}
