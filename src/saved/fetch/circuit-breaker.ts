import { AuthenticationError, HttpError, NetworkError, TimeoutError } from '../../model/errors.js';

/** Consecutive failures after which the service counts as unavailable. */
const MAX_CONSECUTIVE_FAILURES = 10;

/** Stops a fan-out over a thousand series from retrying each of them when the service is unavailable. */
export class CircuitBreaker {
  #consecutiveFailures = 0;
  #lastFailure: unknown = null;

  recordSuccess(): void {
    this.#consecutiveFailures = 0;
  }

  recordFailure(cause: unknown): void {
    if (failsEverySeries(cause)) this.#consecutiveFailures = MAX_CONSECUTIVE_FAILURES;
    else if (isOutage(cause)) this.#consecutiveFailures++;
    else return;
    this.#lastFailure = cause;
  }

  /** @throws the last failure, once there were too many of them */
  check(): void {
    if (this.#consecutiveFailures >= MAX_CONSECUTIVE_FAILURES) throw this.#lastFailure;
  }
}

/** A token that is refused or lacks a right is so for every series. */
function failsEverySeries(cause: unknown): boolean {
  return cause instanceof AuthenticationError || (cause instanceof HttpError && cause.status === 402);
}

function isOutage(cause: unknown): boolean {
  if (cause instanceof HttpError) return cause.status >= 500;
  return cause instanceof NetworkError || cause instanceof TimeoutError;
}
