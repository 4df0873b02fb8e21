import pLimit from 'p-limit';
import type { Endpoint } from '../../contract/addresses.js';
import { type EndpointAnswer, type EndpointName, endpoints } from '../../contract/endpoints.js';
import { STORE_VERSION } from '../../contract/wire-names.js';
import { createRetries, type RequestAttempt, type RetryHint, type RetryPolicy } from '../../http/retries.js';
import { badAnswer, ContractError, CropframeError, NetworkError, TimeoutError } from '../../model/errors.js';
import { linkAbort } from '../../model/linked-abort.js';
import type { Cancellable } from '../../model/progress.js';
import { readAnswer, readJsonBody } from './answer.js';
import { type AnswerCache, cacheKey, fromStored, toStored } from './answer-cache.js';
import { type ExchangeOptions, exchange, requestIdOf, type Watch } from './exchange.js';
import { type Fetch, type PlannedRequest, planRequest, type RequestParts } from './request.js';

export interface TransportOptions {
  readonly host: string;
  readonly token: string | null;
  readonly fetch?: Fetch | undefined;
  readonly concurrency?: number | undefined;
  readonly timeout_ms?: number | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  readonly cache?: Promise<AnswerCache> | undefined;
  readonly logger?: ((attempt: RequestAttempt) => void) | undefined;
  readonly offline?: boolean | undefined;
}

/** Options for aborting a retrieval and counting its bytes. */
export interface ByteWatch extends Cancellable {
  /** Called with the size of each piece of the response as it arrives. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

export interface Call extends RequestParts, ByteWatch {
  /** If true, the request is never retried, because it must not run twice. */
  readonly once?: boolean | undefined;
  /** Returns the request for an attempt, so that a retry can ask for only the missing points or send less data. */
  readonly renew?: (() => RequestParts) | undefined;
}

/** Sends requests with a concurrency limit, timeouts and retries. Checks each response before decoding it. */
export interface Transport {
  readonly host: string;
  readonly concurrency: number;
  readonly caches: boolean;
  json<Name extends EndpointName>(name: Name, call: Call): Promise<EndpointAnswer<Name>>;
  /** Sends a request and reads its response. If the body is incomplete, the request is sent again. */
  read<Result>(name: EndpointName, call: Call, reader: Reader<Result>): Promise<Result>;
}

export function createTransport(options: TransportOptions): Transport {
  const { host, token, cache, offline, concurrency = 10, timeout_ms: timeoutMs = 60_000 } = options;
  const limit = pLimit(concurrency);
  const retried = createRetries(options.retry, { log: options.logger });
  const sending = { host, token, cache, fetch: options.fetch ?? ((request) => fetch(request)) };

  const read: Transport['read'] = (name, call, reader) =>
    limit(async () => {
      const { signal, once = false, onBytes } = call;
      signal?.throwIfAborted();
      if (offline) return readOffline(name, call, { ...sending, reader });
      const attempt = (hint: RetryHint) =>
        withIdleTimeout({ name, timeoutMs, signal }, (signal, alive) => {
          const watch = { name, signal, alive, hint, onBytes };
          return readOnce({ ...call, ...call.renew?.() }, reader, { sending, watch });
        });
      return retried(attempt, { endpoint: name, once, signal });
    });

  return {
    host,
    concurrency,
    caches: cache !== undefined,
    read,
    json: (name, call) => read(name, call, async (response) => (await readJson(name, response)) as never),
  };
}

export interface AnswerOrigin {
  /** Whether the response came from the cache, either after revalidation or because the client is offline. */
  readonly fromCache: boolean;
  /** When the service last confirmed the response, in ISO 8601 UTC. */
  readonly answeredAt: string;
  /** The version of the store that the response was read from; null if unknown. */
  readonly storeVersion: string | null;
}

type Reader<Result> = (response: Response, origin: AnswerOrigin) => Promise<Result>;

type Sending = Pick<ExchangeOptions, 'host' | 'token' | 'fetch'> & Pick<TransportOptions, 'cache'>;

