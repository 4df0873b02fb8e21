import { Hono } from 'hono';
import { type Endpoint, type EndpointName, endpoints } from '../../contract/endpoints.js';
import { CropframeError, NotFoundError } from '../../model/errors.js';
import { docsAnswer, openApiAnswer } from './documentation.js';

/** The endpoint that a request is for, and the parameters of its path. */
export interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly path: Readonly<Record<string, string>>;
}

type Variables = { Bindings: { answer: (route: Route) => Promise<Response> } };

/**
 * Finds the endpoint of a request by the contract's paths and hands it on.
 * @returns a function that rejects with NotFoundError for an unknown path and CropframeError (method) for a wrong method
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
    throw unknownPath(req.method, req.path);
  });
  app.onError((error) => {
    throw error;
  });
  return async (request, answer) => app.fetch(request, { answer });
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function unknownPath(method: string, path: string): CropframeError {
  const others = Object.values(endpoints as Record<string, Endpoint>).filter((endpoint) =>
    pathPattern(endpoint).test(path),
  );
  if (others.length === 0) return new NotFoundError(404, path, `unknown path ${path}; /docs lists the paths`);
  const allowed = [...new Set(others.map((endpoint) => endpoint.method))].join(', ');
  return new CropframeError('method', `${path} takes ${allowed}, not ${method}`);
}

function pathPattern({ path }: Endpoint): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
