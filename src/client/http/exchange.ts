import type { EndpointName } from '../../contract/endpoints.js';
import { CarriedPoints, carriedPoints, carryPoints } from '../../contract/points/carried-points.js';
import { errorOfStatus } from '../../contract/problems.js';
import { ANSWER_OF } from '../../contract/request-mark.js';
import { REQUEST_ID } from '../../contract/wire-names.js';
import { type RetryHint, readRetryAfter } from '../../http/retries.js';
import { badAnswer, NetworkError } from '../../model/errors.js';
import { onAbort } from '../../model/linked-abort.js';
import { type Fetch, type PlannedRequest, toRequest } from './request.js';

export interface ExchangeOptions {
  readonly host: string;
  readonly token: string | null;
  readonly fetch: Fetch;
  /** The ETag of the cached response to revalidate, or null if there is none. */
  readonly etag: string | null;
  /** Whether the response may be cached. Its `cache-control` header can still forbid caching. */
  readonly isCached: boolean;
}

export interface Watch {
  readonly name: EndpointName;
  readonly signal: AbortSignal;
  readonly hint: RetryHint;
  alive(): void;
  onBytes?: ((bytes: number) => void) | undefined;
}

/**
 * Sends one request and checks the response's status. Reading the body stops as soon as the signal aborts, even if the
 * connection hangs. If the connection breaks, reading throws a NetworkError.
 * @returns the response, which has status 304 if the cached response is still valid
 * @throws NetworkError, HttpError, ContractError, or the signal's reason
 */
export async function exchange(
  planned: PlannedRequest,
  { host, token, fetch, etag, isCached }: ExchangeOptions,
  watch: Watch,
): Promise<Response> {
  const { signal } = watch;
  const answering = fetch(toRequest(planned, { token, signal, etag }));
  const response = await rejectOnAbort(answering, signal).catch((error: unknown) => {
    void answering.then((late) => late.body?.cancel()).catch(() => {});
    if (signal.aborted) throw signal.reason;
    throw new NetworkError(`${host} could not be reached: ${failureAt(host, error)}`, { cause: error });
  });
  watch.alive();
  checkMark(response, planned, watch);
  if (response.status === 304 && etag !== null) return response;
  await checkStatus(response, watch);
  // Caching a response requires the bytes of its body, so points are passed on as objects only if the response is not
  // cached.
  const carried = isCached ? undefined : carriedPoints(response);
  return carried === undefined ? watchBody(response, watch) : watchPoints(response, carried, watch);
}

function watchBody(answered: Response, watch: Watch): Response {
  if (answered.body === null) return answered;
  const reader = answered.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const cancel = () => void reader.cancel().catch(() => {});
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const part = await awaitPart(reader.read(), watch).finally(() => watch.signal.aborted && cancel());
        if (part.done) return controller.close();
        watch.alive();
        watch.onBytes?.(part.value.byteLength);
        controller.enqueue(part.value);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  const { status, headers } = answered;
  return new Response(body, { status, headers });
}

/** Reports each batch of points to `watch`. An in-process service passes points as objects rather than as bytes. */
function watchPoints({ status, headers }: Response, carried: CarriedPoints, watch: Watch): Response {
  const points = new CarriedPoints(carried.series, watchBatches(carried.take(), watch));
  return carryPoints(new Response(null, { status, headers }), points);
}

type Batches = ReturnType<CarriedPoints['take']>;

async function* watchBatches(batches: Batches, watch: Watch): Batches {
  try {
    for (;;) {
      const next = await awaitPart(batches.next(), watch);
      if (next.done === true) return;
      watch.alive();
      watch.onBytes?.(next.value.reduce((bytes, { value }) => bytes + value.byteLength, 0));
      yield next.value;
    }
  } finally {
    void batches.return().catch(() => {});
  }
}

async function awaitPart<Part>(part: Promise<Part>, { name, signal }: Watch): Promise<Part> {
  try {
    return await rejectOnAbort(part, signal);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const message = `${name}: the connection broke before the response was complete: ${reasonOf(cause)}`;
    throw new NetworkError(message, { cause });
  }
}

/** Returns the message of an error's cause, if there is one, because `fetch` errors themselves say little. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return `${cause.message || cause.name}${isUntrusted(cause) ? UNTRUSTED : ''}`;
}

const UNTRUSTED =
  ' (if you created the certificate, set NODE_EXTRA_CA_CERTS to the file of the certificate or of its authority)';

function isUntrusted({ code }: Error & { code?: unknown }): boolean {
  return typeof code === 'string' && /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)/.test(code);
}

/** Explains why a service could not be reached. If the URL scheme (http or https) is wrong, suggests the right one. */
function failureAt(host: string, error: unknown): string {
  const { cause, code } = error as { readonly cause?: { readonly code?: unknown }; readonly code?: unknown };
  const failure = String(cause?.code ?? code);
  if (host.startsWith('https:') && failure === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return `it does not use TLS, so its address is ${host.replace('https:', 'http:')}`;
  const reason = reasonOf(error);
  // A TLS server closes the connection in this way if it receives plain HTTP.
  const isHangUp = ['ECONNRESET', 'UND_ERR_SOCKET'].includes(failure);
  return host.startsWith('http:') && isHangUp
    ? `${reason} (it closed the connection without responding; if it uses TLS, its address is ${host.replace('http:', 'https:')})`
    : reason;
}

/** Records the response's status and requested retry delay in `hint`. @throws HttpError if the status is an error */
async function checkStatus(response: Response, { name, signal, hint }: Watch): Promise<void> {
  const { status, ok, type, headers } = response;
  hint.status = status;
  if (ok) return;
  hint.retryAfterMs = readRetryAfter(headers.get('retry-after'), headers.get('date'));
  if (status < 400) {
    void response.body?.cancel().catch(() => {});
    const location = headers.get('location');
    // Browsers report a redirect as opaque and hide its target.
    if (type === 'opaqueredirect' || location !== null) {
      const target = location === null ? '' : ` to ${location.slice(0, 200)}`;
      const problem = `responded with a redirect${target}; set api_host to the address of the service itself`;
      throw badAnswer(name, problem);
    }
    const problem = `responded with the unexpected status ${status}; check that this is the address of a cropframe service`;
    throw badAnswer(name, problem, { damaged: true });
  }
  const text = await rejectOnAbort(response.text(), signal).catch(() => '');
  signal.throwIfAborted();
  const requestId = requestIdOf(response);
  throw errorOfStatus(status, name, { text, retryAfterMs: hint.retryAfterMs, requestId });
}

/** Checks a response's request hash, if there is one. @throws ContractError if the response is for another request */
function checkMark(response: Response, planned: PlannedRequest, { name }: Watch): void {
  const mark = response.headers.get(ANSWER_OF);
  if (mark === null || mark === planned.mark()) return;
  void response.body?.cancel().catch(() => {});
  const problem = 'the response belongs to a different request; a proxy or cache may have mixed them up';
  throw badAnswer(name, problem, { damaged: true });
}

/** Returns the id under which the service logs the request, or null if it is missing, too long or unsafe to show. */
export function requestIdOf({ headers }: Response): string | null {
  const id = headers.get(REQUEST_ID);
  return id !== null && /^[\x21-\x7e]{1,128}$/.test(id) ? id : null;
}

/** Settles like the promise, or rejects with the signal's reason as soon as the signal aborts. */
function rejectOnAbort<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(leave);
  });
}
