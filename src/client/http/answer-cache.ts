import type { PlannedRequest } from './request.js';

/** An answer in a cache: the decoded body, and the headers that revalidate it. */
export interface StoredAnswer {
  /** A strong one, with its quotes; null when the service sent none, and then the answer is for offline use only. */
  readonly etag: string | null;
  readonly contentType: string;
  /** When the service last confirmed the answer, ISO 8601 UTC. */
  readonly answeredAt: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Keeps answers between runs. It never fails a retrieval: an answer that it cannot read counts as absent. */
export interface AnswerCache {
  find(key: string): Promise<StoredAnswer | null>;
  put(key: string, answer: StoredAnswer): Promise<void>;
  remove(key: string): Promise<void>;
}

/** The cache of a client. */
export interface CacheOptions {
  /** A folder for the cache alone, created when absent. Several processes can share it. */
  directory: string;
  /** Maximum size of the folder; the least recently used answers are removed first. Default 512 MiB. */
  maxBytes?: number | undefined;
}

/** Checks whether the response to a request can be cached: the request must change nothing and carry no password. */
export function isCacheable({ method, authorized }: PlannedRequest): boolean {
  return method === 'GET' && authorized;
}

/**
 * Returns the key of an answer: a hash of the request (method, URL, accepted types) and of the token, so that the
 * holder of one token never sees another's answers. The token cannot be recovered from it.
 */
export async function cacheKey(
  { method, url, accept }: PlannedRequest,
  token: string | null,
): Promise<string> {
  const text = JSON.stringify(['cropframe answer 1', method, url, accept, token]);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function asResponse({ contentType, body }: StoredAnswer): Response {
  return new Response(body, { status: 200, headers: { 'content-type': contentType } });
}
