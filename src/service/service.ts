import type { Endpoint } from '../contract/addresses.js';
import { ANSWER_OF, requestMark } from '../contract/request-mark.js';
import { checkOptions } from '../model/arguments/option-keys.js';
import { badArgument } from '../model/errors.js';
import { checkStore } from '../store/open.js';
import type { Store } from '../store/store.js';
import { bearerToken, createAdmission } from './access/auth.js';
import { clientAddress, isForwarded, withoutMapping } from './access/client-address.js';
import { FairQueue, requestLimits } from './access/fair-queue.js';
import { RateLimit } from './access/rate-limit.js';
import { CrossOrigin, checkSite } from './access/sites.js';
import { Pictures } from './cache/pictures.js';
import { callHandler } from './endpoints.js';
import {
  type Connection,
  createContext,
  type Refusal,
  type RequestContext,
  type Service,
} from './handler.js';
import {
  answerFailures,
  entityTag,
  jsonAnswer,
  matchesTag,
  notModifiedAnswer,
  valueAnswer,
} from './http/answers.js';
import { findIdRedirects } from './http/id-redirects.js';
import { checkAddressLength, type ParsedRequest, readRequest } from './http/read-request.js';
import { createRouter, type Route } from './http/router.js';
import { afterBody } from './http/stream.js';
import { type Log, logAnswers } from './log/access-log.js';
import { ServiceMetrics } from './metrics/service-metrics.js';
import { SERVICE_KEYS, type ServiceOptions } from './options.js';
import { isPageBuilt } from './page/page.js';
import { Backups } from './upkeep/backups.js';
import { Imports } from './upkeep/imports.js';

const CONCURRENCY = 64;
const LOGIN_TTL_MS = 12 * 60 * 60 * 1000;

/**
 * Creates the service over a store, by the contract of `contract/endpoints.ts`. It needs no closing; close the store.
 *
 * Every request goes through `answer` from top to bottom: address, site, route, access, a place among those under way,
 * parsing, id redirects, entity tag, handler. Failures become problem answers, and every answer is logged. `serve` adds compression.
 */
