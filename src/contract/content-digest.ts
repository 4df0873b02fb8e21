/**
 * The `content-digest` header of RFC 9530 with SHA-256, for answers that are buffered. It is computed over the content
 * as sent; a reader that is given decoded content can verify it only where there was no content coding.
 */
export const CONTENT_DIGEST = 'content-digest';

/** The header's value for these bytes: `sha-256=:<base64>:`. */
export async function contentDigest(content: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', content);
  return `sha-256=:${btoa(String.fromCharCode(...new Uint8Array(hash)))}:`;
}

const SHA_256_MEMBER = /(?:^|,)\s*sha-256=(:[A-Za-z0-9+/=]*:)/;

/**
 * Whether the content fits a `content-digest` header. True where there is nothing to verify by: no header, no SHA-256
 * in it, or no way to compute one here.
 */
export async function matchesDigest(
  content: Uint8Array<ArrayBuffer>,
  header: string | null,
): Promise<boolean> {
  const given = header === null ? undefined : SHA_256_MEMBER.exec(header)?.[1];
  if (given === undefined || globalThis.crypto?.subtle === undefined) return true;
  return (await contentDigest(content)) === `sha-256=${given}`;
}
