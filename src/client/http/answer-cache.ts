import { type OptionsOf, required } from '../../model/schema/check.js';
import { integer, TEXT } from '../../model/schema/schemas.js';
import type { PlannedRequest } from './request.js';

/** A cached response. `answeredAt` is the time at which the service last confirmed it, in ISO 8601 UTC. */
export interface StoredAnswer {
  /** The strong ETag, including its quotes. If null, the response cannot be revalidated and is used only offline. */
  readonly etag: string | null;
  readonly contentType: string;
  readonly answeredAt: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Keeps responses between runs of the program. If the cache fails, a response is treated as missing. */
export interface AnswerCache {
  find(key: string): Promise<StoredAnswer | null>;
  put(key: string, answer: StoredAnswer): Promise<void>;
  remove(key: string): Promise<void>;
}

export const CACHE_KEYS = {
  /** The cache's own folder, which is created if it does not exist. Several processes can share it. */
  directory: required(TEXT),
  /** Maximum size of the folder in bytes; default 512 MiB. The least recently used responses are removed first. */
  maxBytes: integer(),
};
/** Options of a client's response cache. */
export interface CacheOptions extends OptionsOf<typeof CACHE_KEYS> {}

/**
 * Returns the key under which a response is cached: a hash of the request's method, URL and accepted types, and of the
 * token. Responses cached for one token are therefore never returned for another. Returns null if the response must not
 * be cached, because the request changes data or contains a password.
 */
export async function cacheKey(
  { method, url, accept, authorized }: PlannedRequest,
  token: string | null,
): Promise<string | null> {
  if (method !== 'GET' || !authorized) return null;
  const text = JSON.stringify(['cropframe answer 1', method, url, accept, token]);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Converts a response to its cached form, or to null if it must not be cached. */
export async function toStored(answer: Response, answeredAt: string): Promise<StoredAnswer | null> {
  const { status, headers } = answer;
  if (status !== 200 || /\bno-store\b/i.test(headers.get('cache-control') ?? '')) return null;
  const etag = headers.get('etag');
  return {
    etag: etag?.startsWith('"') === true ? etag : null,
    contentType: headers.get('content-type') ?? '',
    answeredAt,
    body: new Uint8Array(await answer.arrayBuffer()),
  };
}

export function fromStored({ body, contentType }: StoredAnswer): Response {
  return new Response(body, { headers: { 'content-type': contentType } });
}
