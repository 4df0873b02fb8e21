import type { Dispatcher } from 'undici';
import { EnvHttpProxyAgent } from 'undici';
import { FetchFailure, networkFailure } from './retries.js';
import { decoded, shownAddress } from './web-address.js';

/** How files are asked for. */
export interface HttpSettings {
  /** Environment variables: `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in either case. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names the program to the servers. */
  readonly userAgent: string;
  /** Time without a byte after which a connection counts as broken, in milliseconds (default two minutes). */
  readonly idleMs?: number | undefined;
}

/** An answer whose body is still to be read. */
export interface HttpAnswer {
  readonly status: number;
  /** A header's value by its lower-case name; null when absent. */
  header(name: string): string | null;
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the answer without reading it. */
  discard(): Promise<void>;
}

/** Services that have several formats are asked for CSV. */
const ACCEPT = 'text/csv, */*;q=0.9';
const MAX_REDIRECTS = 10;
const IDLE_MS = 120_000;
const CONNECT_MS = 30_000;

/** Requests through the proxy of the environment, one connection a host. */
export class HttpClient {
  readonly #agent: Dispatcher;
  readonly #userAgent: string;

  constructor({ env, userAgent, idleMs = IDLE_MS }: HttpSettings) {
    this.#agent = createAgent(env, idleMs);
    this.#userAgent = userAgent;
  }

  /**
   * Asks for an address, and follows redirects. A user and password in the address go to its own origin only.
   * @throws FetchFailure when there is no answer
   */
  async get(
    address: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<HttpAnswer> {
    const first = new URL(address);
    const login = loginOf(first);
    let url = first;
    for (let followed = 0; followed <= MAX_REDIRECTS; followed++) {
      const authorization = login !== null && url.origin === first.origin ? { authorization: login } : {};
      const answer = await this.#ask(url, { ...headers, ...authorization }, signal);
      const location = isRedirect(answer.status) ? answer.header('location') : null;
      if (location === null) return answer;
      await answer.discard();
      url = redirected(url, location);
    }
    throw new FetchFailure(`it is redirected more than ${MAX_REDIRECTS} times`);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #ask(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<HttpAnswer> {
    try {
      const {
        statusCode,
        headers: answered,
        body,
      } = await this.#agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        // Lengths, ranges and ETags are then those of the file itself.
        headers: { 'user-agent': this.#userAgent, accept: ACCEPT, 'accept-encoding': 'identity', ...headers },
        signal,
      });
      // The reader receives the error too; without a listener, one that comes before the reading would end the process.
      body.on('error', () => {});
      return {
        status: statusCode,
        header: (name) => oneValue(answered[name]),
        body,
        discard: () => body.dump().catch(() => {}),
      };
    } catch (cause) {
      signal?.throwIfAborted();
      throw networkFailure(cause);
    }
  }
}

/** @throws FetchFailure when a proxy of the environment is not an address */
function createAgent(env: HttpSettings['env'], idleMs: number): Dispatcher {
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
    throw new FetchFailure('HTTP_PROXY or HTTPS_PROXY is not the address of a proxy', { cause });
  } finally {
    process.emitWarning = emitWarning;
  }
}

function loginOf({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  const login = [username, password].map(decoded).join(':');
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function redirected(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (to === null || !/^https?:$/.test(to.protocol)) {
    throw new FetchFailure(`${shownAddress(from.href)} redirects to something that is not a web address`);
  }
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new FetchFailure(`${shownAddress(from.href)} redirects from https to http, which is not followed`);
  }
  to.username = '';
  to.password = '';
  return to;
}

function oneValue(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
