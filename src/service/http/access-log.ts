import { randomUUID } from 'node:crypto';
import type { Service } from '../handlers.js';

/** One line of the service's log: who asked what, and how it went. Never a token, a password, or a body. */
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
  /** The token's name; null when nobody was recognised. */
  readonly holder: string | null;
  /** The inside of an unforeseen failure. */
  readonly failure?: string | undefined;
}

/** Receives one entry a request. */
export type Log = (entry: LogEntry) => void;

/** What a service learns of a request on the way and the log should say. */
export interface RequestNotes {
  holder: string | null;
  failure: string | null;
}

/** Longest query that is logged. */
const LOGGED_QUERY = 2000;

/** A service that writes a line for every answer; the answer carries the line's `x-request-id`. */
export function loggedService(
  serve: (request: Request, notes: RequestNotes) => Promise<Response>,
  log: Log | undefined,
): Service {
  return async (request) => {
    const started = performance.now();
    const notes: RequestNotes = { holder: null, failure: null };
    const response = await serve(request, notes);
    if (log === undefined) return response;
    const request_id = randomUUID();
    response.headers.set('x-request-id', request_id);
    const { pathname, search } = new URL(request.url);
    log({
      time: new Date().toISOString(),
      request_id,
      method: request.method,
      path: pathname,
      query: search.slice(0, LOGGED_QUERY),
      status: response.status,
      duration_ms: Math.round(performance.now() - started),
      holder: notes.holder,
      ...(notes.failure === null ? {} : { failure: notes.failure }),
    });
    return response;
  };
}
