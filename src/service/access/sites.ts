import { Hono } from 'hono';
import { cors } from 'hono/cors';
import * as v from 'valibot';
import { endpoints } from '../../contract/endpoints.js';
import { ANSWER_OF } from '../../contract/request-mark.js';
import { REQUEST_ID, STORE_VERSION } from '../../contract/wire-names.js';
import { isLoopback } from '../../model/access.js';
import { CropframeError, shownValue } from '../../model/errors.js';
import type { OptionsOf } from '../../model/schema/check.js';
import { isNot, listOf } from '../../model/schema/schemas.js';
import type { Connection } from '../handler.js';

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);

/** A host name or address, with or without a port. */
const HOST = v.custom<string>((value) => {
  if (!isUrl(`http://${value}`) || String(value).includes('*')) return false;
  const { host } = new URL(`http://${value}`);
  return [host, `${host}:80`].includes(String(value));
}, isNot('a host; write it in lower case, such as data.example.org or data.example.org:8443'));

/** A site's scheme, host and port, in the form that browsers send. */
const ORIGIN = v.custom<string>(
  (value) => isUrl(value) && new URL(value).origin === value,
  isNot('the origin of a site; write its scheme, host and port, such as https://app.example.org'),
);

const WEB_ADDRESS = v.custom<string>(
  (value) => isUrl(value) && /^https?:$/.test(new URL(value).protocol),
  isNot('an http or https URL; write it as in https://data.example.org'),
);

export const SITE_KEYS = {
  /** The URL at which clients reach a service that is behind a proxy. */
  publicUrl: WEB_ADDRESS,
  /** Host names to accept in addition to loopback. A name without a port is accepted with any port. */
  allowedHosts: listOf(HOST),
  /** The origins of other sites whose pages may read the service's responses. */
  cors: listOf(ORIGIN),
  /** The origins of other sites whose pages may show the service's charts, as images or in frames. */
  embed: listOf(ORIGIN),
};
/** The host names that a service without tokens accepts, and the sites whose pages may use the service. */
export interface SiteOptions extends OptionsOf<typeof SITE_KEYS> {}

/**
 * Rejects requests to a service without tokens if they come from pages of other sites.
 *
 * In a DNS rebinding attack, a page makes its own host name resolve to this machine. Its requests then have that name
 * in the Host header, so only known names are accepted. A page can also send requests to other sites directly. The
 * browser then names the page's site in the Origin header, or at least marks the request as cross-site in
 * Sec-Fetch-Site. Links are accepted, because only the person who follows a link sees the response.
 */
export function checkSite(request: Request, connection: Connection | undefined, options: SiteOptions): void {
  const url = new URL(request.url);
  checkHost(url, connection, options);
  const origin = request.headers.get('origin');
  if (origin === null) {
    checkFetchSite(request, options);
    return;
  }
  if (isSameHost(origin, url) || isPublic(origin, options) || options.cors?.includes(origin)) return;
  const allowed = URL.canParse(origin) && origin.length <= 60 ? origin : 'ORIGIN';
  throw refusal(
    `pages from ${shownValue(origin)} may not use this service; to allow them, start it with "--cors ${allowed}"`,
  );
}

/** Checks the host of a request. @throws CropframeError (misdirected) if the service does not accept it */
function checkHost(url: URL, connection: Connection | undefined, options: SiteOptions): void {
  const { hostname, host } = url;
  if (isLoopback(hostname) && (connection === undefined || portOf(url) === connection.localPort)) return;
  const { publicUrl, allowedHosts = [] } = options;
  if (publicUrl !== undefined && new URL(publicUrl).host === hostFor(new URL(publicUrl).protocol, url))
    return;
  if (
    allowedHosts.some((allowed) => allowed === hostname || hostFor(url.protocol, { host: allowed }) === host)
  )
    return;
  throw new CropframeError(
    'misdirected',
    `the service does not accept requests for the host ${shownValue(host)}; to accept them, start it with "--allowed-host ${host.slice(0, 60)}", or behind a proxy with --public-url`,
  );
}

function checkFetchSite(request: Request, options: SiteOptions): void {
  const { method, headers } = request;
  const site = headers.get('sec-fetch-site') ?? 'none';
  const isLink = headers.get('sec-fetch-mode') === 'navigate' && ['GET', 'HEAD'].includes(method);
  if (site === 'none' || site === 'same-origin' || isLink || isShownChart(request, options)) return;
  throw refusal('pages from other sites may not use this service; to allow one, start it with --cors ORIGIN');
}

/** Checks whether a page from a site in `embed` requests a chart as an image, which the page can show but not read. */
function isShownChart({ url, headers }: Request, { embed }: SiteOptions): boolean {
  const page = headers.get('referer') ?? '';
  const isPicture =
    headers.get('sec-fetch-dest') === 'image' && new URL(url).pathname.endsWith(endpoints.chart.path);
  return isPicture && URL.canParse(page) && embed?.includes(new URL(page).origin) === true;
}

function refusal(message: string): CropframeError {
  return new CropframeError('forbidden', message);
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** Checks whether a page came from the requested host. The schemes may differ, because a proxy may terminate TLS. */
function isSameHost(origin: string, url: URL): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  return /^https?:$/.test(protocol) && host === hostFor(protocol, url);
}

function isPublic(origin: string, { publicUrl }: SiteOptions): boolean {
  return publicUrl !== undefined && origin === new URL(publicUrl).origin;
}

/** Returns a URL's host and port, without the port if it is the default for the given scheme. */
function hostFor(protocol: string, { host }: { readonly host: string }): string {
  return new URL(`${protocol}//${host}`).host;
}

/** Returns a function that lets pages from the given origins read responses (CORS), and handles preflight requests. */
export function createSharing({
  cors: origins = [],
}: SiteOptions): (request: Request, answer: () => Promise<Response>) => Promise<Response> {
  if (origins.length === 0) return (_, answer) => answer();
  const app = new Hono<{ Bindings: { answer: () => Promise<Response> } }>();
  const allowHeaders = ['authorization', 'content-type', 'accept', 'if-none-match', REQUEST_ID];
  const exposeHeaders = ['etag', 'retry-after', REQUEST_ID, ANSWER_OF, STORE_VERSION];
  const origin = [...origins];
  app.use(cors({ origin, allowMethods: ['GET', 'POST'], allowHeaders, exposeHeaders, maxAge: 600 }));
  app.all('*', ({ env }) => env.answer());
  return async (request, answer) => app.fetch(request, { answer });
}

/** Allows only the service's own pages and, for charts, pages of the sites in `embed` to embed the response. */
export function markShowing(request: Request, answer: Response, options: SiteOptions): Response {
  answer.headers.set('x-content-type-options', 'nosniff');
  const showing = isShownChart(request, options) ? 'cross-origin' : 'same-origin';
  answer.headers.set('cross-origin-resource-policy', showing);
  return answer;
}
