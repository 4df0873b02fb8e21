import { randomUUID } from 'node:crypto';
import type { Service } from '../handler.js';

/** The log entry of one answer. It never contains a token, a password or a body. */
export interface LogEntry {
  /** When the answer was ready, ISO 8601 UTC. */
  readonly time: string;
  /** Id of the request; the answer has it as `x-request-id`. */
  readonly request_id: string;
  /** The HTTP method. */
  readonly method: string;
  /** The path of the request. */
  readonly path: string;
  /** The query of the request with its question mark, cut to 2000 characters. */
  readonly query: string;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** From the arrival of the request until its answer was ready, milliseconds. */
  readonly duration_ms: number;
  /** The token's name; null when no token was accepted. */
  readonly holder: string | null;
  /** The stack of an unexpected error, which the answer does not contain. */
  readonly failure?: string | undefined;
}

/** Receives the entries of a service's log. */
export type Log = (entry: LogEntry) => void;

/** What the service finds out about a request for its log entry. */
export interface RequestNotes {
  holder: string | null;
  failure?: string | undefined;
}

const MAX_LOGGED_QUERY = 2000;

/** Logs an entry for every answer, which carries the entry's id as `x-request-id`. */
export function logAnswers(
  log: Log | undefined,
  answer: (request: Request, notes: RequestNotes) => Promise<Response>,
): Service {
  return async (request) => {
    const started = performance.now();
    const notes: RequestNotes = { holder: null };
    const response = await answer(request, notes);
    if (log === undefined) return response;
    const request_id = randomUUID();
    response.headers.set('x-request-id', request_id);
    const { pathname, search } = new URL(request.url);
    log({
      time: new Date().toISOString(),
      request_id,
      method: request.method,
      path: pathname,
      query: search.slice(0, MAX_LOGGED_QUERY),
      status: response.status,
      duration_ms: Math.round(performance.now() - started),
      ...notes,
    });
    return response;
  };
}
