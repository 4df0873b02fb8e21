import { Hono } from 'hono';
import { type Endpoint, type EndpointName, endpoints } from '../../contract/endpoints.js';
import { CropframeError, NotFoundError } from '../../model/errors.js';
import { docsAnswer, openApiAnswer } from './documentation.js';

/** The endpoint of a request, and the parameters of its path. */
export interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly path: Readonly<Record<string, string>>;
}

type Variables = { Bindings: { answer: (route: Route) => Promise<Response> } };

/**
 * Creates a function that passes the endpoint of a request to `answer`, and answers the documentation's paths itself.
 * It rejects with NotFoundError for an unknown path, and with CropframeError (method) for a wrong method.
 */
export function createRouter(): (
  request: Request,
  answer: (route: Route) => Promise<Response>,
) => Promise<Response> {
  const app = new Hono<Variables>();
  app.get('/openapi.json', openApiAnswer);
  app.get('/docs', docsAnswer);
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    app.on(endpoint.method, honoPath(endpoint.path), ({ req, env }) =>
      env.answer({ name, endpoint, path: req.param() as Record<string, string> }),
    );
  }
  app.notFound(({ req }) => {
    throw routeError(req.method, req.path);
  });
  app.onError((error) => {
    throw error;
  });
  return async (request, answer) => app.fetch(request, { answer });
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function routeError(method: string, path: string): CropframeError {
  const matching = Object.values(endpoints as Record<string, Endpoint>).filter((endpoint) =>
    pathPattern(endpoint).test(path),
  );
  if (matching.length === 0) return new NotFoundError(404, path, `unknown path ${path}; see /docs`);
  const allowed = [...new Set(matching.map((endpoint) => endpoint.method))].join(', ');
  return new CropframeError('method', `${path} accepts ${allowed}, not ${method}`);
}

function pathPattern({ path }: Endpoint): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
