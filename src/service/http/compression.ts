import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as WebReadableStream } from 'node:stream/web';
import * as zlib from 'node:zlib';
import { parseAccept } from 'hono/utils/accept';
import { CONTENT_DIGEST } from '../../contract/content-digest.js';
import type { Service } from '../handler.js';

type Encoding = 'zstd' | 'gzip';

/** Shorter answers are not compressed. */
const MIN_BYTES = 1024;

/** Encoded bytes that are buffered for a slow client. */
const MAX_AHEAD_BYTES = 64 * 1024;

/** Node 20 has no zstd; it uses gzip only. */
const createZstd = (zlib as { createZstdCompress?: (() => zlib.Gzip) | undefined }).createZstdCompress;

/** The weight of a value in an accept header of a client; null for one that it does not name. */
export function acceptedWeight(header: string, value: string): number | null {
  return parseAccept(header.toLowerCase()).find(({ type }) => type === value)?.q ?? null;
}

/** Compresses a service's answers with an encoding that the client accepts, unless they are compressed already. */
export function compressAnswers(service: Service): Service {
  return async (request, connection) => {
    const response = await service(request, connection);
    const encoding = chooseEncoding(request.headers.get('accept-encoding') ?? '');
    return encoding === null || !isCompressible(request, response) ? response : compress(response, encoding);
  };
}

/** The preferred encoding that the client accepts; null when it accepts none of ours. */
export function chooseEncoding(accepted: string): Encoding | null {
  const weightOf = (name: string) => acceptedWeight(accepted, name) ?? acceptedWeight(accepted, '*') ?? 0;
  const zstd = createZstd === undefined ? 0 : weightOf('zstd');
  const gzip = weightOf('gzip');
  if (zstd <= 0 && gzip <= 0) return null;
  return zstd >= gzip ? 'zstd' : 'gzip';
}

function isCompressible(request: Request, response: Response): boolean {
  if (/\bno-transform\b/.test(response.headers.get('cache-control') ?? '')) return false;
  const length = response.headers.get('content-length');
  if (length !== null && Number(length) < MIN_BYTES) return false;
  return request.method !== 'HEAD' && !response.headers.has('content-encoding') && response.body !== null;
}

/** The tag of an answer that is compressed, from its own. */
export function encodedTag(tag: string, encoding: Encoding): string {
  return tag.replace(/"$/, `-${encoding}"`);
}

function compress(response: Response, encoding: Encoding): Response {
  const headers = new Headers(response.headers);
  headers.set('content-encoding', encoding);
  headers.delete('content-length');
  // The digest is of the uncompressed bytes. gzip and zstd have their own checksums.
  headers.delete(CONTENT_DIGEST);
  const tag = headers.get('etag');
  if (tag !== null) headers.set('etag', encodedTag(tag, encoding));
  return new Response(encode(response.body!, encoding), { status: response.status, headers });
}

/**
 * Limits the buffer in bytes. `Duplex.toWeb` would count chunks against its limit and buffer 16,384 of them. When the client
 * disconnects, encoder and body are cancelled with the stream.
 */
function encode(body: ReadableStream<Uint8Array>, encoding: Encoding): ReadableStream<Uint8Array> {
  const encoder =
    encoding === 'zstd' ? createZstd!() : zlib.createGzip({ level: zlib.constants.Z_BEST_SPEED });
  pipeline(Readable.fromWeb(body as WebReadableStream), encoder, () => {});
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: MAX_AHEAD_BYTES });
  return Readable.toWeb(encoder, { strategy }) as ReadableStream<Uint8Array>;
}
