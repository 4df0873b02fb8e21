import { createHash } from 'node:crypto';
import { VERSION } from '../../contract/wire-names.js';

/**
 * A strong entity tag for the answer to a GET: the same store version, request and program version yield the same bytes.
 * It is known before anything is read, so that a 304 costs nothing.
 */
export function entityTag(request: Request, storeVersion: string): string {
  const { pathname, search } = new URL(request.url);
  const accept = request.headers.get('accept') ?? '';
  const parts = [VERSION, storeVersion, pathname, search, accept];
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32)}"`;
}

/** Whether the client has the answer with this tag already. */
export function matchesTag(request: Request, tag: string): boolean {
  const tags = request.headers.get('if-none-match');
  if (tags === null) return false;
  return tags.trim() === '*' || tags.split(',').some((one) => originalTag(one) === tag);
}

export function notModifiedAnswer(tag: string): Response {
  return new Response(null, { status: 304, headers: { etag: tag } });
}

/** The tag without the marks that proxies and our own compression add. */
function originalTag(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, '')
    .replace(/-(gzip|zstd)"$/, '"');
}
