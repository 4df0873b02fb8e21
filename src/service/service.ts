import { Hono } from 'hono';
import { type Endpoint, type EndpointName, endpoints } from '../contract/endpoints.js';
import { readParameters, validate } from '../contract/parameters.js';
import { ArgumentError, CropframeError, NotFoundError } from '../model/errors.js';
import type { Store } from '../store/store.js';
import type { Log } from './access-log.js';
import { jsonAnswer, problemAnswer } from './answers.js';
import { type Authorizer, bearerToken, storeAuthorizer } from './auth.js';
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
import type { HandlerInput, Handlers } from './handlers.js';
import { checkHealth } from './health.js';
import { logIn } from './login.js';
import { movedIdsOf } from './moved.js';
import { retrievePointBatch, retrievePoints } from './points.js';
import { listTimeFrequencies, rankSources, rankTop } from './ranking.js';
import { listSeries, streamSeries } from './series.js';
import { type Service, serve } from './serve.js';

export { type Service, serve };

/** Who may ask a service, and who is told. */
export interface ServiceOptions {
  /** Who may ask; by default the tokens that the store knows. */
  readonly authorize?: Authorizer;
  readonly log?: Log;
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
  const app = new Hono();
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    app.on(endpoint.method, honoPath(endpoint.path), async ({ req }) => {
      if (endpoint.open !== true) await authorize(bearerToken(req.raw));
      return answer(
        name,
        endpoint,
        { request: req.raw, path: req.param() as Record<string, string> },
        context,
      );
    });
  }
  app.notFound(({ req }) => problemAnswer(unknownPath(req.method, req.path)));
  app.onError((error) => problemAnswer(error));
  return logged(async (request) => app.fetch(request), options.log);
}

async function answer(
  name: EndpointName,
  endpoint: Endpoint,
  { request, path }: { request: Request; path: Record<string, string> },
  context: ServiceContext,
): Promise<Response> {
  const input = await parseInput(endpoint, request, path);
  const moved = await movedIdsOf(input.query, context);
  if (moved !== null) return jsonAnswer(request, { data: moved }, 301);
  const handle = handlers[name] as (
    input: HandlerInput<EndpointName>,
    context: ServiceContext,
  ) => Promise<unknown>;
  const result = await handle(
    { ...input, request, signal: request.signal } as HandlerInput<EndpointName>,
    context,
  );
  if (result instanceof Response) return result;
  const empty =
    result === null || (endpoint.emptyIs204 === true && Array.isArray(result) && result.length === 0);
  return empty ? new Response(null, { status: 204 }) : jsonAnswer(request, result);
}

async function parseInput(
  endpoint: Endpoint,
  request: Request,
  path: Record<string, string>,
): Promise<{ path: object; query: Record<string, unknown>; form: object; body: unknown }> {
  return {
    path: endpoint.path_parameters ? readPath(endpoint.path_parameters, path) : {},
    query: endpoint.query ? readParameters(endpoint.query, new URL(request.url).searchParams) : {},
    form: endpoint.form ? readParameters(endpoint.form, await readForm(request)) : {},
    body: endpoint.body ? validate(endpoint.body, await readJson(request)) : {},
  };
}

/** A path parameter that does not fit means that there is no such path. */
function readPath(schema: NonNullable<Endpoint['path_parameters']>, path: Record<string, string>): object {
  try {
    return readParameters(schema, new URLSearchParams(path));
  } catch (error) {
    if (error instanceof ArgumentError)
      throw new NotFoundError(404, 'path', `unknown path: ${error.message}`);
    throw error;
  }
}

async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await request.text());
}

async function readJson(request: Request): Promise<unknown> {
  const text = await request.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ArgumentError('body', 'body: is not JSON', { cause: error });
  }
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function unknownPath(method: string, path: string): CropframeError {
  const others = Object.values(endpoints as Record<string, Endpoint>).filter((endpoint) =>
    pathPattern(endpoint).test(path),
  );
  if (others.length === 0)
    return new NotFoundError(404, path, `unknown path ${path}; /openapi.json lists the paths`);
  const allowed = [...new Set(others.map((endpoint) => endpoint.method))].join(', ');
  return new CropframeError('method', `${path} takes ${allowed}, not ${method}`);
}

function pathPattern({ path }: Endpoint): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

function logged(service: Service, log: Log | undefined): Service {
  if (log === undefined) return service;
  return async (request) => {
    const started = performance.now();
    const response = await service(request);
    const { pathname, search } = new URL(request.url);
    log({
      time: new Date().toISOString(),
      request_id: crypto.randomUUID(),
      method: request.method,
      path: pathname,
      query: search,
      status: response.status,
      duration_ms: Math.round(performance.now() - started),
      holder: null,
    });
    return response;
  };
}
