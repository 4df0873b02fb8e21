import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Env, Hono } from 'hono';
import type { Endpoint } from '../../contract/addresses.js';
import { type EndpointName, endpoints } from '../../contract/endpoints.js';
import { OPERATION_TEXTS, openApiDocument } from '../../contract/openapi/document.js';
import { VERSION } from '../../contract/wire-names.js';
import { NotFoundError } from '../../model/errors.js';
import { acceptedWeight, encodedTag, jsonAnswer, matchesTag, notModifiedAnswer } from '../http/answers.js';

/** Only the service's own scripts, styles and answers; nothing inline, no eval, no frames, no other host. */
const PAGE_DIRECTIVES = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'font-src': "'self'",
  'worker-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};
const PAGE_POLICY = policy(PAGE_DIRECTIVES);

/** A worker obeys the policy of its script: only the worker may compile WebAssembly, that of Parquet. */
const WORKER_POLICY = policy({
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'connect-src': "'self'",
});

function policy(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}

/** The name by which the build marks the scripts of workers. */
const WORKER = /^worker-/;

const YEAR_SECONDS = 31_536_000;

/** Handles `GET /`: the page for a browser, and a list of the endpoints for programs. */
async function rootAnswer(request: Request, hasPage: boolean): Promise<Response> {
  const page = hasPage ? './' : null;
  // Relative addresses hold under the prefix of a proxy.
  const data = { name: 'cropframe', version: VERSION, page, docs: 'docs', openapi: 'openapi.json' };
  const isPage = hasPage && prefersHtml(request.headers.get('accept') ?? '');
  const answer = isPage ? await documentAnswer(request) : jsonAnswer({ data });
  answer.headers.set('vary', 'accept, accept-encoding');
  return answer;
}

/** Checks whether a client prefers HTML to JSON. Browsers name HTML first; programs name `*` or JSON. */
function prefersHtml(accept: string): boolean {
  return (acceptedWeight(accept, 'text/html') ?? 0) > (acceptedWeight(accept, 'application/json') ?? 0);
}

async function documentAnswer(request: Request): Promise<Response> {
  const answer = fileAnswer(request, await readFileOf(BUILT_DOCUMENT), unknownPath);
  for (const [name, value] of Object.entries(DOCUMENT_HEADERS)) answer.headers.set(name, value);
  return answer;
}

/** Handles `GET /embed`: the page as one figure, which pages of some sites may show in a frame. */
async function embeddedAnswer(request: Request, origins: readonly string[]): Promise<Response> {
  const answer = await documentAnswer(request);
  const framed = policy({ ...PAGE_DIRECTIVES, 'frame-ancestors': origins.join(' ') });
  answer.headers.set('content-security-policy', framed);
  return answer;
}

/** The headers of a document that a browser shows. */
const DOCUMENT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

/** Handles `GET /assets/{name}`: a part of the page, whose name contains a hash of its content. */
async function assetAnswer(request: Request, name: string): Promise<Response> {
  const accepted = acceptedWeight(request.headers.get('accept-encoding') ?? '', 'gzip') ?? 0;
  const file = await (accepted > 0 ? readCompressed(name) : readNamed(BUILT_ASSETS, name));
  const answer = fileAnswer(request, file, (path) => `the page has no ${path}; reload the page`);
  answer.headers.set('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
  answer.headers.set('vary', 'accept-encoding');
  if (WORKER.test(name)) answer.headers.set('content-security-policy', WORKER_POLICY);
  return answer;
}

/**
 * Makes the response for a file, or 304 if the client has it.
 * @param missing says of a path that it has no file
 */
function fileAnswer(request: Request, file: PageFile | null, missing: (path: string) => string): Response {
  if (file === null) {
    const { pathname } = new URL(request.url);
    throw new NotFoundError(404, pathname, missing(pathname));
  }
  const { bytes, contentType, tag, isCompressed } = file;
  if (matchesTag(request, tag)) return notModifiedAnswer(tag);
  return new Response(bytes, {
    headers: {
      'content-type': contentType,
      'content-length': String(bytes.byteLength),
      etag: isCompressed ? encodedTag(tag, 'gzip') : tag,
      ...(isCompressed && { 'content-encoding': 'gzip' }),
    },
  });
}

const BUILT = join(packageFolder(), 'dist');

/** Where the build puts the page, and the scripts and style sheets of the documentation. */
const BUILT_DOCUMENT = join(BUILT, 'explorer', 'index.html');
const BUILT_ASSETS = join(BUILT, 'explorer', 'assets');
const BUILT_DOCS = join(BUILT, 'docs');

/** Finds the folder of the package. A bundle that a user makes may lack the package, and then has no page. */
function packageFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('cropframe/package.json'));
  } catch {
    return dirname(fileURLToPath(import.meta.url));
  }
}

