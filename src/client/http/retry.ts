import { FINAL_STATUSES } from '../../contract/problems.js';
import { ContractError, HttpError, NetworkError, TimeoutError } from '../../model/errors.js';
import { onAbort } from '../../model/linked-abort.js';

/** How often a request is retried, and after which waits. */
export interface RetryPolicy {
  /** Number of tries after the first. */
  readonly retries: number;
  /** Maximum wait before the first retry, in milliseconds; doubles with each retry. */
  readonly firstWaitMs: number;
  /** Maximum wait before any retry, in milliseconds. */
  readonly maxWaitMs: number;
  /** A request is not retried when the service asks for a longer wait than this, in milliseconds. */
  readonly maxRetryAfterMs: number;
}

/** One attempt of a request, for a log. It never holds the access token. */
export interface RequestAttempt {
  /** The operation of the service, as `/openapi.json` names it. */
  readonly endpoint: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Time until the response was read or failed, in milliseconds. */
  readonly durationMs: number;
  /** Why it failed; absent for an attempt that succeeded. */
  readonly error?: string | undefined;
  /** Wait before the next attempt, in milliseconds; absent if there is none. */
  readonly retryInMs?: number | undefined;
}

/** Facts of a response that its retries need: the wait that the service requested, and the HTTP status. */
export interface RetryHint {
  retryAfterMs: number | null;
  status: number | null;
}

/** Creates the retries of a client. All its requests wait while the service asks one of them to. */
export function createRetries(policy: RetryPolicy, log?: (attempt: RequestAttempt) => void) {
  let heldUntil = 0;
  /**
   * Runs `attempt` until it succeeds, fails for good, or has used all tries. Between tries it waits with full jitter (a
   * random time up to a maximum that doubles), and at least as long as the service asks for.
   * @param once true for a request that must not run twice
   * @throws the last failure, or the signal's reason
   */
  return async <Result>(
    attempt: (hint: RetryHint) => Promise<Result>,
    { endpoint, once, signal }: { endpoint: string; once: boolean; signal: AbortSignal | undefined },
  ): Promise<Result> => {
    const retries = once ? 0 : policy.retries;
    for (let tried = 0; ; tried++) {
      signal?.throwIfAborted();
      while (heldUntil > performance.now()) await pause(heldUntil - performance.now(), signal);
      const hint: RetryHint = { retryAfterMs: null, status: null };
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
        const isFinal = tried >= retries || !isTransient(failure) || requestedMs > policy.maxRetryAfterMs;
        const waitMs = jitterMs(tried, policy);
        report(isFinal || signal?.aborted ? { error } : { error, retryInMs: Math.max(waitMs, requestedMs) });
        signal?.throwIfAborted();
        if (isFinal) throw failure;
        if (requestedMs > 0) heldUntil = Math.max(heldUntil, performance.now() + requestedMs);
        await pause(waitMs, signal);
      }
    }
  };
}

/** Checks whether a retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof HttpError) return !FINAL_STATUSES.has(error.status) && error.status >= 400;
  if (error instanceof ContractError) return error.damaged;
  return error instanceof NetworkError || error instanceof TimeoutError;
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
