import { AuthenticationError, HttpError, NetworkError, TimeoutError } from '../../model/errors.js';

/** Failures in a row after which the service is held to be gone. */
const ENOUGH_FAILURES = 10;

/**
 * Notices that a service cannot be had at all, so that a fan-out over a thousand series does not try each of them as
 * long as the first.
 */
export class CircuitBreaker {
  #inARow = 0;
  #last: unknown = null;

  succeeded(): void {
    this.#inARow = 0;
  }

  failed(cause: unknown): void {
    if (concernsAll(cause)) this.#inARow = Math.max(this.#inARow, ENOUGH_FAILURES);
    else if (isOutage(cause)) this.#inARow++;
    else return;
    this.#last = cause;
  }

  /** Throws the failure that stands for all that would follow, once there were enough of them. */
  check(): void {
    if (this.#inARow >= ENOUGH_FAILURES) throw this.#last;
  }
}

/** A token that is refused, or lacks a right, is so for every series. */
function concernsAll(cause: unknown): boolean {
  return cause instanceof AuthenticationError || (cause instanceof HttpError && cause.status === 402);
}

function isOutage(cause: unknown): boolean {
  if (cause instanceof HttpError) return cause.status >= 500;
  return cause instanceof NetworkError || cause instanceof TimeoutError;
}
