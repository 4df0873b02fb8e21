import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { IngestError, NetworkError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
import { decoded, shownAddress } from './requests.js';

export interface HttpSettings extends Pick<LongOperation, 'signal'> {
  /** The environment variables. `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are used, in upper or lower case. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  /** How long a connection may be idle before it counts as broken, in milliseconds (default: two minutes). */
  readonly idleMs?: number | undefined;
}

/** A response whose body has not yet been read or discarded. */
export type HttpAnswer = Dispatcher.ResponseData;

export function headerOf({ headers }: Pick<HttpAnswer, 'headers'>, name: string): string | null {
  return [headers[name]].flat()[0] ?? null;
}

/** A failure that retrying cannot fix. */
export class FetchFailure extends Error {}

/** Requests CSV from services that offer several formats. */
const ACCEPT = 'text/csv, */*;q=0.9';
const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const IDLE_MS = 120_000;
const CONNECT_MS = 30_000;

/** Requests a URL, following redirects. Only the first origin gets the login. @throws FetchFailure or NetworkError */
export type HttpGet = (address: string, headers: Readonly<Record<string, string>>) => Promise<HttpAnswer>;

/** Creates a client that uses the environment's proxy and does not keep the process alive. @throws IngestError */
export function createHttpClient(
  dataset: string,
  { env, userAgent, signal, idleMs = IDLE_MS }: HttpSettings,
): HttpGet {
  const dispatcherFor = createDispatchers(dataset, env, idleMs);
  return async (address, headers) => {
    const { origin, ...login } = loginOf(new URL(address));
    // Lengths, ranges and ETags describe the file itself only if the response is not encoded.
    const own = { 'user-agent': userAgent, accept: ACCEPT, 'accept-encoding': 'identity', ...headers };
    let url = new URL(address);
    for (let followed = 0; followed <= MAX_REDIRECTS; followed++) {
      const answer = await request(url.origin + url.pathname + url.search, {
        ...{ dispatcher: dispatcherFor(url), signal },
        headers: { ...own, ...(url.origin === origin && login) },
        // The process crashes if undici pauses a body and the server hangs up. Chunks are written at once anyway.
        highWaterMark: Number.MAX_SAFE_INTEGER,
      }).catch((cause: unknown) => {
        throw connectionError(cause);
      });
      // Without a listener, an early error would end the process. The body's reader receives the error as well.
      answer.body.on('error', () => {});
      const location = headerOf(answer, 'location');
      if (location === null || !REDIRECTS.has(answer.statusCode)) return answer;
      await dump(answer);
      url = redirectTarget(url, location);
    }
    throw new FetchFailure(`the request was redirected more than ${MAX_REDIRECTS} times`);
  };
}

/** Returns the target of a redirect. @throws FetchFailure if it is not a web address, or leads from https to http */
export function redirectTarget(from: URL, location: string): URL {
  const to = URL.canParse(location, from) ? new URL(location, from) : null;
  if (to === null || !/^https?:$/.test(to.protocol))
    throw new FetchFailure('the server redirects to something that is not a web address');
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new FetchFailure(
      `${shownAddress(from.href)} redirects from https to http, where anyone could tamper with the file`,
    );
  return to;
}

export async function dump({ body }: HttpAnswer): Promise<void> {
  await body.dump().catch(() => {});
}

/** Returns a function that chooses the proxy for an address. @throws IngestError if a proxy's address is invalid */
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

/** Checks whether a `NO_PROXY` entry matches: `*`, a host or a host's end (`.host`, `*.host`), with or without port. */
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
  return new NetworkError(NETWORK_REASONS[code] ?? `the connection was lost: ${message || code}`, { cause });
}

const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host is unknown; check the network, and the proxy in HTTPS_PROXY',
  EAI_AGAIN: 'its host cannot be looked up; check the network, and the proxy in HTTPS_PROXY',
  ECONNREFUSED: 'the connection was refused',
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made within the time allowed',
  UND_ERR_HEADERS_TIMEOUT: 'no response within the time allowed',
  UND_ERR_BODY_TIMEOUT: 'the response stopped arriving',
};
