import pLimit from 'p-limit';
import type { EndpointAnswer, EndpointName } from '../../contract/endpoints.js';
import { ContractError, NetworkError } from '../../model/errors.js';
import type { Cancellable } from '../../model/progress.js';
import { readJson } from './answer.js';
import { type AnswerCache, asResponse, cacheKey, isCacheable } from './answer-cache.js';
import { type AnswerOrigin, type ExchangeOptions, exchange, type Fetch, type Watch } from './exchange.js';
import {
  followIdRedirects,
  IdsRedirected,
  MAX_REDIRECTS,
  readIdRedirects,
  unfollowable,
} from './id-redirects.js';
import { withIdleTimeout } from './idle-timer.js';
import { planRequest, type RequestParts } from './request.js';
import { DEFAULT_RETRY, RateGate, type RetryHint, type RetryPolicy, withRetries } from './retry.js';

/** How a client asks its service. */
export interface TransportOptions {
  /** Origin of the service, with its scheme. */
  readonly host: string;
  readonly token: string | null;
  readonly fetch?: Fetch | undefined;
  /** Requests under way at once. */
  readonly concurrency?: number | undefined;
  /** Longest silence of a connection. */
  readonly timeoutMs?: number | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  readonly cache?: AnswerCache | null | undefined;
  /** True asks the cache alone. */
  readonly offline?: boolean | undefined;
}

/** One operation's request. */
export interface Call extends RequestParts, Cancellable {
  /** Told of every piece of the answer as it arrives. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** Where an answer came from, and whether ids had to be followed to it. */
export interface Origin extends AnswerOrigin {
  readonly moved: boolean;
}

/** Asks the service: limits, times out, retries, follows moved ids, and checks status and content type before decoding. */
export interface Transport {
  readonly host: string;
  /** Requests under way at once. */
  readonly concurrency: number;
  /** True when answers may come from a cache. */
  readonly caches: boolean;
  /** One JSON answer; null for an empty one. */
  json<Name extends EndpointName>(name: Name, call: Call): Promise<EndpointAnswer<Name> | null>;
  /**
   * Reads an answer within the same try, so that a broken body is asked for again. A call given as a function is made
   * anew for each try, so that it may ask only for what has not arrived.
   */
  read<Result>(
    name: EndpointName,
    call: Call | (() => Call),
    reader: (response: Response, origin: Origin) => Promise<Result>,
  ): Promise<Result>;
}

const DEFAULT_CONCURRENCY = 10;
const DEFAULT_TIMEOUT_MS = 60_000;

/** @throws ArgumentError when the concurrency is not a whole number above zero */
export function createTransport(options: TransportOptions): Transport {
  const { host, token, cache = null, offline = false } = options;
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  const limit = pLimit(concurrency);
  const policy = { ...DEFAULT_RETRY, ...options.retry };
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const gate = new RateGate();
  const sending = { host, token, cache, send: options.fetch ?? ((request: Request) => fetch(request)) };

  const read: Transport['read'] = (name, given, reader) => {
    const callOf = typeof given === 'function' ? given : () => given;
    const { signal } = callOf();
    return limit(async () => {
      signal?.throwIfAborted();
      if (offline) return readOffline(name, callOf(), { ...sending, reader });
      const attempt = (hint: RetryHint) =>
        withIdleTimeout({ name, timeoutMs, signal }, (signal, alive) => {
          const call = callOf();
          return readFollowing(call, reader, {
            sending,
            watch: { name, signal, alive, hint, onBytes: call.onBytes },
          });
        });
      return withRetries(attempt, { policy, gate, signal });
    });
  };

  return {
    host,
    concurrency,
    caches: cache !== null,
    read,
    json: (name, call) => read(name, call, (response) => readJson(name, response)) as Promise<never>,
  };
}

type Reader<Result> = (response: Response, origin: Origin) => Promise<Result>;

/** One try, with as many requests as ids moved. @throws IdsMoved when they moved for a request with a body */
async function readFollowing<Result>(
  call: Call,
  reader: Reader<Result>,
  { sending, watch }: { sending: ExchangeOptions; watch: Watch },
): Promise<Result> {
  const { name } = watch;
  let query = call.query ?? {};
  for (let moves = 0; moves <= MAX_REDIRECTS; moves++) {
    const { response, origin, ...answer } = await exchange(
      await planRequest(name, { ...call, query }, sending.host),
      sending,
      watch,
    );
    try {
      if (response.status === 301) {
        const moved = await readIdRedirects(name, await response.text());
        if (call.body !== undefined) throw new IdsRedirected(moved);
        query = followIdRedirects(name, query, moved);
        continue;
      }
      const result = await reader(response, { ...origin, moved: moves > 0 });
      await answer.accept();
      return result;
    } catch (error) {
      if (error instanceof ContractError) await answer.refuse();
      throw error;
    } finally {
      answer.release();
    }
  }
  throw unfollowable(name);
}

/** @throws NetworkError when the cache does not hold the answer */
async function readOffline<Result>(
  name: EndpointName,
  call: Call,
  { host, token, cache, reader }: ExchangeOptions & { reader: Reader<Result> },
): Promise<Result> {
  const planned = await planRequest(name, call, host);
  const stored = isCacheable(planned) ? await cache?.find(await cacheKey(planned, token)) : null;
  if (stored === null || stored === undefined)
    throw new NetworkError(`${name}: offline, and the cache holds no answer to ${planned.url}`);
  const { answeredAt } = stored;
  return reader(asResponse(stored), { fromCache: true, answeredAt, moved: false });
}
