import { createHash } from 'node:crypto';
import { VERSION } from '../../contract/version.js';

/**
 * A strong entity tag for the answer to a GET: the same store, request and version of this program give the same bytes.
 * It is known before anything is read, so an unchanged answer costs nothing.
 */
export function entityTag(request: Request, storeVersion: string): string {
  const { pathname, search } = new URL(request.url);
  const accept = request.headers.get('accept') ?? '';
  const parts = [VERSION, storeVersion, pathname, search, accept];
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32)}"`;
}

/** Whether a request already has what carries this tag. */
export function isFresh(request: Request, tag: string): boolean {
  const known = request.headers.get('if-none-match');
  if (known === null) return false;
  return known.trim() === '*' || known.split(',').some((one) => untouched(one) === tag);
}

/** A tag without the mark that a proxy or our own compression put on it. */
function untouched(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, '')
    .replace(/-(gzip|zstd)"$/, '"');
}
