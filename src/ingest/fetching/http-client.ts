import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { IngestError, NetworkError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
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

/** Returns the value of a header by its lower-case name, or null. */
export function headerOf({ headers }: Pick<HttpAnswer, 'headers'>, name: string): string | null {
  return [headers[name]].flat()[0] ?? null;
}

/** A request that fails in the same way however often it is tried. */
export class FetchFailure extends Error {}

/** Services that have several formats are asked for CSV. */
const ACCEPT = 'text/csv, */*;q=0.9';
const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const IDLE_MS = 120_000;
const CONNECT_MS = 30_000;

/**
 * Asks for an address, and follows redirects. A user and password in the address go to its own origin only.
 * @throws FetchFailure or NetworkError when there is no answer
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
  const dispatcherFor = createDispatchers(dataset, env, idleMs);
  return async (address, headers) => {
    const { origin, ...login } = loginOf(new URL(address));
    // Lengths, ranges and ETags are those of the file itself where it is not encoded.
    const own = { 'user-agent': userAgent, accept: ACCEPT, 'accept-encoding': 'identity', ...headers };
    let url = new URL(address);
    for (let followed = 0; followed <= MAX_REDIRECTS; followed++) {
      const answer = await request(url.origin + url.pathname + url.search, {
        ...{ dispatcher: dispatcherFor(url), signal },
        headers: { ...own, ...(url.origin === origin && login) },
        // A body that undici pauses ends the process when the server closes the connection. The reader keeps up: it writes at once.
        highWaterMark: Number.MAX_SAFE_INTEGER,
      }).catch((cause: unknown) => {
        throw connectionError(cause);
      });
      // The reader receives the error too; without a listener, one that comes before the reading would end the process.
      answer.body.on('error', () => {});
      const location = headerOf(answer, 'location');
      if (location === null || !REDIRECTS.has(answer.statusCode)) return answer;
      await dump(answer);
      url = redirectTarget(url, location);
    }
    throw new FetchFailure(`it is redirected more than ${MAX_REDIRECTS} times`);
  };
}

/** @throws FetchFailure when a redirect leads from https to http, or to no web address */
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

/** Ends an answer without reading it. */
export async function dump({ body }: HttpAnswer): Promise<void> {
  await body.dump().catch(() => {});
}

/** @throws IngestError when a proxy of the environment is not an address */
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

/** Checks whether an entry of `NO_PROXY` names a host: `*`, a host, or the end of one as `.host` or `*.host`. */
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

/** Returns the error for a connection that failed. */
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
