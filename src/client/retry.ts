import { FINAL_STATUSES } from '../contract/problems.js';
import { ContractError, HttpError, NetworkError, RateLimitError, TimeoutError } from '../model/errors.js';

export interface RetryPolicy {
  /** Tries after the first one. */
  readonly retries: number;
  /** Longest wait before the first retry; doubles with each. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 4, firstWaitMs: 250, longestWaitMs: 30_000 };

/**
 * Runs `attempt` until it succeeds, fails for good, or the tries are used up; waits with full jitter in between, or as
 * long as the service asked for.
 * @throws the last failure, or the signal's reason
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let tried = 0; ; tried += 1) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (tried >= policy.retries || !mayPass(error)) throw error;
      await pause(waitMs(error, tried, policy), signal);
    }
  }
}

/** Whether asking again could help. */
function mayPass(error: unknown): boolean {
  if (error instanceof HttpError) return !FINAL_STATUSES.has(error.status) && error.status >= 400;
  return error instanceof NetworkError || error instanceof TimeoutError || error instanceof ContractError;
}

function waitMs(error: unknown, tried: number, policy: RetryPolicy): number {
  const asked = error instanceof RateLimitError ? error.retryAfterMs : null;
  const ceiling = Math.min(policy.longestWaitMs, policy.firstWaitMs * 2 ** tried);
  return Math.max(asked ?? 0, Math.random() * ceiling);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
