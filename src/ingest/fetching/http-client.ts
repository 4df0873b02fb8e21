import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { IngestError, NetworkError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
import { decoded, shownAddress } from './requests.js';

export interface HttpSettings extends Pick<LongOperation, 'signal'> {
  /** Environment variables: `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in either case. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  /** The time without a byte after which a connection counts as broken, in milliseconds (default: two minutes). */
  readonly idleMs?: number | undefined;
}

/** A response whose body must still be read or discarded. */
export type HttpAnswer = Dispatcher.ResponseData;

/** Returns the value of a header by its lower-case name; null if there is none. */
export function headerOf({ headers }: Pick<HttpAnswer, 'headers'>, name: string): string | null {
  return [headers[name]].flat()[0] ?? null;
}

/** A failure that would recur with every retry. */
export class FetchFailure extends Error {}

/** The `Accept` header, which requests CSV from services that have several formats. */
const ACCEPT = 'text/csv, */*;q=0.9';
const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const IDLE_MS = 120_000;
const CONNECT_MS = 30_000;

/**
 * Requests an address, and follows redirects. A user and password in the address are sent only to its own origin.
 * @throws FetchFailure or NetworkError when there is no response
 */
export type HttpGet = (address: string, headers: Readonly<Record<string, string>>) => Promise<HttpAnswer>;

/**
 * Creates a client that sends requests through the proxy of the environment, over one connection per host. Idle
 * connections do not keep the process running.
 * @throws IngestError when a proxy of the environment is not an address
 */
export function createHttpClient(
  dataset: string,
  { env, userAgent, signal, idleMs = IDLE_MS }: HttpSettings,
): HttpGet {
  const dispatcherFor = createDispatchers(dataset, env, idleMs);
  return async (address, headers) => {
    const { origin, ...login } = loginOf(new URL(address));
    // Lengths, ranges and ETags refer to the file itself only if it is not encoded.
    const own = { 'user-agent': userAgent, accept: ACCEPT, 'accept-encoding': 'identity', ...headers };
    let url = new URL(address);
    for (let followed = 0; followed <= MAX_REDIRECTS; followed++) {
      const answer = await request(url.origin + url.pathname + url.search, {
        ...{ dispatcher: dispatcherFor(url), signal },
        headers: { ...own, ...(url.origin === origin && login) },
        // If undici pauses a body and the server closes the connection, the process ends. The reader needs no pause,
        // because it writes each chunk at once.
        highWaterMark: Number.MAX_SAFE_INTEGER,
      }).catch((cause: unknown) => {
        throw connectionError(cause);
      });
      // The reader receives the error too. Without a listener, an error before the reading starts would end the
      // process.
      answer.body.on('error', () => {});
      const location = headerOf(answer, 'location');
      if (location === null || !REDIRECTS.has(answer.statusCode)) return answer;
      await dump(answer);
      url = redirectTarget(url, location);
    }
    throw new FetchFailure(`it is redirected more than ${MAX_REDIRECTS} times`);
  };
}

/**
 * Returns the target of a redirect.
 * @throws FetchFailure when it leads from https to http, or is not a web address
 */
export function redirectTarget(from: URL, location: string): URL {
  const to = URL.canParse(location, from) ? new URL(location, from) : null;
  if (to === null || !/^https?:$/.test(to.protocol))
    throw new FetchFailure('it redirects to something that is not a web address');
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new FetchFailure(
      `${shownAddress(from.href)} redirects from https to http, where anybody can change the file`,
    );
  return to;
}

export async function dump({ body }: HttpAnswer): Promise<void> {
  await body.dump().catch(() => {});
}

/**
 * Returns a function that chooses a direct connection or a proxy for an address.
 * @throws IngestError when a proxy of the environment is not an address
 */
function createDispatchers(dataset: string, env: HttpSettings['env'], idleMs: number) {
  const variable = (name: string) => env[name.toLowerCase()] ?? env[name] ?? '';
  const settings = {
    ...{ connections: 1, pipelining: 1, connectTimeout: CONNECT_MS },
    ...{ headersTimeout: idleMs, bodyTimeout: idleMs },
  };
  const direct = new Agent(settings);
  const through = (uri: string) => (uri === '' ? direct : new ProxyAgent({ ...settings, uri }));
  const exempt = variable('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/);
  try {
    const http = through(variable('HTTP_PROXY'));
    const https = variable('HTTPS_PROXY') === '' ? http : through(variable('HTTPS_PROXY'));
    return (url: URL): Dispatcher => {
      if (exempt.some((entry) => isExempt(url, entry))) return direct;
      return url.protocol === 'https:' ? https : http;
    };
  } catch (cause) {
    const message = 'HTTP_PROXY or HTTPS_PROXY is not the address of a proxy';
    throw new IngestError(dataset, message, { cause });
  }
}

/**
 * Checks whether an entry of `NO_PROXY` matches a host. An entry is `*`, a host, or the end of a host such as `.host`
 * or `*.host`, optionally with a port.
 */
function isExempt({ hostname, port, protocol }: URL, entry: string): boolean {
  const [, host = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (only !== undefined && only !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
  return /^[.*]/.test(host) ? hostname.endsWith(host.replace(/^\*/, '')) : host === hostname;
}

function loginOf({ origin, username, password }: URL): { origin: string; authorization?: string } {
  if (username === '' && password === '') return { origin };
  const login = [username, password].map(decoded).join(':');
  return { origin, authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}

export function connectionError(cause: unknown): NetworkError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return new NetworkError(NETWORK_REASONS[code] ?? `the connection broke: ${message || code}`, { cause });
}

const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host is not known; check the network, and the proxy in HTTPS_PROXY',
  EAI_AGAIN: 'its host cannot be looked up; check the network, and the proxy in HTTPS_PROXY',
  ECONNREFUSED: 'the connection was refused',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time allowed',
  UND_ERR_HEADERS_TIMEOUT: 'no answer within the time allowed',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped arriving',
};