export function createService(store: Store, options: ServiceOptions = {}): Service {
  checkStore(store, 'store');
  checkOptions(options, SERVICE_KEYS, 'createService');
  if (options.page === true && !isPageBuilt())
    throw badArgument('page', 'the page is not built; run "npm run build", or leave it out');
  const { log, requestsPerMinute } = options;
  const { loginTtlMs = LOGIN_TTL_MS, trustProxy = false, metrics: showsMetrics = false } = options;
  const admit = createAdmission(store.access, options.authorize);
  const crossOrigin = new CrossOrigin(options);
  const rateLimit =
    requestsPerMinute === undefined ? null : new RateLimit({ amount: requestsPerMinute, perMs: 60_000 });
  const queue = new FairQueue(requestLimits(options.concurrency ?? CONCURRENCY));
  const imports = options.imports === undefined ? null : new Imports(options.imports);
  const backups = new Backups(options.backupFolder);
  const metrics = new ServiceMetrics(store, { queue, imports, backups });
  if (showsMetrics) metrics.watchEventLoop();
  const service = createContext(store, {
    loginTtlMs,
    imports,
    backups,
    pictures:
      options.drawChart === undefined ? null : new Pictures(store, (query) => options.drawChart!(query, ask)),
    metrics,
    showsMetrics,
  });
  const route = createRouter({
    page: options.page ?? false,
    embed: options.embed ?? [],
    prefix: prefixOf(options.publicUrl),
  });

  const answer = (context: RequestContext): Promise<Response> => {
    const { request, connection } = context;
    checkAddressLength(request);
    if (options.authorize === 'anyone') checkSite(request, connection, options);
    const preflight = crossOrigin.preflight(request);
    if (preflight !== null) return Promise.resolve(preflight);
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

  const respond = async (route: Route, context: RequestContext) => {
    const { endpoint, path } = route;
    const input = await readRequest(endpoint, context.request, path);
    const response = await respondTo(route, input, context);
    const query = new URL(context.request.url).searchParams;
    response.headers.set(ANSWER_OF, requestMark({ address: endpoint, path, query, json: input.json }));
    return response;
  };

  const respondTo = async ({ name, endpoint }: Route, input: ParsedRequest, context: RequestContext) => {
    const { request } = context;
    const redirects = await findIdRedirects(input, await service.idRedirects());
    if (redirects.length > 0) return jsonAnswer({ data: redirects }, 301);

    const tag = isTagged(endpoint) ? entityTag(request, await store.version()) : null;
    if (tag !== null && matchesTag(request, tag)) return notModifiedAnswer(tag);

    const result = await callHandler(name, { ...context, ...input }, service);
    const response = result instanceof Response ? result : await valueAnswer(endpoint, result);
    if (tag !== null) response.headers.set('etag', tag);
    response.headers.set('vary', 'accept, accept-encoding, authorization');
    return response;
  };

  /** Waits for a place among those who have a connection; calls in the same process need none. */
  const enter = async (endpoint: Endpoint, context: RequestContext): Promise<() => void> => {
    const { connection, address, holder, request } = context;
    if (endpoint.open === true || endpoint.withoutData === true || connection === undefined) return () => {};
    const waiter = options.authorize === 'anyone' ? address : holder;
    return queue.enter(waiter ?? '', endpoint.path, request.signal);
  };

  /** Answers a request that the service makes for one that was let in. Its address is of nobody, and so its errors are those for strangers. */
  const ask = logAnswers(
    { log: (entry) => entry.failure !== undefined && log?.(entry), addressOf: () => '' },
    (context) => answerFailures(context, () => route(context.request, (found) => respond(found, context))),
  );

  const warnOnce = untrustedProxyWarning(trustProxy, options.onWarning);
  const addressOf = (request: Request, connection: Connection | undefined) => {
    if (connection !== undefined) warnOnce(request);
    return clientAddress(request, connection, trustProxy);
  };
  const logged = logAnswers({ log, addressOf }, async (context) => {
    const began = performance.now();
    const answered = await answerFailures(context, async () => answer(context));
    const { method } = context.request;
    const seconds = (performance.now() - began) / 1000;
    afterBody(
      answered,
      metrics.answered({ method, path: context.operation, status: answered.status, seconds }),
    );
    return crossOrigin.mark(context.request, answered);
  });
  return Object.assign(logged, { refused: recordRefusals(metrics, log) });
}

/** Counts and logs requests that the server refuses itself. */
function recordRefusals(metrics: ServiceMetrics, log: Log | undefined): (refusal: Refusal) => void {
  return ({ requestId, address, method, status, reason }) => {
    metrics.refused(method, status);
    const request = { request_id: requestId, address: withoutMapping(address), method, path: '', query: '' };
    const time = new Date().toISOString();
    log?.({ time, ...request, status, duration_ms: 0, holder: null, refused: reason });
  };
}

const UNTRUSTED_PROXY =
  'requests come through a proxy that is not trusted: all clients have its address, and share its limit of wrong passwords; ' +
  'start with --trust-proxy if the proxy alone can reach this service';

/** Warns once, of the first request that a proxy has passed on and whose client cannot be told. */
function untrustedProxyWarning(
  trustProxy: boolean,
  onWarning: ((text: string) => void) | undefined,
): (request: Request) => void {
  let hasWarned = trustProxy;
  return (request) => {
    if (hasWarned || !isForwarded(request)) return;
    hasWarned = true;
    onWarning?.(UNTRUSTED_PROXY);
  };
}

/** The path of a URL without its last slash; empty for that of a whole host. */
function prefixOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
}

function isTagged(endpoint: Endpoint): boolean {
  return endpoint.method === 'GET' && endpoint.open !== true && endpoint.withoutData !== true;
}
