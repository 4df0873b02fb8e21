import { type OptionsOf, required } from '../../model/schema/check.js';
import { integer, TEXT } from '../../model/schema/schemas.js';
import type { PlannedRequest } from './request.js';

/** A cached answer: the decoded body, and the headers needed to revalidate it. */
export interface StoredAnswer {
  /** A strong ETag with its quotes. If the service sent none, it is null, and the answer is only for offline use. */
  readonly etag: string | null;
  readonly contentType: string;
  /** When the service last confirmed the answer, ISO 8601 UTC. */
  readonly answeredAt: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Keeps answers between runs. It never makes a retrieval fail, because an unreadable answer counts as absent. */
export interface AnswerCache {
  find(key: string): Promise<StoredAnswer | null>;
  put(key: string, answer: StoredAnswer): Promise<void>;
  remove(key: string): Promise<void>;
}

/** The schemas of `CacheOptions`. */
export const CACHE_KEYS = {
  /** A folder only for the cache, created if absent. Several processes can share it. */
  directory: required(TEXT),
  /** Maximum size of the folder; the least recently used answers are removed first. Default 512 MiB. */
  maxBytes: integer(),
};
/** The cache of a client. */
export interface CacheOptions extends OptionsOf<typeof CACHE_KEYS> {}

export interface CachePlace {
  /** The cached answer; null if there is none. */
  readonly stored: StoredAnswer | null;
  answer(): Response;
  /** Caches an answer if it may be cached. Null means that the service has confirmed the cached answer. */
  put(answer: Response | null, answeredAt: string): Promise<void>;
  remove(): Promise<void>;
}

/** Finds the cache entry of a request. Returns null for requests that change data or carry a password. */
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
 * Returns the key of an answer: a hash of the request (method, URL, accepted types) and of the token, so that the
 * holder of one token never sees another's answers. The token cannot be recovered from the hash.
 */
async function cacheKey({ method, url, accept }: PlannedRequest, token: string | null): Promise<string> {
  const text = JSON.stringify(['cropframe answer 1', method, url, accept, token]);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
