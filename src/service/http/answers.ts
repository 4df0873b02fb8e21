import { createHash } from 'node:crypto';
import { CONTENT_DIGEST } from '../../contract/content-digest.js';
import { problemBody, statusOfError } from '../../contract/problems.js';
import { RateLimitError } from '../../model/errors.js';

/** An answer of one JSON value, with a digest of its bytes (RFC 9530) so that damage on the way is noticed. */
export function jsonAnswer(value: unknown, status = 200): Response {
  const text = JSON.stringify(value);
  const headers = { 'content-type': 'application/json', [CONTENT_DIGEST]: digestOf(text) };
  return new Response(text, { status, headers });
}

function digestOf(text: string): string {
  return `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
}

/** The answer to a failed request: its status, and a body that says what was wrong. */
export function problemAnswer(error: unknown): Response {
  const answer = jsonAnswer(problemBody(error), statusOfError(error));
  if (error instanceof RateLimitError && error.retryAfterMs !== null) {
    answer.headers.set('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
  }
  if (answer.status === 401) answer.headers.set('www-authenticate', 'Bearer realm="cropframe"');
  if (answer.status === 413) answer.headers.set('connection', 'close');
  return answer;
}
