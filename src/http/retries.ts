import { ContractError, HttpError, NetworkError, TimeoutError } from '../model/errors.js';
import { onAbort } from '../model/linked-abort.js';
import { integer } from '../model/schema/schemas.js';

/** The schemas of `RetryPolicy`. */
export const RETRY_KEYS = {
  /** Number of tries after the first. */
  retries: integer(),
  /** Maximum wait before the first retry, in milliseconds; doubles with each retry. */
  firstWaitMs: integer(),
  /** Maximum wait before any retry, in milliseconds. */
  maxWaitMs: integer(),
  /** A request is not retried if the service requests a longer wait than this, in milliseconds. */
  maxRetryAfterMs: integer(),
};
/** The number of retries of a request, and the waits between them. */
export type RetryPolicy = { readonly [Key in keyof typeof RETRY_KEYS]: number };

const DEFAULT_POLICY: RetryPolicy = {
  retries: 4,
  firstWaitMs: 250,
  maxWaitMs: 30_000,
  maxRetryAfterMs: 120_000,
};

/** One attempt of a request, for a log. It never contains the access token. */
export interface RequestAttempt {
  /** The operation of the service, as named in `/openapi.json`. */
  readonly endpoint: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Time until the response was read or failed, in milliseconds. */
  readonly durationMs: number;
  /** Why the attempt failed; absent if it succeeded. */
  readonly error?: string | undefined;
  /** Wait before the next attempt, in milliseconds; absent if there is none. */
  readonly retryInMs?: number | undefined;
}

/** Information about an attempt that determines its retries. */
export interface RetryHint {
  /** The wait that the service requested. */
  retryAfterMs: number | null;
  status: number | null;
  /** Whether the attempt progressed further than all previous ones. The count of retries then starts again. */
  hasAdvanced: boolean;
}

interface RetryOptions {
  /** Minimum time between the beginnings of two attempts, in milliseconds. */
  readonly betweenMs?: number | undefined;
  readonly log?: ((attempt: RequestAttempt) => void) | undefined;
}

/** Creates a function that retries a client's requests. If the service asks one request to wait, all of them wait. */
export function createRetries(
  given: Partial<RetryPolicy> | undefined,
  { betweenMs = 0, log }: RetryOptions = {},
) {
  const policy = { ...DEFAULT_POLICY, ...given };
  let heldUntil = 0;
  const hold = (ms: number): void => {
    if (ms > 0) heldUntil = Math.max(heldUntil, performance.now() + ms);
  };
  /**
   * Runs `attempt` until it succeeds, fails permanently, or has used all tries. Between tries it waits with full jitter
   * (a random time up to a maximum that doubles), and at least as long as the service requests.
   * @param once whether the request must not run twice
   * @throws the last failure, or the signal's reason
   */
  return async <Result>(
    attempt: (hint: RetryHint) => Promise<Result>,
    { endpoint, once = false, signal }: { endpoint: string; once?: boolean; signal: AbortSignal | undefined },
  ): Promise<Result> => {
    const retries = once ? 0 : policy.retries;
    for (let tried = 0; ; tried++) {
      signal?.throwIfAborted();
      while (heldUntil > performance.now()) await pause(heldUntil - performance.now(), signal);
      hold(betweenMs);
      const hint: RetryHint = { retryAfterMs: null, status: null, hasAdvanced: false };
      const began = performance.now();
      const report = (outcome: Pick<RequestAttempt, 'error' | 'retryInMs'>): void => {
        const durationMs = performance.now() - began;
        log?.({ endpoint, attempt: tried + 1, status: hint.status, durationMs, ...outcome });
      };
      try {
        const result = await attempt(hint);
        report({});
        return result;
      } catch (failure) {
        const error = failure instanceof Error ? failure.message : String(failure);
        const requestedMs = hint.retryAfterMs ?? 0;
        if (hint.hasAdvanced) tried = 0;
        const isFinal = tried >= retries || !isTransient(failure) || requestedMs > policy.maxRetryAfterMs;
        const waitMs = jitterMs(tried, policy);
        report(isFinal || signal?.aborted ? { error } : { error, retryInMs: Math.max(waitMs, requestedMs) });
        signal?.throwIfAborted();
        if (isFinal) throw failure;
        hold(requestedMs);
        await pause(waitMs, signal);
      }
    }
  };
}

/** Client errors after which a retry may succeed: timeout, too early, too many requests. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Checks whether a retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof HttpError) return error.status >= 500 || TRANSIENT_STATUSES.has(error.status);
  if (error instanceof ContractError) return error.damaged;
  return (error instanceof NetworkError && !isRefused(error)) || error instanceof TimeoutError;
}

/** Checks whether an error is an invalid certificate or an invalid address. */
function isRefused({ cause }: Error): boolean {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  if (typeof code === 'string') return FINAL_CODES.test(code);
  return cause instanceof Error && isRefused(cause);
}

const FINAL_CODES = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|UND_ERR_INVALID|ERR_INVALID_URL)/;

/**
 * Returns a `Retry-After` header in milliseconds, or null if it is neither seconds nor a date.
 * @param dateHeader the `Date` header of the response, so that a retry date is measured by the server's clock
 */
export function readRetryAfter(header: string | null, dateHeader: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const until = Date.parse(header);
  if (Number.isNaN(until)) return null;
  const sent = Date.parse(dateHeader ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? Date.now() : sent));
}

function jitterMs(tried: number, { firstWaitMs, maxWaitMs }: RetryPolicy): number {
  return Math.random() * Math.min(maxWaitMs, firstWaitMs * 2 ** tried);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let leave = () => {};
    const timer = setTimeout(() => {
      leave();
      resolve();
    }, ms);
    if (signal === undefined) return;
    leave = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
