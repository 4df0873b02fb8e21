import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Endpoint } from '../contract/addresses.js';
import { ANSWER_OF, requestMark } from '../contract/request-mark.js';
import { STORE_VERSION, VERSION } from '../contract/wire-names.js';
import { badArgument } from '../model/errors.js';
import { check, checkOptions, fieldsOf, type OptionsOf, required } from '../model/schema/check.js';
import { FUNCTION, functionOf, integer, isNot, TEXT } from '../model/schema/schemas.js';
import { STORE } from '../store/open.js';
import type { Store } from '../store/store.js';
import { type Authorizer, bearerToken, createAdmission } from './access/auth.js';
import { addressReader, unmapAddress } from './access/client-address.js';
import { FairQueue, requestLimits } from './access/fair-queue.js';
import { RateLimit } from './access/rate-limit.js';
import { checkSite, createSharing, markShowing, SITE_KEYS, type SiteOptions } from './access/sites.js';
import { cacheDrawing, type DrawChart } from './cache/per-version.js';
import { handlers } from './endpoints.js';
import {
  createContext,
  type Refusal,
  type RequestContext,
  type Service,
  type ServiceContext,
} from './handler.js';
import { answerFailures, matchesTag, valueAnswer } from './http/answers.js';
import { checkAddress, readRequest } from './http/read-request.js';
import { createRouter, type Route } from './http/router.js';
import { afterBody } from './http/stream.js';
import { type Log, logAnswers } from './log/access-log.js';
import { ServiceMetrics } from './metrics/service-metrics.js';
import { isPageBuilt } from './page/page.js';
import { Backups } from './upkeep/backups.js';
import { type ImportHost, Imports } from './upkeep/imports.js';

const CONCURRENCY = 64;
const LOGIN_TTL_MS = 12 * 60 * 60 * 1000;

/**
 * Creates a service for a store, with the endpoints in `contract/endpoints.ts`. The service itself need not be closed.
 *
 * `answer` handles a request in this order: address, site, route, access, queue, parsing, entity tag, handler. Errors
 * become problem details responses, and every response is logged. `serve` adds compression.
 */
export function createService(store: Store, options: ServiceOptions = {}): Service {
  check(STORE, store, 'store');
  checkOptions(options, { ...SITE_KEYS, ...SERVICE_KEYS }, 'createService');
  if (options.page === true && !isPageBuilt())
    throw badArgument('page', 'the page is not built; run "npm run build", or omit the option');
  const { log, requestsPerMinute, drawChart } = options;
  const admit = createAdmission(store.access, options.authorize);
  const share = createSharing(options);
  const rateLimit =
    requestsPerMinute === undefined ? null : new RateLimit({ amount: requestsPerMinute, perMs: 60_000 });
  const queue = new FairQueue(requestLimits(options.concurrency ?? CONCURRENCY));
  const imports = options.imports === undefined ? null : new Imports(options.imports);
  const backups = new Backups(options.backupFolder);
  const metrics = options.metrics === true ? new ServiceMetrics(store, { queue, imports, backups }) : null;
  const service = createContext(store, {
    loginTtlMs: options.loginTtlMs ?? LOGIN_TTL_MS,
    imports,
    backups,
    drawChart: drawChart === undefined ? null : cacheDrawing(store, (query) => drawChart(query, ask)),
    metrics,
  });
  const route = createRouter({
    page: options.page ?? false,
    storeName: options.storeName,
    embed: options.embed ?? [],
    // The path without its trailing slash; empty for the root.
    prefix: new URL(options.publicUrl ?? 'http://localhost').pathname.replace(/\/+$/, ''),
  });

  const answer = (context: RequestContext): Promise<Response> => {
    const { request, connection } = context;
    checkAddress(request);
    if (options.authorize === 'anyone') checkSite(request, connection, options);
    return route(request, async (found) => {
      const { endpoint } = found;
      context.operation = endpoint.path;
      if (endpoint.open !== true) {
        context.holder = await admit(endpoint, bearerToken(request));
        rateLimit?.take(context.holder, endpoint.path);
      }

      const leave = await enter(endpoint, context);
      try {
        const response = await respond(found, context);
        afterBody(response, leave);
        if (request.method === 'HEAD') await response.body?.cancel();
        return response;
      } catch (error) {
        leave();
        throw error;
      }
    });
  };

  const respond = async ({ name, endpoint, path }: Route, context: RequestContext) => {
    const { request } = context;
    const input = await readRequest(endpoint, request, path);
    const version = endpoint.open === true || endpoint.withoutData === true ? null : await store.version();
    const tag = version !== null && endpoint.method === 'GET' ? entityTag(request, version) : null;
    const handle = handlers[name] as (input: unknown, context: ServiceContext) => Promise<unknown>;
    const response =
      tag !== null && matchesTag(request, tag)
        ? new Response(null, { status: 304 })
        : await valueAnswer(endpoint, await handle({ ...context, ...input }, service));
    if (tag !== null) response.headers.set('etag', tag);
    if (version !== null && version === (await store.version())) response.headers.set(STORE_VERSION, version);
    const query = new URL(request.url).searchParams;
    response.headers.set('vary', 'accept, accept-encoding, authorization');
    response.headers.set(ANSWER_OF, requestMark({ address: endpoint, path, query, json: input.json }));
    return response;
  };

  /** Waits until the request may run, and returns a function to call when it ends. In-process calls never wait. */
  const enter = async (endpoint: Endpoint, context: RequestContext): Promise<() => void> => {
    const { connection, address, holder, request } = context;
    if (endpoint.open === true || endpoint.withoutData === true || connection === undefined) return () => {};
    const waiter = options.authorize === 'anyone' ? address : holder;
    return queue.enter(waiter ?? '', endpoint.path, request.signal);
  };

  /** Handles a request from the service to itself. A null address would reveal the details of store errors. */
  const ask = logAnswers(
    { log: (entry) => entry.failure !== undefined && log?.(entry), addressOf: () => '' },
    (context) => answerFailures(context, () => route(context.request, (found) => respond(found, context))),
  );

  const addressOf = addressReader(options);
  const answerCounted = async (context: RequestContext) => {
    const began = performance.now();
    const answered = await answerFailures(context, async () => answer(context));
    const { method } = context.request;
    const { status } = answered;
    const seconds = (performance.now() - began) / 1000;
    if (metrics !== null)
      afterBody(answered, metrics.answered({ method, path: context.operation, status, seconds }));
    return markShowing(context.request, answered, options);
  };
  const logged = logAnswers({ log, addressOf }, (context) =>
    share(context.request, () => answerCounted(context)),
  );
  const refused = ({ requestId, address, method, status, reason }: Refusal): void => {
    metrics?.refused(method, status);
    const request = { request_id: requestId, address: unmapAddress(address), method, path: '', query: '' };
    const time = new Date().toISOString();
    log?.({ time, ...request, status, duration_ms: 0, holder: null, refused: reason });
  };
  return Object.assign(logged, { refused });
}

