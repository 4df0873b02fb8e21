import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import type * as v from 'valibot';
import type { Endpoint } from '../../contract/addresses.js';
import { type EndpointName, endpoints } from '../../contract/endpoints.js';
import { CropframeError, NotFoundError } from '../../model/errors.js';
import { nearestWord } from '../../model/names/edit-distance.js';
import { choicesOf } from '../../model/schema/schemas.js';
import { addPage, type PageOptions, unknownPath } from '../page/page.js';

export interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly path: Readonly<Record<string, string>>;
}

type Variables = { Bindings: { answer: (route: Route) => Promise<Response> } };

interface RouterOptions extends PageOptions {
  /** The prefix of the paths that a proxy forwards, such as `/data`, or an empty string. The proxy may remove it. */
  readonly prefix: string;
}

/**
 * Creates a function that finds the endpoint for a request and passes it to `answer`. The function itself handles
 * requests for the web page and the documentation. It rejects with NotFoundError if the path is unknown, and with
 * CropframeError (method) if the path does not accept the method.
 */
export function createRouter({
  prefix,
  ...options
}: RouterOptions): (request: Request, answer: (route: Route) => Promise<Response>) => Promise<Response> {
  const app = new Hono<Variables>(prefix === '' ? {} : { getPath: (request) => pathBelow(prefix, request) });
  addPage(app, options);
  // With a trailing slash, the page's relative URLs would resolve to the wrong paths.
  app.get('/docs/', () => redirectTo('../docs'));
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][])
    app.on(endpoint.method, routePath(endpoint), ({ req, env }) =>
      env.answer({ name, endpoint, path: req.param() as Record<string, string> }),
    );
  app.notFound(({ req }) => {
    const { path } = req;
    throw routeError(
      req,
      METHODS.filter((method) => app.router.match(method, path)[0].length > 0),
    );
  });
  app.onError((error) => {
    throw error;
  });
  return async (request, answer) => redirectToFolder(prefix, request) ?? app.fetch(request, { answer });
}

const redirectTo = (location: string): Response => new Response(null, { status: 308, headers: { location } });

function pathBelow(prefix: string, request: Request): string {
  const path = getPath(request);
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

/** Redirects from the bare prefix to the prefix with a trailing slash, so that relative URLs resolve below it. */
function redirectToFolder(prefix: string, request: Request): Response | null {
  if (prefix === '' || getPath(request) !== prefix) return null;
  const folder = prefix.slice(prefix.lastIndexOf('/') + 1);
  return redirectTo(`${folder}/${new URL(request.url).search}`);
}

const METHODS = ['GET', 'POST'];

/** Returns the allowed values of a path parameter, or `undefined` if it accepts any value. */
function valuesAt(schema: Endpoint['pathParameters'], key: string): readonly string[] | undefined {
  const parameter = schema?.entries[key];
  return parameter === undefined ? undefined : choicesOf(parameter as v.GenericSchema);
}

/** Returns the route pattern for an endpoint. A parameter with a list of allowed values matches only those values. */
function routePath({ path, pathParameters }: Endpoint): string {
  return path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const values = valuesAt(pathParameters, key);
    return values === undefined ? `:${key}` : `:${key}{(?:${values.join('|')})}`;
  });
}

/** Lists the paths of all endpoints, with one path for each allowed `type`. Other parameters remain in braces. */
const paths = (): string[] =>
  Object.values(endpoints as Record<string, Endpoint>).flatMap(({ path, pathParameters }) =>
    (valuesAt(pathParameters, 'type') ?? ['']).map((type) => path.replace('{type}', type)),
  );

function routeError(
  { method, path }: { method: string; path: string },
  allowed: readonly string[],
): CropframeError {
  if (path === '/embed')
    return new NotFoundError(
      404,
      path,
      'no site is allowed to embed charts from this service; to allow one, start the service with --embed ORIGIN',
    );
  if (allowed.length > 0)
    return new CropframeError('method', `${path} accepts ${allowed.join(', ')}, not ${method}`);
  const nearest = nearestWord(path, paths());
  return new NotFoundError(404, path, `${unknownPath(path)}${nearest ? ` (did you mean ${nearest}?)` : ''}`);
}
