import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Env, Hono, MiddlewareHandler } from 'hono';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import type { Endpoint } from '../../contract/addresses.js';
import { type EndpointName, endpoints } from '../../contract/endpoints.js';
import { OPERATION_TEXTS, openApiDocument } from '../../contract/openapi/document.js';
import { VERSION } from '../../contract/wire-names.js';
import { NotFoundError } from '../../model/errors.js';
import { acceptedWeight, jsonAnswer } from '../http/answers.js';

/** Allows the page to use only the service's own scripts, styles and responses: no inline code, eval or other hosts. */
const PAGE_DIRECTIVES = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'font-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

function policy(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}

const DOCUMENT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': policy(PAGE_DIRECTIVES),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

/** The headers for the page's assets, which never change, because their names contain a content hash. */
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' };

/** The response to programs that request `/`. Its URLs are relative, so that they work under a proxy's prefix. */
const rootData = ({ page, storeName }: PageOptions) => ({
  name: 'cropframe',
  version: VERSION,
  store: storeName ?? null,
  page: page ? './' : null,
  docs: 'docs',
  openapi: 'openapi.json',
});

/** Checks whether a client prefers HTML to JSON, as browsers do. Programs accept JSON or any type. */
function prefersHtml(accept = ''): boolean {
  return (acceptedWeight(accept, 'text/html') ?? 0) > (acceptedWeight(accept, 'application/json') ?? 0);
}

const BUILT = join(packageFolder(), 'dist');
const EXPLORER = join(BUILT, 'explorer');

/** Returns the package's folder. A bundled program has no package, so this returns the folder of the program's file. */
function packageFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('cropframe/package.json'));
  } catch {
    return dirname(fileURLToPath(import.meta.url));
  }
}

/** Checks whether the web page is built. In a source checkout, it is missing until the first build. */
export function isPageBuilt(): boolean {
  return existsSync(join(EXPLORER, 'index.html'));
}

/**
 * Returns a handler that sends a file with the given headers. If the build made a compressed version of the file,
 * browsers receive that version.
 * @param pathOf returns the path of the file for the last segment of the URL
 */
function filesAt(
  pathOf: (name: string) => string,
  headers: Readonly<Record<string, string>>,
): MiddlewareHandler {
  const send = serveStatic({
    rewriteRequestPath: (path) => pathOf(basename(path)),
    precompressed: true,
    onNotFound: (_, { req: { path } }) => {
      throw new NotFoundError(404, path, unknownPath(path));
    },
  });
  return async (context, next) => {
    const response = (await send(context, next)) as Response;
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
}

/** The OpenAPI document, which is built on the first request. */
let contract: ReturnType<typeof openApiDocument> | undefined;

/** Returns an HTML list of endpoints. If scripts can run, Swagger UI replaces the list. Links are relative to `/`. */
function docsAnswer(): Response {
  const page = [
    HEAD,
    `<body><main id="plain"><h1>cropframe ${VERSION}</h1>`,
    '<p>Send <code>authorization: Bearer &lt;token&gt;</code>. Repeat a key to send a list. Dates are <code>YYYY-MM-DD</code> or ',
    'ISO 8601 timestamps, UTC. Every parameter is in <a href="openapi.json">openapi.json</a>.</p><ul>',
    ...(Object.keys(endpoints) as EndpointName[]).map(listItem),
    '</ul></main></body></html>',
  ];
  return new Response(page.join('\n'), { headers: DOCUMENT_HEADERS });
}

const HEAD = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>cropframe HTTP API</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="docs/swagger-ui.css"><link rel="stylesheet" href="docs/docs.css">
<script defer src="docs/swagger-ui-bundle.js"></script><script defer src="docs/start.js"></script></head>`;

function listItem(name: EndpointName): string {
  const { method, path, right }: Endpoint = endpoints[name];
  const needed = right === undefined ? '' : ` The token needs the right <code>${right}</code>.`;
  return `<li><code>${method} ${path}</code> ${OPERATION_TEXTS[name].summary}.${needed}</li>`;
}

export interface PageOptions {
  readonly page: boolean;
  readonly storeName?: string | undefined;
  readonly embed: readonly string[];
}

/** Sends 304 if the content is unchanged, with the content security policy, which may have changed. */
const unlessSame = etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'content-security-policy'] });

export function addPage<Bound extends Env>(app: Hono<Bound>, options: PageOptions): void {
  const { page, embed } = options;
  const document = documentWith(DOCUMENT_HEADERS);
  app.get('/', unlessSame, async (context, next) => {
    const isPage = page && prefersHtml(context.req.header('accept'));
    const answer = isPage ? await document(context, next) : jsonAnswer({ data: rootData(options) });
    (answer as Response).headers.set('vary', 'accept, accept-encoding');
    return answer as Response;
  });
  if (page && embed.length > 0) {
    // `/embed` serves the page as a single chart that the sites in `embed` may show in a frame.
    const framed = policy({ ...PAGE_DIRECTIVES, 'frame-ancestors': embed.join(' ') });
    app.get('/embed', unlessSame, documentWith({ ...DOCUMENT_HEADERS, 'content-security-policy': framed }));
  }
  const assetsAt = (name: string) => join(EXPLORER, 'assets', name);
  if (page) app.get('/assets/:name', filesAt(assetsAt, ASSET_HEADERS));
  app.get('/openapi.json', () => {
    contract ??= openApiDocument(VERSION);
    return jsonAnswer(contract);
  });
  app.get('/docs', docsAnswer);
  const scriptAt = (name: string) => join(BUILT, 'docs', name);
  const script = filesAt(scriptAt, { 'cache-control': 'no-cache' });
  app.get('/docs/:name', unlessSame, script);
}

function documentWith(headers: typeof DOCUMENT_HEADERS): MiddlewareHandler {
  return filesAt(() => join(EXPLORER, 'index.html'), headers);
}

export const unknownPath = (path: string): string => `unknown path ${path}; see /docs`;
