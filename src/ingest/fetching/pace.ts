import { setTimeout as sleep } from 'node:timers/promises';
import { FetchFailure } from './failure.js';

/** Waits between requests, in milliseconds. */
export interface Pace {
  /** Between the ends and beginnings of two requests. */
  readonly betweenMs: number;
  /** Before the first retry; it doubles with each, up to a minute. */
  readonly firstRetryMs: number;
  /** The longest wait of a server that is heeded; after a longer one the request fails. */
  readonly maxRetryAfterMs: number;
  /** Retries in a row that come no further. */
  readonly retries: number;
}

export const DEFAULT_PACE: Pace = {
  betweenMs: 200,
  firstRetryMs: 1000,
  maxRetryAfterMs: 300_000,
  retries: 5,
};

const MAX_RETRY_MS = 60_000;

/**
 * Runs `attempt` until it succeeds or fails for good. A failed attempt that came further than those before
 * starts the count of retries anew.
 * @param attempt reports when it has come further than any before
 * @throws the last FetchFailure, or the signal's reason
 */
export async function withRetries<Result>(
  attempt: (onAdvance: () => void) => Promise<Result>,
  { pace, signal }: { readonly pace: Pace; readonly signal?: AbortSignal | undefined },
): Promise<Result> {
  for (let failed = 0; ; ) {
    signal?.throwIfAborted();
    try {
      return await attempt(() => {
        failed = 0;
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof FetchFailure) || !error.mayRetry || failed >= pace.retries) throw error;
      if ((error.retryAfterMs ?? 0) > pace.maxRetryAfterMs) throw error;
      const backOff = Math.min(MAX_RETRY_MS, pace.firstRetryMs * 2 ** failed);
      await wait(Math.max(error.retryAfterMs ?? 0, backOff * (0.5 + Math.random() / 2)), signal);
      failed++;
    }
  }
}

/** Waits, and ends with the signal's reason when it is aborted. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms <= 0) return;
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
