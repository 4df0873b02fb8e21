import type { PlannedRequest } from './request.js';

/** An answer as a cache keeps it: the body as it was decoded, and what makes it revalidable. */
export interface StoredAnswer {
  /** Strong, with its quotes; null where the service gave none: then it serves offline only. */
  readonly etag: string | null;
  readonly contentType: string;
  /** ISO 8601 UTC: when the service last said that this is the answer. */
  readonly answeredAt: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Where answers are kept between runs. Nothing that it does may fail a retrieval: what it cannot read is not there. */
export interface AnswerCache {
  find(key: string): Promise<StoredAnswer | null>;
  put(key: string, answer: StoredAnswer): Promise<void>;
  remove(key: string): Promise<void>;
}

/** What a client's cache is. */
export interface CacheOptions {
  /** A folder of its own; made when absent. Several processes may share it. */
  directory: string;
  /** What the folder may hold; the answers used longest ago leave first. Default 512 MiB. */
  maxBytes?: number | undefined;
}

/** Whether an answer to this request may be kept: it changes nothing, and nobody's password is in it. */
export function isCacheable({ method, authorized }: PlannedRequest): boolean {
  return method === 'GET' && authorized;
}

/**
 * The key of an answer: a hash of the whole request (method, address with host and query, what is accepted) and of the
 * token, so that one holder never sees another's answers. The token cannot be had back from it.
 */
export async function cacheKey(
  { method, url, accept }: PlannedRequest,
  token: string | null,
): Promise<string> {
  const text = JSON.stringify(['cropframe answer 1', method, url, accept, token]);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A kept answer as the service would give it. */
export function asResponse({ contentType, body }: StoredAnswer): Response {
  return new Response(body, { status: 200, headers: { 'content-type': contentType } });
}
