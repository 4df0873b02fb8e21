import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import type { Endpoint } from '../../contract/addresses.js';
import { type EndpointName, endpoints } from '../../contract/endpoints.js';
import { CropframeError, NotFoundError } from '../../model/errors.js';
import { addPage, type PageOptions, unknownPath } from '../page/page.js';

/** The endpoint of a request, and the parameters of its path. */
export interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly path: Readonly<Record<string, string>>;
}

type Variables = { Bindings: { answer: (route: Route) => Promise<Response> } };

interface RouterOptions extends PageOptions {
  /** The path under which a proxy passes requests on, such as `/data`, which it may keep or remove; else empty. */
  readonly prefix: string;
}

/**
 * Creates a function that passes the endpoint of a request to `answer`, and answers the paths of the page and of the
 * documentation itself. It rejects with NotFoundError for an unknown path, and with CropframeError (method) for a wrong
 * method.
 */
export function createRouter({
  prefix,
  ...options
}: RouterOptions): (request: Request, answer: (route: Route) => Promise<Response>) => Promise<Response> {
  const app = new Hono<Variables>(prefix === '' ? {} : { getPath: (request) => pathBelow(prefix, request) });
  addPage(app, options);
  // From there, relative addresses would miss.
  app.get('/docs/', () => redirectTo('../docs'));
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    app.on(endpoint.method, endpoint.path.replace(/\{(\w+)\}/g, ':$1'), ({ req, env }) =>
      env.answer({ name, endpoint, path: req.param() as Record<string, string> }),
    );
  }
  app.notFound(({ req }) => {
    throw routeError(req.method, req.path);
  });
  app.onError((error) => {
    throw error;
  });
  return async (request, answer) => redirectToFolder(prefix, request) ?? app.fetch(request, { answer });
}

const redirectTo = (location: string): Response => new Response(null, { status: 308, headers: { location } });

/** The path of a request without the prefix, if a proxy has kept it. */
function pathBelow(prefix: string, request: Request): string {
  const path = getPath(request);
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

/** Relative addresses of a page count from its folder: `/data` redirects to `/data/`. */
function redirectToFolder(prefix: string, request: Request): Response | null {
  if (prefix === '' || getPath(request) !== prefix) return null;
  const folder = prefix.slice(prefix.lastIndexOf('/') + 1);
  return redirectTo(`${folder}/${new URL(request.url).search}`);
}

function routeError(method: string, path: string): CropframeError {
  const matching = Object.values(endpoints as Record<string, Endpoint>).filter((endpoint) =>
    new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  if (path === '/embed')
    return new NotFoundError(404, path, 'no site may show figures of this service; name one: --embed ORIGIN');
  if (matching.length === 0) return new NotFoundError(404, path, unknownPath(path));
  const allowed = [...new Set(matching.map((endpoint) => endpoint.method))].join(', ');
  return new CropframeError('method', `${path} accepts ${allowed}, not ${method}`);
}
