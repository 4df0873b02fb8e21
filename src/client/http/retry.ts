import { FINAL_STATUSES } from '../../contract/problems.js';
import { ContractError, HttpError, NetworkError, TimeoutError } from '../../model/errors.js';

/** How often and how patiently a request is tried again. */
export interface RetryPolicy {
  /** Tries after the first one. */
  readonly retries: number;
  /** Longest wait before the first retry; doubles with each. */
  readonly firstWaitMs: number;
  /** Maximum wait before a retry. */
  readonly longestWaitMs: number;
  /** A service that asks to wait longer than this is taken to have refused. */
  readonly longestRetryAfterMs: number;
}

/** Four tries after the first. */
export const DEFAULT_RETRY: RetryPolicy = {
  retries: 4,
  firstWaitMs: 250,
  longestWaitMs: 30_000,
  longestRetryAfterMs: 120_000,
};

/** What a failed try learnt: how long the service asked to wait. */
export interface RetryHint {
  retryAfterMs: number | null;
}

/** Holds every request of a client back while the service wants none. */
export class RateGate {
  #opensAt = 0;

  holdFor(ms: number): void {
    this.#opensAt = Math.max(this.#opensAt, performance.now() + ms);
  }

  async pass(signal: AbortSignal | undefined): Promise<void> {
    for (let wait = this.#waitMs(); wait > 0; wait = this.#waitMs()) await pause(wait, signal);
  }

  #waitMs(): number {
    return this.#opensAt - performance.now();
  }
}

/**
 * Runs `attempt` until it succeeds, fails for good, or the tries are used up; waits with full jitter in between (a
 * random time up to a ceiling that doubles), and at least as long as the service asked for.
 * @throws the last failure, or the signal's reason
 */
export async function withRetries<Result>(
  attempt: (hint: RetryHint) => Promise<Result>,
  { policy, gate, signal }: { policy: RetryPolicy; gate: RateGate; signal: AbortSignal | undefined },
): Promise<Result> {
  for (let tried = 0; ; tried++) {
    signal?.throwIfAborted();
    await gate.pass(signal);
    const hint: RetryHint = { retryAfterMs: null };
    try {
      return await attempt(hint);
    } catch (error) {
      signal?.throwIfAborted();
      const asked = hint.retryAfterMs ?? 0;
      if (tried >= policy.retries || !mayPass(error) || asked > policy.longestRetryAfterMs) throw error;
      if (asked > 0) gate.holdFor(asked);
      await pause(jitterMs(tried, policy), signal);
    }
  }
}

/** Whether asking again could help. */
export function mayPass(error: unknown): boolean {
  if (error instanceof HttpError) return !FINAL_STATUSES.has(error.status) && error.status >= 400;
  return error instanceof NetworkError || error instanceof TimeoutError || error instanceof ContractError;
}

function jitterMs(tried: number, { firstWaitMs, longestWaitMs }: RetryPolicy): number {
  return Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** tried);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms <= 0) return Promise.resolve();
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

/** Milliseconds of a `Retry-After` header: seconds, or a date; null when it is neither. */
export function readRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