const ABOVE_ZERO = v.custom<number>(
  (value) => typeof value === 'number' && value > 0,
  isNot('a number above 0'),
);

const SERVICE_KEYS = {
  /**
   * Decides who has access. By default, the store's tokens are accepted. `'anyone'` lets everyone read without a token,
   * but rejects pages from other sites, and requests for hosts other than loopback, `publicUrl` and `allowedHosts`.
   */
  authorize: v.union([v.literal('anyone'), functionOf<Authorizer>()]),
  /** How long a login token is valid, in milliseconds; 12 hours by default. */
  loginTtlMs: ABOVE_ZERO,
  /**
   * Uses the last address in X-Forwarded-For as the client's address, for rate limits and in the log. Set this only if
   * the service can be reached only through a proxy. Otherwise, clients could claim any address.
   */
  trustProxy: v.boolean(),
  /**
   * Allows imports through the service, with tokens that have the right to import. Pass the result of `hostImports`
   * from `cropframe/service`. The store must be open for writing. By default, imports are not allowed.
   */
  imports: fieldsOf<ImportHost>({ folder: TEXT, check: required(FUNCTION), run: required(FUNCTION) }),
  /** The folder that holds a backup until it is fetched; the system's temporary folder by default. */
  backupFolder: TEXT,
  /** Called with an entry for every response. By default, nothing is logged. */
  log: functionOf<Log>(),
  /** Called with warnings for the administrator, for example if a proxy is not trusted. */
  onWarning: functionOf<(text: string) => void>(),
  /** The number of requests that each token may make per minute; unlimited by default. */
  requestsPerMinute: ABOVE_ZERO,
  /**
   * The maximum number of concurrent requests, not counting calls in the same process; 64 by default. A request runs
   * until the last byte of its response has been sent. Each token (or each address, if no token is needed) may use at
   * most a quarter of this number. Further requests wait, with different tokens taking turns. If too many wait,
   * requests are rejected with 429 or 503.
   */
  concurrency: integer({ min: 1 }),
  /** Serves a web page at `/`; off by default. The page contains no data, but requests it like any other client. */
  page: v.boolean(),
  /** The store name in import commands shown for an empty store. It is visible to everyone who can reach `/`. */
  storeName: TEXT,
  /** Draws charts for `GET /v2/chart.svg`. Pass `drawChart` from `cropframe/service`. By default, none are drawn. */
  drawChart: functionOf<DrawChart>(),
  /** Serves `GET /metrics` to administrators, or to everyone if `authorize` is `'anyone'`; off by default. */
  metrics: v.boolean(),
};
/** The options of a service, such as those for access, limits and the log. */
export interface ServiceOptions extends SiteOptions, OptionsOf<typeof SERVICE_KEYS> {}

/**
 * Returns a strong entity tag for the response to a GET request. The same store version, program version and request
 * always produce the same bytes. The tag is known before any data are read, so a 304 response costs almost nothing.
 */
function entityTag(request: Request, storeVersion: string): string {
  const { pathname, search } = new URL(request.url);
  const accept = request.headers.get('accept') ?? '';
  const parts = [VERSION, storeVersion, pathname, search, accept];
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32)}"`;
}
