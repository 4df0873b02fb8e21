import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../contract/addresses.js';
import { endpoints } from '../../contract/endpoints.js';
import { REQUEST_ID } from '../../contract/wire-names.js';
import type { AddressOf } from '../access/client-address.js';
import type { RequestContext, Service } from '../handler.js';
import { afterBody } from '../http/stream.js';

/** The log entry for one response. It never contains a token, a password or a body. */
export interface LogEntry {
  /** The time at which the response was ready, in ISO 8601 UTC. */
  readonly time: string;
  /** The request's id, which is sent in the response's `x-request-id` header. */
  readonly request_id: string;
  /** The client's IP address; null for a call in the same process. */
  readonly address: string | null;
  /** The HTTP method; empty if it could not be read. */
  readonly method: string;
  /** The request's path, truncated to 300 characters. */
  readonly path: string;
  /** The query string, including the question mark. Values that may be secret are replaced by `…`. */
  readonly query: string;
  /** The HTTP status of the response, or 499 if the client disconnected before it was sent. */
  readonly status: number;
  /** The time from the request's arrival until the response was ready, in milliseconds. */
  readonly duration_ms: number;
  /** The name of the token's holder; null if no token was accepted. */
  readonly holder: string | null;
  /** True if the client disconnected before its request was complete or the response was sent. */
  readonly aborted?: true | undefined;
  /**
   * The stack and causes of the error that led to a status of 500 or above. They are not sent to the client. If a
   * response fails after it has begun, they are logged in a second entry for the same request.
   */
  readonly failure?: string | undefined;
  /** Why the server rejected the request before it reached the service. If set, `path` and `query` are empty. */
  readonly refused?: string | undefined;
}

/** Receives the log entries of a service. */
export type Log = (entry: LogEntry) => void;

/** Adds the request's id to every response as `x-request-id`, and logs the response. */
export function logAnswers(
  { log, addressOf }: { log: Log | undefined; addressOf: AddressOf },
  answer: (context: RequestContext) => Promise<Response>,
): Service {
  return async (request, connection) => {
    const started = performance.now();
    const request_id = requestId(request);
    let status = 200;
    const write = (more: Partial<LogEntry> = {}) => {
      const { address, holder, aborted, failure } = context;
      log?.({
        time: new Date().toISOString(),
        request_id,
        method: request.method,
        path: redactPath(request),
        query: redactQuery(request),
        status,
        duration_ms: Math.round(performance.now() - started),
        address,
        holder: holder === '' ? null : holder,
        ...(aborted && { aborted }),
        ...(failure !== undefined && { failure }),
        ...more,
      });
    };
    const onFailure = (error: unknown): void => write({ failure: failureText(error) });
    const context: RequestContext = {
      request,
      connection,
      address: addressOf(request, connection),
      signal: request.signal,
      onFailure,
      operation: 'other',
      holder: '',
    };
    const response = await answer(context);
    response.headers.set(REQUEST_ID, request_id);
    status = response.status;
    write();
    afterBody(response, (_bytes, failure) => {
      if (failure !== undefined && !request.signal.aborted) onFailure(failure);
    });
    return response;
  };
}

const SANE_ID = /^[\w.:+/=-]{1,128}$/;

function requestId(request: Request): string {
  const requestedId = request.headers.get(REQUEST_ID);
  return requestedId !== null && SANE_ID.test(requestedId) ? requestedId : randomUUID();
}

export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${failureText(error.cause)}`;
}

const MAX_PATH = 300;
const MAX_QUERY = 2000;
const HIDDEN = '…';

const TOKEN = /cf_[\w-]{20,}/g;

/** Matches values that cannot be secret: numbers, dates and booleans, and lists of numbers and dates. */
const PLAIN_VALUE = /^(?:[\d\s.,:+[\]TZ-]*|true|false)$/i;

/** Matches typical parameter names. Any other string may be a secret that was pasted in place of a name. */
const PLAIN_NAME = /^[a-z_]{1,24}$/i;

/** The parameter with the search text. It is not logged, because users may paste anything into it. */
const SEARCH_WORDS = 'q';

/** The parameters whose values are logged. The values of other parameters are hidden, because they may be secrets. */
const KNOWN_NAMES: ReadonlySet<string> = new Set(
  Object.values(endpoints as Record<string, Endpoint>)
    .flatMap(({ query }) => Object.keys(query?.entries ?? {}))
    .filter((name) => name !== SEARCH_WORDS),
);

function redactPath(request: Request): string {
  return new URL(request.url).pathname.slice(0, MAX_PATH).replace(TOKEN, HIDDEN);
}

function redactQuery(request: Request): string {
  const { search } = new URL(request.url);
  if (search === '') return '';
  const shown = [...new URLSearchParams(search.slice(0, MAX_QUERY))].map(([name, value]) => {
    if (KNOWN_NAMES.has(name)) return `${name}=${PLAIN_VALUE.test(value) ? value : HIDDEN}`;
    return PLAIN_NAME.test(name) ? `${name}=${HIDDEN}` : HIDDEN;
  });
  return `?${shown.join('&')}${search.length > MAX_QUERY ? HIDDEN : ''}`;
}
