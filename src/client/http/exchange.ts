import { joinChunks } from '../../columns/byte-chunks.js';
import type { EndpointName } from '../../contract/endpoints.js';
import { CarriedPoints, carriedPoints, carryPoints } from '../../contract/points/carried-points.js';
import { errorOfStatus } from '../../contract/problems.js';
import { ANSWER_OF } from '../../contract/request-mark.js';
import { REQUEST_ID } from '../../contract/wire-names.js';
import { type RetryHint, readRetryAfter } from '../../http/retries.js';
import { badAnswer, type ContractError, NetworkError } from '../../model/errors.js';
import { onAbort } from '../../model/linked-abort.js';
import { type Outgoing, type Send, wholeBody } from '../sending/send.js';
import { type AnswerCache, asResponse, cacheKey, isCacheable, type StoredAnswer } from './answer-cache.js';
import { type PlannedRequest, toOutgoing } from './request.js';

/** Bytes that are read to the end of an answer to keep its connection usable; beyond them it is closed. */
const MAX_DRAINED_BYTES = 65_536;

/** Maximum time to drain these bytes. After that, the connection is closed. */
const MAX_DRAIN_MS = 500;

/** An answer, and a function that discards the rest of its body, so that the connection is reused or closed. */
type GuardedAnswer = Pick<Exchange, 'response' | 'release'>;

/**
 * Guards an answer's body: a read ends as soon as the signal aborts, even if the connection hangs, and throws a NetworkError
 * when the connection breaks.
 */
function guardBody(answered: Response, watch: Watch, onPiece: (piece: Uint8Array) => void): GuardedAnswer {
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
        const { done, value } = await guarded(reader.read(), watch);
        if (done) {
          isOver = true;
          controller.close();
          return;
        }
        onPiece(value);
        controller.enqueue(value);
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
  const { status, headers } = answered;
  return { response: new Response(body, { status, headers }), release };
}

/** Guards the points of a service in this process as `guardBody` guards the bytes of a body. */
function guardPoints({ status, headers }: Response, carried: CarriedPoints, watch: Watch): GuardedAnswer {
  const batches = carried.take();
  const points = new CarriedPoints(carried.series, watched(batches, watch));
  return {
    response: carryPoints(new Response(null, { status, headers }), points),
    release: () => void batches.return().catch(() => {}),
  };
}

type Batches = ReturnType<CarriedPoints['take']>;

async function* watched(batches: Batches, watch: Watch): Batches {
  for (;;) {
    const next = await guarded(batches.next(), watch);
    if (next.done === true) return;
    watch.alive();
    watch.onBytes?.(next.value.reduce((bytes, { value }) => bytes + value.byteLength, 0));
    yield next.value;
  }
}

/** Settles as a part of an answer does. @throws NetworkError when the connection broke; the signal's reason when it aborted */
async function guarded<Part>(part: Promise<Part>, { name, signal }: Watch): Promise<Part> {
  try {
    return await untilAborted(part, signal);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const message = `${name}: the connection broke before the answer was complete: ${reasonOf(cause)}`;
    throw new NetworkError(message, { cause });
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), MAX_DRAIN_MS);
  try {
    for (let bytes = 0; bytes < MAX_DRAINED_BYTES && !signal.aborted; ) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) return;
      bytes += value.byteLength;
    }
  } catch {
    // The rest of this answer is not needed.
  } finally {
    clearTimeout(timer);
  }
  await reader.cancel().catch(() => {});
}

/** Returns the message of an error's cause, or its own: the message of a failed `fetch` alone says nothing. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return `${cause.message || cause.name}${isUntrusted(cause) ? UNTRUSTED : ''}`;
}

const UNTRUSTED =
  ' (if you made the certificate, set NODE_EXTRA_CA_CERTS to its file, or to that of its authority)';

/** Checks whether a failure means that Node does not trust the issuer of a certificate. */
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

/** The response to a successful request. */
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
  const { cache, token } = options;
  const place =
    cache !== null && isCacheable(planned) ? { cache, key: await cacheKey(planned, token) } : null;
  const stored = (await place?.cache.find(place.key)) ?? null;
  const etag = stored?.etag ?? null;
  const askedAt = new Date().toISOString();
  const request = toOutgoing(planned, { ...options, signal: watch.signal, etag });
  const response = await send(request, options, watch);
  watch.alive();
  checkMark(response, planned, watch);
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