/** A file of the page, ready to be sent. */
interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** A strong entity tag of the file as it is. */
  readonly tag: string;
  /** Whether the bytes are compressed. */
  readonly isCompressed?: boolean | undefined;
}

/** Checks whether the page exists: a checkout of the sources has it only after a build. */
export function isPageBuilt(): boolean {
  return existsSync(BUILT_DOCUMENT);
}

const compressed = new Map<string, PageFile>();

/**
 * Reads a part of the page and compresses it once. Compressing it for each visitor took a third of the time to the
 * first chart.
 */
async function readCompressed(name: string): Promise<PageFile | null> {
  const known = compressed.get(name);
  if (known !== undefined) return known;
  const file = await readNamed(BUILT_ASSETS, name);
  if (file === null) return null;
  const bytes = new Uint8Array(await promisify(gzip)(file.bytes));
  const smaller = { ...file, bytes, isCompressed: true };
  compressed.set(name, smaller);
  return smaller;
}

/** Reads a file of a folder. Returns null if the folder has no file of this name. */
async function readNamed(folder: string, name: string): Promise<PageFile | null> {
  if (!/^\w[\w.-]*$/.test(name)) return null;
  return readFileOf(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function readFileOf(path: string): Promise<PageFile> {
  const bytes = new Uint8Array(await readFile(path));
  const contentType = CONTENT_TYPES[extname(path)] ?? 'application/octet-stream';
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 32)}"`;
  return { bytes, contentType, tag };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

let contract: ReturnType<typeof openApiDocument> | undefined;

/** Handles `GET /openapi.json`: the contract for programs, made on the first request. */
function openApiAnswer(): Response {
  contract ??= openApiDocument(VERSION);
  return jsonAnswer(contract);
}

/**
 * Handles `GET /docs`: the contract for people. Swagger UI replaces the list of operations, which is for those without
 * scripts. Addresses are relative to the folder of the page.
 */
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

/** Handles `GET /docs/{name}`: a script or style sheet of the documentation. */
async function docsFileAnswer(request: Request, name: string): Promise<Response> {
  const answer = fileAnswer(request, await readNamed(BUILT_DOCS, name), unknownPath);
  answer.headers.set('cache-control', 'no-cache');
  return answer;
}

function listItem(name: EndpointName): string {
  const { method, path, right }: Endpoint = endpoints[name];
  const needed = right === undefined ? '' : ` The token needs the right <code>${right}</code>.`;
  return `<li><code>${method} ${path}</code> ${OPERATION_TEXTS[name].summary}.${needed}</li>`;
}

/** The paths of the page and of the documentation. */
export interface PageOptions {
  /** Whether the page is served. */
  readonly page: boolean;
  /** Origins of sites that may show figures in frames. */
  readonly embed: readonly string[];
}

/** Adds the paths of the page and of the documentation. */
export function addPage<Bound extends Env>(app: Hono<Bound>, { page, embed }: PageOptions): void {
  app.get('/', ({ req }) => rootAnswer(req.raw, page));
  if (page && embed.length > 0) app.get('/embed', ({ req }) => embeddedAnswer(req.raw, embed));
  if (page) app.get('/assets/:name', ({ req }) => assetAnswer(req.raw, req.param('name')));
  app.get('/openapi.json', openApiAnswer);
  app.get('/docs', docsAnswer);
  app.get('/docs/:name', ({ req }) => docsFileAnswer(req.raw, req.param('name')));
}

export const unknownPath = (path: string): string => `unknown path ${path}; see /docs`;
