import { VERSION } from '../../contract/wire-names.js';
import { NotFoundError } from '../../model/errors.js';
import { jsonAnswer } from '../http/answers.js';
import { matchesTag, notModifiedAnswer } from '../http/etag.js';
import { type PageFile, readAsset, readDocument } from './page-files.js';

/** Only the service's own scripts, styles and answers; nothing inline, no eval, no frames, no other host. */
const PAGE_POLICY = policy({
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
});

/** A worker obeys the policy of its own script: it alone may compile WebAssembly, that of Parquet. */
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

/** `GET /`: the page for a browser, and for programs where everything is. */
export async function rootAnswer(request: Request, hasPage: boolean): Promise<Response> {
  const answer =
    hasPage && prefersHtml(request.headers.get('accept') ?? '')
      ? await documentAnswer(request)
      : jsonAnswer({ data: describeService(hasPage) });
  answer.headers.set('vary', 'accept, accept-encoding');
  return answer;
}

/** Relative addresses, so that they hold under the prefix of a proxy. */
function describeService(hasPage: boolean): object {
  return {
    name: 'cropframe',
    version: VERSION,
    page: hasPage ? './' : null,
    docs: 'docs',
    openapi: 'openapi.json',
  };
}

/** Whether a client would rather have HTML than JSON. Browsers name it first; programs name `*` or JSON. */
function prefersHtml(accept: string): boolean {
  return weightOf('text/html', accept) > weightOf('application/json', accept);
}

function weightOf(type: string, accept: string): number {
  for (const part of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2));
  }
  return 0;
}

async function documentAnswer(request: Request): Promise<Response> {
  const file = await readDocument();
  const answer = fileAnswer(request, file);
  for (const [name, value] of Object.entries(documentHeaders())) answer.headers.set(name, value);
  return answer;
}

/** The headers of a document that a browser shows. */
export function documentHeaders(): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': PAGE_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
}

/** `GET /assets/{name}`: a part of the page, whose name has a hash of its content. */
export async function assetAnswer(request: Request, name: string): Promise<Response> {
  const file = await readAsset(name);
  if (file === null) {
    const { pathname } = new URL(request.url);
    throw new NotFoundError(404, pathname, `the page has no ${pathname}; reload the page`);
  }
  const answer = fileAnswer(request, file);
  answer.headers.set('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
  if (WORKER.test(name)) answer.headers.set('content-security-policy', WORKER_POLICY);
  return answer;
}

/** A file, or 304 where the client has it. */
export function fileAnswer(request: Request, { bytes, contentType, tag }: PageFile): Response {
  if (matchesTag(request, tag)) return notModifiedAnswer(tag);
  return new Response(bytes, {
    headers: { 'content-type': contentType, 'content-length': String(bytes.byteLength), etag: tag },
  });
}
