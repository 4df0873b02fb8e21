import pLimit from 'p-limit';
import type { z } from 'zod';
import { type Endpoint, type EndpointAnswer, type EndpointName, endpoints } from '../contract/endpoints.js';
import { errorOfStatus, problemMessage } from '../contract/problems.js';
import { ContractError, CropframeError, NetworkError, TimeoutError } from '../model/errors.js';
import { followMoves, MOST_MOVES, readMoves } from './moved.js';
import { DEFAULT_RETRY, type RetryPolicy, withRetries } from './retry.js';

export type Fetch = (request: Request) => Promise<Response>;

export interface TransportOptions {
  /** Origin of the service, with its scheme. */
  readonly host: string;
  readonly token: string | null;
  readonly fetch?: Fetch | undefined;
  /** Requests under way at once. */
  readonly concurrency?: number | undefined;
  /** Longest time that one try may take. */
  readonly timeoutMs?: number | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
}

export type QueryValues = Readonly<Record<string, unknown>>;

export interface Call {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: QueryValues;
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Asks the service: limits, times out, retries, follows moved ids, and checks status and content type before decoding. */
export interface Transport {
  readonly host: string;
  /** One JSON answer; null for an empty one. */
  json<Name extends EndpointName>(name: Name, call: Call): Promise<EndpointAnswer<Name> | null>;
  /** Reads a streamed answer within the same try, so that a broken body is retried. */
  read<Result>(
    name: EndpointName,
    call: Call,
    reader: (response: Response) => Promise<Result>,
  ): Promise<Result>;
}

const DEFAULT_CONCURRENCY = 10;
const DEFAULT_TIMEOUT_MS = 60_000;

export function createTransport(options: TransportOptions): Transport {
  const limit = pLimit(options.concurrency ?? DEFAULT_CONCURRENCY);
  const policy = { ...DEFAULT_RETRY, ...options.retry };
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const send = options.fetch ?? ((request) => fetch(request));

  const read: Transport['read'] = (name, call, reader) =>
    limit(() =>
      withRetries(
        () =>
          withTimeout(timeoutMs, { name, signal: call.signal }, async (signal) => {
            const response = await askFollowingMoves(name, call, { ...options, send, signal });
            return reader(response);
          }),
        policy,
        call.signal,
      ),
    );

  return {
    host: options.host,
    read,
    json: (name, call) => read(name, call, (response) => readJson(name, response)) as Promise<never>,
  };
}

interface Sending {
  readonly host: string;
  readonly token: string | null;
  readonly send: Fetch;
  readonly signal: AbortSignal;
}

async function askFollowingMoves(name: EndpointName, call: Call, sending: Sending): Promise<Response> {
  let query = call.query ?? {};
  for (let moves = 0; moves <= MOST_MOVES; moves += 1) {
    const response = await ask(name, { ...call, query }, sending);
    if (response.status !== 301) return response;
    query = followMoves(query, readMoves(name, await response.text()));
  }
  throw new ContractError(name, `${name}: ids moved more than ${MOST_MOVES} times in a row`);
}

async function ask(
  name: EndpointName,
  call: Call,
  { host, token, send, signal }: Sending,
): Promise<Response> {
  const request = buildRequest(name, call, { host, token, signal });
  let response: Response;
  try {
    response = await send(request);
  } catch (error) {
    signal.throwIfAborted();
    throw new NetworkError(`${name}: ${host} could not be reached: ${causeOf(error)}`, { cause: error });
  }
  if (response.ok || response.status === 301) return response;
  const text = await response.text().catch(() => '');
  throw errorOfStatus(response.status, name, {
    message: problemMessage(name, text),
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  });
}

function buildRequest(
  name: EndpointName,
  call: Call,
  { host, token, signal }: { host: string; token: string | null; signal: AbortSignal },
): Request {
  const endpoint: Endpoint = endpoints[name];
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(call.path?.[key])),
  );
  const query = queryText(call.query ?? {});
  const headers = new Headers({ accept: call.accept ?? 'application/json' });
  if (token !== null && endpoint.open !== true) headers.set('authorization', `Bearer ${token}`);
  let body: string | null = null;
  if (call.form !== undefined) {
    headers.set('content-type', 'application/x-www-form-urlencoded');
    body = new URLSearchParams(call.form).toString();
  } else if (call.body !== undefined) {
    headers.set('content-type', 'application/json');
    body = JSON.stringify(call.body);
  }
  return new Request(`${host}${path}${query}`, {
    method: endpoint.method,
    headers,
    body,
    signal,
    redirect: 'manual',
  });
}

function queryText(query: QueryValues): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(key, String(one));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

async function readJson(name: EndpointName, response: Response): Promise<unknown> {
  if (response.status === 204) return null;
  const value = await readJsonBody(name, response);
  const schema = endpoints[name].answer as z.ZodType;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new ContractError(
    name,
    `${name}: the answer does not fit the contract at ${issue.path.join('.')}: ${issue.message}`,
  );
}

/** The JSON of an answer, after its content type was checked. @throws ContractError, NetworkError */
export async function readJsonBody(name: EndpointName, response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('json')) {
    await response.body?.cancel();
    throw new ContractError(
      name,
      `${name}: answered ${response.status} with content type "${type}" in place of JSON`,
    );
  }
  const text = await readingBody(name, () => response.text());
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ContractError(name, `${name}: the answer is not whole JSON`, { cause: error });
  }
}

/** Runs a step that reads a body; a connection that breaks meanwhile becomes a NetworkError. */
export async function readingBody<Result>(name: EndpointName, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof CropframeError || error instanceof DOMException) throw error;
    throw new NetworkError(`${name}: the connection broke before the answer was whole: ${causeOf(error)}`, {
      cause: error,
    });
  }
}

async function withTimeout<Result>(
  timeoutMs: number,
  { name, signal }: { name: EndpointName; signal: AbortSignal | undefined },
  step: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const late = new TimeoutError(timeoutMs, `${name}: no whole answer within ${timeoutMs} ms`);
  const timer = setTimeout(() => controller.abort(late), timeoutMs);
  try {
    return await step(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