/** Sends a request without retries and reads its response, which is cached once it has been read completely. */
async function readOnce<Result>(
  call: Call,
  reader: Reader<Result>,
  { sending, watch }: { sending: Sending; watch: Watch },
): Promise<Result> {
  const planned = planRequest(watch.name, call, sending.host);
  const { cache, key, stored } = await findStored(planned, sending);
  const answeredAt = new Date().toISOString();
  const etag = stored?.etag ?? null;
  const answer = await exchange(planned, { ...sending, etag, isCached: key !== null }, watch);
  const fromCache = answer.status === 304;
  const copy = key === null || fromCache ? null : answer.clone();
  const response = fromCache ? fromStored(stored!) : answer;
  try {
    const storeVersion = answer.headers.get(STORE_VERSION);
    const result = await reader(response, { fromCache, answeredAt, storeVersion });
    const entry = copy === null ? stored && { ...stored, answeredAt } : await toStored(copy, answeredAt);
    if (key !== null && entry !== null) await cache!.put(key, entry);
    return result;
  } catch (error) {
    if (key !== null && error instanceof ContractError) await cache!.remove(key);
    throw withRequestId(error, response);
  } finally {
    for (const { body } of [response, copy ?? response]) void body?.cancel().catch(() => {});
  }
}

/** Finds the cached response to a request, and its key, which is null if the response must not be cached. */
async function findStored(planned: PlannedRequest, { cache: opening, token }: Sending) {
  const cache = await opening;
  const key = cache === undefined ? null : await cacheKey(planned, token);
  return { cache, key, stored: key === null ? null : await cache!.find(key) };
}

function withRequestId(error: unknown, response: Response): unknown {
  const isUnnamed = error instanceof CropframeError && (error.requestId ?? null) === null;
  return isUnnamed ? Object.assign(error, { requestId: requestIdOf(response) }) : error;
}

async function readOffline<Result>(
  name: EndpointName,
  call: Call,
  { reader, ...sending }: Sending & { reader: Reader<Result> },
): Promise<Result> {
  const planned = planRequest(name, call, sending.host);
  const { stored } = await findStored(planned, sending);
  if (stored === null)
    throw new NetworkError(
      `${name}: the client is offline, and its cache has no response for ${planned.url}`,
    );
  return reader(fromStored(stored), { fromCache: true, answeredAt: stored.answeredAt, storeVersion: null });
}

/** Runs a step, and aborts it with a TimeoutError if it does not call `alive` for `timeoutMs`. */
async function withIdleTimeout<Result>(
  { name, timeoutMs, signal }: { name: string; timeoutMs: number; signal: AbortSignal | undefined },
  step: (signal: AbortSignal, alive: () => void) => Promise<Result>,
): Promise<Result> {
  const linked = linkAbort(signal);
  let heardAt = performance.now();
  let timer: ReturnType<typeof setTimeout>;
  const check = (): void => {
    const left = heardAt + timeoutMs - performance.now();
    const message = `${name}: no data received for ${timeoutMs} ms; check whether the service has hung, then try again`;
    if (left > 0) timer = setTimeout(check, left);
    else linked.abort(new TimeoutError(timeoutMs, message));
  };
  timer = setTimeout(check, timeoutMs);
  try {
    return await step(linked.signal, () => {
      heardAt = performance.now();
    });
  } catch (error) {
    throw linked.signal.aborted ? linked.signal.reason : error;
  } finally {
    clearTimeout(timer);
    linked.unlink();
  }
}

async function readJson(name: EndpointName, response: Response): Promise<unknown> {
  const isEmpty = response.status === 204;
  const body = isEmpty ? null : await readJsonBody(name, response);
  const { answer, emptyIs204 } = endpoints[name] as Endpoint;
  if (isEmpty) {
    if (emptyIs204 === true) return [];
    throw badAnswer(name, 'responded with 204 (no content), but a response body was expected');
  }
  return readAnswer(name, answer!, body);
}
