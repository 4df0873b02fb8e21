import { ContractError, HttpError, NetworkError, TimeoutError } from '../model/errors.js';
import { onAbort } from '../model/linked-abort.js';
import { integer } from '../model/schema/schemas.js';

export const RETRY_KEYS = {
  /** The maximum number of retries after the first attempt. */
  retries: integer(),
  /** The maximum wait before the first retry, in milliseconds. This maximum doubles with each further retry. */
  firstWaitMs: integer(),
  /** The maximum wait before any retry, in milliseconds. */
  maxWaitMs: integer(),
  /** If the service asks the client to wait longer than this many milliseconds, the request is not retried. */
  maxRetryAfterMs: integer(),
};
/** How often a request is retried, and how long to wait between attempts. */
export type RetryPolicy = { readonly [Key in keyof typeof RETRY_KEYS]: number };

const DEFAULT_POLICY: RetryPolicy = {
  retries: 4,
  firstWaitMs: 250,
  maxWaitMs: 30_000,
  maxRetryAfterMs: 120_000,
};

/** One attempt at a request, for logging. It never contains the access token. */
export interface RequestAttempt {
  /** The name of the service operation, as in `/openapi.json`. */
  readonly endpoint: string;
  /** The number of the attempt, starting at 1. */
  readonly attempt: number;
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  /** The time until the response was read or the attempt failed, in milliseconds. */
  readonly durationMs: number;
  /** Why the attempt failed; absent if it succeeded. */
  readonly error?: string | undefined;
  /** The wait before the next attempt, in milliseconds; absent if there is no next attempt. */
  readonly retryInMs?: number | undefined;
}

/** Information from an attempt that determines whether and when to retry the request. */
export interface RetryHint {
  /** How long the service asked the client to wait, in milliseconds; null if it did not. */
  retryAfterMs: number | null;
  status: number | null;
  /** Whether the attempt got further than all previous attempts. If so, the retry count is reset. */
  hasAdvanced: boolean;
}

interface RetryOptions {
  /** The minimum time between the starts of two attempts, in milliseconds. */
  readonly betweenMs?: number | undefined;
  readonly log?: ((attempt: RequestAttempt) => void) | undefined;
}

/** Returns a function that sends requests, with retries. If the service asks one request to wait, all requests wait. */
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
   * Runs `attempt` until it succeeds, fails permanently or has used all retries. The wait before a retry is random, up
   * to a maximum that doubles with each retry (full jitter), but at least as long as the service asks for.
   * @param once whether the request must not be retried
   * @throws the last failure, or the signal's reason if the signal is aborted
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

/** The 4xx statuses after which a retry may succeed: request timeout, too early and too many requests. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Checks whether a request that failed with this error might succeed on a retry. */
export function isTransient(error: unknown): boolean {
  if (error instanceof HttpError) return error.status >= 500 || TRANSIENT_STATUSES.has(error.status);
  if (error instanceof ContractError) return error.damaged;
  return (error instanceof NetworkError && !isRefused(error)) || error instanceof TimeoutError;
}

function isRefused({ cause }: Error): boolean {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  if (typeof code === 'string') return FINAL_CODES.test(code);
  return cause instanceof Error && isRefused(cause);
}

const FINAL_CODES = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|UND_ERR_INVALID|ERR_INVALID_URL)/;

/**
 * Converts a `Retry-After` header to milliseconds. Returns null if the header is neither a number of seconds nor a
 * date.
 * @param dateHeader the response's `Date` header, so that a retry date is compared with the server's own clock
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
