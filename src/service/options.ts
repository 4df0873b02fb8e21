import {
  checkFlag,
  checkFunction,
  checkText,
  checkThat,
  fieldsOf,
  listOf,
  needed,
  whole,
} from '../model/arguments/checks.js';
import type { OptionKeys } from '../model/arguments/option-keys.js';
import type { Authorizer } from './access/auth.js';
import type { SiteOptions } from './access/sites.js';
import type { DrawChart } from './cache/pictures.js';
import type { Log } from './log/access-log.js';
import type { ImportHost } from './upkeep/imports.js';

/** Who may use a service, how often, and where its log goes. */
export interface ServiceOptions extends SiteOptions {
  /**
   * Decides about access; by default the store's tokens are accepted. `'anyone'` lets everybody read without a token, and
   * then refuses requests for other hosts than loopback, `publicUrl` and `allowedHosts`, and those of other sites' pages.
   */
  readonly authorize?: Authorizer | 'anyone' | undefined;
  /** How long the token of a login is valid, in milliseconds; 12 hours by default. */
  readonly loginTtlMs?: number | undefined;
  /**
   * Takes the last address of X-Forwarded-For as the client's, in limits and in the log. Only for a service that a proxy
   * alone can reach: whoever else does may name any address.
   */
  readonly trustProxy?: boolean | undefined;
  /**
   * Allows imports while serving, by tokens with the right to import, into a store that is open for writing: the result of
   * `hostImports` of `cropframe/ingest`. None by default.
   */
  readonly imports?: ImportHost | undefined;
  /** Where backups are until they are fetched; the system's temporary folder by default. */
  readonly backupFolder?: string | undefined;
  /** Called with one entry for every answer; no log by default. */
  readonly log?: Log | undefined;
  /** Called once with advice for an administrator, such as about a proxy that is not trusted. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Requests that each token may make per minute; unlimited by default. */
  readonly requestsPerMinute?: number | undefined;
  /**
   * Requests over connections that are under way at once, until the last byte of their answers; 64 by default. A token
   * has at most a quarter of them, without tokens an address. Further ones wait, those of all tokens in turn, and are
   * refused with 429 or 503 where too many do.
   */
  readonly concurrency?: number | undefined;
  /** Serves the page of the service at `/`, for browsers; off by default. It holds no data: it asks for them as any client. */
  readonly page?: boolean | undefined;
  /** Draws the pictures of `GET /v2/chart.svg`: `drawChart` of `cropframe/service`. None by default. */
  readonly drawChart?: DrawChart | undefined;
  /** Answers `GET /metrics` for tokens with the right to administer, and without tokens for everybody; off by default. */
  readonly metrics?: boolean | undefined;
}

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);

/** A host name or address, with a port or without. */
const checkHost = checkThat<string>((value) => {
  if (!isUrl(`http://${value}`) || String(value).includes('*')) return false;
  const { host } = new URL(`http://${value}`);
  return [host, `${host}:80`].includes(String(value));
}, 'a host; write it in lower case, such as data.example.org or data.example.org:8443');

/** The scheme, host and port of a site, as browsers write it. */
const checkOrigin = checkThat<string>(
  (value) => isUrl(value) && new URL(value).origin === value,
  'the origin of a site; write its scheme, host and port, such as https://app.example.org',
);

const checkWebAddress = checkThat<string>(
  (value) => isUrl(value) && /^https?:$/.test(new URL(value).protocol),
  'a URL; write for example https://data.example.org',
);

const checkAboveZero = checkThat<number>(
  (value) => typeof value === 'number' && value > 0,
  'a number above 0',
);

export const SERVICE_KEYS: OptionKeys<ServiceOptions> = {
  authorize: (value, argument) => {
    if (value !== 'anyone') checkFunction(value, argument);
  },
  loginTtlMs: checkAboveZero,
  trustProxy: checkFlag,
  imports: fieldsOf({ folder: checkText, check: needed(checkFunction), run: needed(checkFunction) }),
  backupFolder: checkText,
  log: checkFunction,
  onWarning: checkFunction,
  requestsPerMinute: checkAboveZero,
  concurrency: whole({ min: 1 }),
  drawChart: checkFunction,
  metrics: checkFlag,
  page: checkFlag,
  publicUrl: checkWebAddress,
  allowedHosts: listOf(checkHost),
  cors: listOf(checkOrigin),
  embed: listOf(checkOrigin),
};
