import { type OptionsOf, required } from '../../model/schema/check.js';
import { integer, TEXT } from '../../model/schema/schemas.js';
import type { PlannedRequest } from './request.js';

/** A cached response: the decoded body, and the headers needed to revalidate it. */
export interface StoredAnswer {
  /** The strong ETag, including its quotes. Null if the service sent none; the response is then only used offline. */
  readonly etag: string | null;
  readonly contentType: string;
  /** When the service last confirmed the response, in ISO 8601 UTC. */
  readonly answeredAt: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Keeps responses between runs of the program. Cache errors never make a retrieval fail: an unreadable response is
 * treated as missing.
 */
export interface AnswerCache {
  find(key: string): Promise<StoredAnswer | null>;
  put(key: string, answer: StoredAnswer): Promise<void>;
  remove(key: string): Promise<void>;
}

/** The schemas of `CacheOptions`. */
export const CACHE_KEYS = {
  /** The cache's own folder, which is created if it does not exist. Several processes can share it. */
  directory: required(TEXT),
  /** Maximum size of the folder in bytes; default 512 MiB. The least recently used responses are removed first. */
  maxBytes: integer(),
};
/** Options of a client's response cache. */
export interface CacheOptions extends OptionsOf<typeof CACHE_KEYS> {}

export interface CachePlace {
  /** The cached response, or null if there is none. */
  readonly stored: StoredAnswer | null;
  answer(): Response;
  /**
   * Caches a response if caching is allowed. If `answer` is null, the service has confirmed that the cached response is
   * still valid.
   */
  put(answer: Response | null, answeredAt: string): Promise<void>;
  remove(): Promise<void>;
}

/** Finds a request's cache entry. Returns null if the request changes data or contains a password. */
export async function findCacheEntry(
  planned: PlannedRequest,
  {
    cache: opening,
    token,
  }: { readonly cache?: Promise<AnswerCache> | undefined; readonly token: string | null },
): Promise<CachePlace | null> {
  if (opening === undefined || planned.method !== 'GET' || !planned.authorized) return null;
  const cache = await opening;
  const key = await cacheKey(planned, token);
  const stored = await cache.find(key);
  return {
    stored,
    answer: () =>
      new Response(stored!.body, { status: 200, headers: { 'content-type': stored!.contentType } }),
    async put(answer, answeredAt) {
      const entry = answer === null ? { ...stored!, answeredAt } : await toStored(answer, answeredAt);
      if (entry !== null) await cache.put(key, entry);
    },
    remove: () => cache.remove(key),
  };
}

async function toStored(answer: Response, answeredAt: string): Promise<StoredAnswer | null> {
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

/**
 * Returns the cache key: a hash of the request's method, URL, accepted types and token. The token is included so that
 * responses cached for one token are never returned for another. The token cannot be recovered from the hash.
 */
async function cacheKey({ method, url, accept }: PlannedRequest, token: string | null): Promise<string> {
  const text = JSON.stringify(['cropframe answer 1', method, url, accept, token]);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
