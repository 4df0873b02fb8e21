import { Duplex } from 'node:stream';
import * as zlib from 'node:zlib';
import { CONTENT_DIGEST } from '../../contract/content-digest.js';
import type { Service } from '../handlers.js';

type Encoding = 'zstd' | 'gzip';

/** Answers shorter than this gain nothing. */
const MIN_BYTES = 1024;

/** zstd came to Node after version 20; where it is missing, gzip alone is offered. */
const createZstd = (zlib as { createZstdCompress?: (() => zlib.Gzip) | undefined }).createZstdCompress;

/** A service whose answers are compressed as the client accepts, never over a body that is compressed already. */
export function compressedService(service: Service): Service {
  return async (request) => {
    const response = await service(request);
    const encoding = chooseEncoding(request.headers.get('accept-encoding') ?? '');
    return encoding === null || !isCompressible(request, response) ? response : compress(response, encoding);
  };
}

/** The best encoding that both sides have; null when the client accepts none. */
export function chooseEncoding(accepted: string): Encoding | null {
  const weights = new Map<string, number>();
  for (const part of accepted.split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name!, quality === undefined ? 1 : Number(quality.slice(2)));
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const zstd = createZstd === undefined ? 0 : weightOf('zstd');
  const gzip = weightOf('gzip');
  if (zstd <= 0 && !(gzip > 0)) return null;
  return zstd >= gzip ? 'zstd' : 'gzip';
}

function isCompressible(request: Request, response: Response): boolean {
  if (response.body === null || request.method === 'HEAD' || response.headers.has('content-encoding'))
    return false;
  const length = response.headers.get('content-length');
  return length === null || Number(length) >= MIN_BYTES;
}

function compress(response: Response, encoding: Encoding): Response {
  const headers = new Headers(response.headers);
  headers.set('content-encoding', encoding);
  headers.delete('content-length');
  // The digest is of the bytes before; gzip and zstd carry a checksum of their own.
  headers.delete(CONTENT_DIGEST);
  const tag = headers.get('etag');
  if (tag !== null) headers.set('etag', tag.replace(/"$/, `-${encoding}"`));
  return new Response(response.body!.pipeThrough(encoder(encoding)), { status: response.status, headers });
}

/** When the client leaves, the stream is cancelled and the encoder with it: its error then is nobody's. */
function encoder(encoding: Encoding): TransformStream<Uint8Array, Uint8Array> {
  const stream =
    encoding === 'zstd' ? createZstd!() : zlib.createGzip({ level: zlib.constants.Z_BEST_SPEED });
  stream.on('error', () => {});
  return Duplex.toWeb(stream) as unknown as TransformStream<Uint8Array, Uint8Array>;
}
