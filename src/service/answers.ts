import { problemBody, statusOfError } from '../contract/problems.js';
import { RateLimitError } from '../model/errors.js';

/** An answer of one JSON value. */
export function jsonAnswer(_request: Request, value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });
}

/** The answer to a failed request: its status, and a body that says what was wrong. */
export function problemAnswer(error: unknown): Response {
  const headers = new Headers({ 'content-type': 'application/json' });
  if (error instanceof RateLimitError && error.retryAfterMs !== null) {
    headers.set('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
  }
  return new Response(JSON.stringify(problemBody(error)), { status: statusOfError(error), headers });
}
