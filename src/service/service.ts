import type { Endpoint, EndpointName } from '../contract/endpoints.js';
import { statusOfError } from '../contract/problems.js';
import { HttpError } from '../model/errors.js';
import type { Store } from '../store/store.js';
import { type Authorizer, bearerToken, storeAuthorizer } from './access/auth.js';
import { logIn } from './access/login.js';
import { createContext, type ServiceContext } from './context.js';
import {
  allowedUnits,
  listAncestors,
  listCombinations,
  listDescendants,
  lookupEntities,
  lookupEntity,
  searchAll,
  searchEntities,
} from './entities.js';
import { listGeocentres } from './geography.js';
import type { HandlerInput, Handlers, Service } from './handlers.js';
import { checkHealth } from './health.js';
import { type Log, loggedService } from './http/access-log.js';
import { jsonAnswer, problemAnswer } from './http/answers.js';
import { entityTag, isFresh } from './http/etag.js';
import { RequestLimit } from './http/limits.js';
import { readRequest } from './http/read-request.js';
import { createRouter, type Route } from './http/router.js';
import { idRedirectsOf } from './id-redirects.js';
import { retrievePointBatch, retrievePoints } from './points/retrieve-points.js';
import { listTimeFrequencies, rankSources, rankTop } from './ranking.js';
import { listSeries, streamSeries } from './series.js';

/** Who may ask a service, and who is told. */
export interface ServiceOptions {
  /** Who may ask; by default the tokens that the store knows. */
  readonly authorize?: Authorizer | undefined;
  /** Called with one entry for each request; no log by default. */
  readonly log?: Log | undefined;
  /** Requests that each token may make a minute; no limit by default. */
  readonly requestsPerMinute?: number | undefined;
}

const handlers: Handlers = {
  health: checkHealth,
  accessToken: logIn,
  combinations: listCombinations,
  searchAll,
  search: searchEntities,
  seriesList: listSeries,
  seriesStream: streamSeries,
  timeFrequencies: listTimeFrequencies,
  rankedSources: rankSources,
  points: retrievePoints,
  pointsBatch: retrievePointBatch,
  top: rankTop,
  allowedUnits,
  geocentres: listGeocentres,
  descendants: listDescendants,
  ancestors: listAncestors,
  entity: lookupEntity,
  entities: lookupEntities,
};

/** The service over a store, by the contract of `contract/endpoints.ts`. It owns nothing: closing the store ends it. */
export function createService(store: Store, options: ServiceOptions = {}): Service {
  const context = createContext(store);
  const authorize = options.authorize ?? storeAuthorizer(store.access);
  const limit =
    options.requestsPerMinute === undefined
      ? null
      : new RequestLimit({ amount: options.requestsPerMinute, perMs: 60_000 });
  const route = createRouter();
  return loggedService(async (request, notes) => {
    try {
      refuseLongAddress(request);
      return await route(request, async (found) => {
        if (found.endpoint.open !== true) {
          notes.holder = await authorize(bearerToken(request));
          limit?.take(notes.holder, found.endpoint.path);
        }
        return answer(found, request, context);
      });
    } catch (error) {
      if (statusOfError(error) === 500)
        notes.failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return problemAnswer(error);
    }
  }, options.log);
}

async function answer(
  { name, endpoint, path }: Route,
  request: Request,
  context: ServiceContext,
): Promise<Response> {
  const input = await readRequest(endpoint, request, path);
  const selections = Array.isArray(input.body) ? (input.body as Record<string, unknown>[]) : [input.query];
  const moved = await idRedirectsOf(selections, context);
  if (moved !== null) return jsonAnswer({ data: moved }, 301);
  const tag =
    endpoint.method === 'GET' && endpoint.open !== true
      ? entityTag(request, await context.store.version())
      : null;
  if (tag !== null && isFresh(request, tag))
    return new Response(null, { status: 304, headers: { etag: tag } });
  const handle = handlers[name] as (
    input: HandlerInput<EndpointName>,
    context: ServiceContext,
  ) => Promise<unknown>;
  const result = await handle(
    { ...input, request, signal: request.signal } as HandlerInput<EndpointName>,
    context,
  );
  const response = result instanceof Response ? result : valueAnswer(endpoint, result);
  if (tag !== null) response.headers.set('etag', tag);
  response.headers.set('vary', 'accept, accept-encoding, authorization');
  return response;
}

function valueAnswer(endpoint: Endpoint, value: unknown): Response {
  const empty =
    value === null || (endpoint.emptyIs204 === true && Array.isArray(value) && value.length === 0);
  return empty ? new Response(null, { status: 204 }) : jsonAnswer(value);
}

/** Longest path and query of a request. */
const MAX_ADDRESS = 256 * 1024;

function refuseLongAddress({ url }: Request): void {
  if (url.length <= MAX_ADDRESS) return;
  throw new HttpError(
    414,
    'address',
    `the address is longer than ${MAX_ADDRESS} characters; use POST /v2/data`,
    'too_large',
  );
}
