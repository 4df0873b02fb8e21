import { type Address, pathOf } from '../../contract/addresses.js';
import { type EndpointName, endpoints } from '../../contract/endpoints.js';
import { requestMark } from '../../contract/request-mark.js';
import { isLoopback } from '../../model/access.js';

/** Query parameters, keyed by name. A list is sent as a repeated parameter; undefined and null values are omitted. */
type QueryValues = Readonly<Record<string, unknown>>;

export interface RequestParts {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: QueryValues | undefined;
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  /** A body that is sent unchanged. */
  readonly bytes?: Blob | undefined;
  readonly accept?: string | undefined;
}

export interface PlannedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly accept: string;
  readonly contentType: string | null;
  readonly body: string | Blob | null;
  readonly authorized: boolean;
  /** Returns a value that identifies the request. The service repeats this value in its response. */
  mark(): string;
}

export function planRequest(name: EndpointName, parts: RequestParts, host: string): PlannedRequest {
  const address: Address = endpoints[name];
  const path = parts.path ?? {};
  const query = queryOf(parts.query ?? {});
  const search = query.toString();
  const sent = bodyOf(parts);
  return {
    method: address.method,
    url: `${host}${pathOf(address, path)}${search === '' ? '' : `?${search}`}`,
    accept: parts.accept ?? 'application/json',
    ...sent,
    authorized: address.open !== true,
    mark: () =>
      requestMark({ address, path, query, json: parts.body === undefined ? null : String(sent.body) }),
  };
}

function bodyOf({ form, body, bytes }: RequestParts): Pick<PlannedRequest, 'body' | 'contentType'> {
  if (bytes !== undefined) return { contentType: 'application/octet-stream', body: bytes };
  if (form !== undefined)
    return { contentType: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() };
  if (body !== undefined) return { contentType: 'application/json', body: JSON.stringify(body) };
  return { contentType: null, body: null };
}

function queryOf(query: QueryValues): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(key, String(one));
  }
  return parameters;
}

interface RequestOptions {
  readonly token: string | null;
  readonly signal: AbortSignal;
  readonly etag: string | null;
}

/** A function that sends a request, such as a custom `fetch`. */
export type Fetch = (request: Request) => Promise<Response>;

/** Creates the request to send. Redirects are not followed, because they could send the token to another host. */
export function toRequest(planned: PlannedRequest, { token, signal, etag }: RequestOptions): Request {
  const { method, url, body } = planned;
  const headers = new Headers({ accept: planned.accept });
  // On loopback, compression costs more than it saves.
  if (isLoopback(new URL(url).hostname)) headers.set('accept-encoding', 'identity');
  if (token !== null && planned.authorized) headers.set('authorization', `Bearer ${token}`);
  if (planned.contentType !== null) headers.set('content-type', planned.contentType);
  if (etag !== null) headers.set('if-none-match', etag);
  return new Request(url, { method, headers, signal, redirect: 'manual', body });
}