function answered(
  response: Response,
  { place, askedAt, watch }: { place: CachePlace | null; askedAt: string; watch: Watch },
): Exchange {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const onPiece = (piece: Uint8Array): void => {
    watch.alive();
    watch.onBytes?.(piece.byteLength);
    bytes += piece.byteLength;
    if (place !== null && bytes <= MAX_CACHED_BYTES) pieces.push(piece);
    else pieces.length = 0;
  };
  return {
    ...guardAnswer(response, { place, watch, onPiece }),
    origin: { fromCache: false, answeredAt: askedAt },
    refuse: async () => {},
    async accept() {
      const { status, headers } = response;
      const isForbidden = /\bno-store\b/i.test(headers.get('cache-control') ?? '');
      if (place === null || bytes > MAX_CACHED_BYTES || status !== 200 || isForbidden) return;
      const etag = headers.get('etag');
      await place.cache.put(place.key, {
        etag: etag?.startsWith('"') === true ? etag : null,
        contentType: headers.get('content-type') ?? '',
        answeredAt: askedAt,
        body: joinChunks(pieces),
      });
    },
  };
}

function guardAnswer(
  response: Response,
  { place, watch, onPiece }: { place: CachePlace | null; watch: Watch; onPiece: (piece: Uint8Array) => void },
): GuardedAnswer {
  // A cache needs the bytes of the body.
  const carried = place === null ? carriedPoints(response) : undefined;
  if (carried !== undefined) return guardPoints(response, carried, watch);
  const whole = wholeBody(response);
  if (whole === undefined) return guardBody(response, watch, onPiece);
  onPiece(whole);
  return { response, release: () => {} };
}

async function send(request: Outgoing, { host, send }: ExchangeOptions, watch: Watch): Promise<Response> {
  const answering = send(request, () => watch.alive());
  try {
    return await untilAborted(answering, watch.signal);
  } catch (error) {
    void answering.then((late) => late.body?.cancel()).catch(() => {});
    if (watch.signal.aborted) throw watch.signal.reason;
    throw new NetworkError(`${host} could not be reached: ${failureAt(host, error)}`, { cause: error });
  }
}

/** Why a service could not be reached; where it speaks TLS and was asked without, or the other way round, its address. */
function failureAt(host: string, error: unknown): string {
  const { cause, code } = error as { readonly cause?: { readonly code?: unknown }; readonly code?: unknown };
  const failure = String(cause?.code ?? code);
  if (host.startsWith('https:') && failure === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return `it does not speak TLS; without it, its address is ${host.replace('https:', 'http:')}`;
  const reason = reasonOf(error);
  // As a server of TLS does with plain HTTP.
  const isHangUp = ['ECONNRESET', 'UND_ERR_SOCKET'].includes(failure);
  return host.startsWith('http:') && isHangUp
    ? `${reason} (it closed the connection without an answer; a service with TLS has the address ${host.replace('http:', 'https:')})`
    : reason;
}

/** @throws HttpError for an error status, after the status and the requested wait are put into the hint */
async function checkStatus(response: Response, { name, signal, hint }: Watch): Promise<void> {
  hint.status = response.status;
  if (response.ok) return;
  hint.retryAfterMs = readRetryAfter(response.headers.get('retry-after'), response.headers.get('date'));
  if (response.status < 400) {
    void response.body?.cancel().catch(() => {});
    throw redirected(name, response) ?? undefinedStatus(name, response);
  }
  const text = await untilAborted(response.text(), signal).catch(() => '');
  signal.throwIfAborted();
  throw errorOfStatus(response.status, name, {
    text,
    retryAfterMs: hint.retryAfterMs,
    requestId: requestIdOf(response),
  });
}

/**
 * Returns the error for a redirect. Redirects are not followed because the token would be sent to another host. Browsers do
 * not reveal the target.
 */
function redirected(name: EndpointName, { type, headers }: Response): ContractError | null {
  const location = headers.get('location');
  if (type !== 'opaqueredirect' && location === null) return null;
  const target = location === null ? '' : ` to ${location.slice(0, 200)}`;
  return badAnswer(
    name,
    `answered with a redirect${target}; give the address of the service itself as api_host`,
  );
}

function undefinedStatus(name: EndpointName, { status }: Response): ContractError {
  return badAnswer(name, `answered ${status}, which the contract does not define`, { damaged: true });
}

/** Checks the mark of a response. @throws ContractError when the response belongs to another request */
function checkMark(response: Response, planned: PlannedRequest, { name }: Watch): void {
  const mark = response.headers.get(ANSWER_OF);
  if (mark === null || mark === planned.mark()) return;
  void response.body?.cancel().catch(() => {});
  const problem = 'the answer is to another request; a proxy or a cache may mix them up';
  throw badAnswer(name, problem, { damaged: true });
}

/**
 * Returns the id under which the service's log has the request of an answer, or null if it names none, or one that
 * cannot be shown: that of another service may be long, or hold anything.
 */
export function requestIdOf({ headers }: Response): string | null {
  const id = headers.get(REQUEST_ID);
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

/** Settles as the promise does, or rejects with the signal's reason as soon as it aborts. */
function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(leave);
  });
}
