import { type Dispatcher, EnvHttpProxyAgent, interceptors } from 'undici';
import { IngestError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
import { readRetryAfter } from '../../model/retry-after.js';
import { decoded, shownAddress } from './requests.js';

/** How files are asked for. */
export interface HttpSettings extends Pick<LongOperation, 'signal'> {
  /** Environment variables: `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in either case. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names the program to the servers. */
  readonly userAgent: string;
  /** Time without a byte after which a connection counts as broken, in milliseconds (default two minutes). */
  readonly idleMs?: number | undefined;
}

/** An answer whose body is still to be read, or dumped. */
export type HttpAnswer = Dispatcher.ResponseData;

/** A header's value by its lower-case name; null when absent. */
export function headerOf({ headers }: Pick<HttpAnswer, 'headers'>, name: string): string | null {
  return [headers[name]].flat()[0] ?? null;
}

/** Services that have several formats are asked for CSV. */
const ACCEPT = 'text/csv, */*;q=0.9';
const MAX_REDIRECTS = 10;
const IDLE_MS = 120_000;
const CONNECT_MS = 30_000;

/**
 * Asks for an address, and follows redirects. A user and password in the address go to its own origin only.
 * @throws FetchFailure when there is no answer
 */
export type HttpGet = (address: string, headers: Readonly<Record<string, string>>) => Promise<HttpAnswer>;

/**
 * Requests through the proxy of the environment, one connection a host. Idle connections keep no process running.
 * @throws IngestError when a proxy of the environment is not an address
 */
export function createHttpClient(
  dataset: string,
  { env, userAgent, signal, idleMs = IDLE_MS }: HttpSettings,
): HttpGet {
  const redirects = interceptors.redirect({ maxRedirections: MAX_REDIRECTS });
  const agent = createAgent(dataset, env, idleMs).compose(redirects);
  return async (address, headers) => {
    const url = new URL(address);
    // Lengths, ranges and ETags are those of the file itself where it is not encoded.
    const own = { 'user-agent': userAgent, accept: ACCEPT, 'accept-encoding': 'identity' };
    try {
      const answer = await agent.request({
        ...{ origin: url.origin, path: url.pathname + url.search, method: 'GET', signal },
        headers: { ...own, ...loginOf(url), ...headers },
        // A body that undici pauses ends the process when the server closes the connection. The reader keeps up: it writes at once.
        highWaterMark: Number.MAX_SAFE_INTEGER,
      });
      // The reader receives the error too; without a listener, one that comes before the reading would end the process.
      answer.body.on('error', () => {});
      await checkRedirects(answer);
      return answer;
    } catch (cause) {
      throw cause instanceof FetchFailure ? cause : FetchFailure.ofConnection(cause);
    }
  };
}

/** @throws FetchFailure when there were too many redirects, or one from https to http */
async function checkRedirects(answer: HttpAnswer): Promise<void> {
  const { history } = answer.context as { readonly history: readonly URL[] };
  const left = history.findIndex(
    ({ protocol }, i) => protocol === 'http:' && history[i - 1]?.protocol === 'https:',
  );
  const isEndless = history.length > MAX_REDIRECTS && answer.statusCode < 400 && answer.statusCode >= 300;
  if (left === -1 && !isEndless) return;
  await dump(answer);
  throw new FetchFailure(
    isEndless
      ? `it is redirected more than ${MAX_REDIRECTS} times`
      : `${shownAddress(history[left - 1]!.href)} redirects from https to http, where anybody can change the file`,
  );
}

/** Ends an answer without reading it. */
export async function dump({ body }: HttpAnswer): Promise<void> {
  await body.dump().catch(() => {});
}

/** @throws IngestError when a proxy of the environment is not an address */
function createAgent(dataset: string, env: HttpSettings['env'], idleMs: number): Dispatcher {
  const proxy = (name: string) => env[name.toLowerCase()] ?? env[name] ?? '';
  // Version 6 of undici, the last one for Node 20.15, warns on standard error that this class is new.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return new EnvHttpProxyAgent({
      httpProxy: proxy('HTTP_PROXY'),
      httpsProxy: proxy('HTTPS_PROXY'),
      noProxy: proxy('NO_PROXY'),
      connections: 1,
      pipelining: 1,
      connectTimeout: CONNECT_MS,
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
    });
  } catch (cause) {
    const message = 'HTTP_PROXY or HTTPS_PROXY is not the address of a proxy';
    throw new IngestError(dataset, message, { cause });
  } finally {
    process.emitWarning = emitWarning;
  }
}

function loginOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const login = [username, password].map(decoded).join(':');
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}

/** A request that failed: whether another try may succeed, and the wait that the server asked for. */
export class FetchFailure extends Error {
  readonly mayRetry: boolean;
  /** Milliseconds; 0 when the server asked for none. */
  readonly retryAfterMs: number;

  constructor(
    message: string,
    options: ErrorOptions & { readonly mayRetry?: boolean; readonly retryAfterMs?: number | null } = {},
  ) {
    super(message, options);
    this.mayRetry = options.mayRetry ?? false;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }

  /** The failure of an answer with an error status. */
  static ofStatus(answer: HttpAnswer): FetchFailure {
    const { statusCode: status } = answer;
    const retryAfterMs = readRetryAfter(headerOf(answer, 'retry-after'), headerOf(answer, 'date'));
    if (status === 429 || status === 503) {
      const wait = retryAfterMs === null ? '' : `, and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
      return new FetchFailure(`the server is busy (${status})${wait}`, { mayRetry: true, retryAfterMs });
    }
    const reason = FINAL_REASONS[status] ?? `the server answers ${status}`;
    return new FetchFailure(reason, { mayRetry: RETRIED.has(status), retryAfterMs });
  }

  /** The failure of a connection. */
  static ofConnection(cause: unknown): FetchFailure {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    const reason = NETWORK_REASONS[code] ?? `the connection broke: ${message || code}`;
    return new FetchFailure(reason, { cause, mayRetry: !FINAL_CODES.test(code) });
  }
}

const FINAL_REASONS: Readonly<Record<number, string>> = {
  401: 'the server asks for a login (401)',
  403: 'the server refuses the request (403); some refuse all programs',
  404: 'there is no such file (404); addresses can change',
  410: 'the file is gone (410); addresses can change',
  451: 'the server may not give it (451)',
};

const RETRIED: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host is not known; check the network, and the proxy in HTTPS_PROXY',
  EAI_AGAIN: 'its host cannot be looked up; check the network, and the proxy in HTTPS_PROXY',
  ECONNREFUSED: 'the connection was refused',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time allowed',
  UND_ERR_HEADERS_TIMEOUT: 'no answer within the time allowed',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped arriving',
  UND_ERR_INVALID_ARG: 'it redirects to something that is not a web address',
  ERR_INVALID_URL: 'it redirects to something that is not a web address',
};

/** Certificates that do not verify, and wrong redirects, fail for good. */
const FINAL_CODES = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|UND_ERR_INVALID|ERR_INVALID_URL)/;
