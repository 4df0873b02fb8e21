/**
 * The `content-digest` header of RFC 9530 with SHA-256, for buffered answers. It is computed over the content as sent,
 * so that a reader of decoded content can verify it only when the answer has no content coding.
 */
export const CONTENT_DIGEST = 'content-digest';

/** The value of the header for these bytes: `sha-256=:<base64>:`. */
export async function contentDigest(content: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', content);
  return `sha-256=:${btoa(String.fromCharCode(...new Uint8Array(hash)))}:`;
}

const SHA_256_MEMBER = /(?:^|,)\s*sha-256=(:[A-Za-z0-9+/=]*:)/;

/**
 * Whether the content matches a `content-digest` header. True when it cannot be verified: without a header, without
 * SHA-256 in it, or without Web Crypto.
 */
export async function matchesDigest(
  content: Uint8Array<ArrayBuffer>,
  header: string | null,
): Promise<boolean> {
  const expected = header === null ? undefined : SHA_256_MEMBER.exec(header)?.[1];
  if (expected === undefined || globalThis.crypto?.subtle === undefined) return true;
  return (await contentDigest(content)) === `sha-256=${expected}`;
}
