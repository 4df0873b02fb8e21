import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as WebReadableStream } from 'node:stream/web';
import * as zlib from 'node:zlib';
import { parseAccept } from 'hono/utils/accept';
import type { Endpoint } from '../../contract/addresses.js';
import { problemBody, statusOfError } from '../../contract/problems.js';
import { HttpError, RateLimitError, StoreError } from '../../model/errors.js';
import type { RequestContext, Service } from '../handler.js';
import { failureText } from '../log/access-log.js';
import { RequestAborted, streamAnswer, wholeAnswer } from './stream.js';

export function jsonAnswer(value: unknown, status = 200): Response {
  const headers = { 'content-type': 'application/json' };
  return wholeAnswer(Buffer.from(JSON.stringify(value)), { status, headers });
}

/**
 * Creates a JSON response from a handler's result, unless the result is already a response. The status is 204 for null,
 * and for an empty list if `emptyIs204` is set.
 */
export async function valueAnswer(endpoint: Endpoint, value: unknown): Promise<Response> {
  if (value instanceof Response) return value;
  const isEmptyList = endpoint.emptyIs204 === true && Array.isArray(value) && value.length === 0;
  if (value === null || isEmptyList) return new Response(null, { status: 204 });
  return streamAnswer(joinTexts([jsonTexts(value)]), { 'content-type': 'application/json' });
}

/** The status that is logged if the client disconnected before the response was sent. The client never receives it. */
const ABORTED_STATUS = 499;

/** Converts an error to a response with a problem details body. Details of internal errors appear only in the log. */
export async function answerFailures(
  context: RequestContext,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const status = statusOfError(error);
    if (error instanceof RequestAborted || (context.request.signal.aborted && status >= 500)) {
      context.aborted = true;
      return new Response(null, { status: ABORTED_STATUS });
    }
    if (status >= 500) context.failure = failureText(error);
    // The store's own message may contain paths.
    const isHidden = error instanceof StoreError && context.address !== null;
    return problemAnswer(isHidden ? new HttpError(503, 'store', STORE_FAILURE, 'store') : error);
  }
}

const STORE_FAILURE =
  'the store is unavailable; an administrator can find the reason in the log of the service';

export function problemAnswer(error: unknown): Response {
  const answer = jsonAnswer(problemBody(error), statusOfError(error));
  if (error instanceof RateLimitError && error.retryAfterMs !== null)
    answer.headers.set('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
  if (answer.status === 401) answer.headers.set('www-authenticate', 'Bearer realm="cropframe"');
  if (answer.status === 413) answer.headers.set('connection', 'close');
  return answer;
}

/** The minimum length of a chunk in characters: about a thousand points, which take a few milliseconds to encode. */
const MIN_CHUNK_LENGTH = 65_536;

/** Joins strings into chunks of about 64 KiB, so that other work can run between chunks. */
export async function* joinTexts(
  lists: AsyncIterable<Iterable<string>> | Iterable<Iterable<string>>,
): AsyncGenerator<string> {
  let chunk = '';
  for await (const texts of lists)
    for (const text of texts) {
      chunk += text;
      if (chunk.length < MIN_CHUNK_LENGTH) continue;
      yield chunk;
      chunk = '';
    }
  if (chunk !== '') yield chunk;
}

/** The nesting depth at which values are encoded as a whole. Responses are lists, or objects that contain lists. */
const MAX_DEPTH = 2;

/** Encodes a value as `JSON.stringify` does, but piece by piece. */
function* jsonTexts(value: unknown, depth = 0): Generator<string, void, undefined> {
  if (depth === MAX_DEPTH || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  yield isList ? '[' : '{';
  let comma = '';
  for (const [key, item] of isList ? value.entries() : Object.entries(value)) {
    if (!isList && item === undefined) continue;
    yield isList ? comma : `${comma}${JSON.stringify(key)}:`;
    yield* jsonTexts(item, depth + 1);
    comma = ',';
  }
  yield isList ? ']' : '}';
}

/** Checks whether the client already has this response. A weak tag matches too, because compression makes tags weak. */
export function matchesTag(request: Request, tag: string): boolean {
  const tags = request.headers.get('if-none-match') ?? '';
  return tags.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));
}

type Encoding = 'zstd' | 'gzip';

const MIN_BYTES = 1024;

/** The maximum number of compressed bytes that are buffered for a slow client. */
const MAX_AHEAD_BYTES = 64 * 1024;

/** Creates a zstd compressor. The function is undefined in Node 20, where gzip is used instead. */
const createZstd = (zlib as { createZstdCompress?: ((options: zlib.ZlibOptions) => zlib.Gzip) | undefined })
  .createZstdCompress;

/** The value of `ZSTD_e_flush`, which is missing from the types for Node 20. */
const ZSTD_FLUSH = 1;

/** Returns the weight of a value in an Accept header, or null if the header does not contain the value. */
export function acceptedWeight(header: string, value: string): number | null {
  return parseAccept(header.toLowerCase()).find(({ type }) => type === value)?.q ?? null;
}

/** Compresses a service's responses with an encoding that the client accepts, unless they are already compressed. */
export function compressAnswers(service: Service): Service {
  return async (request, connection) => {
    const response = await service(request, connection);
    const encoding = chooseEncoding(request.headers.get('accept-encoding') ?? '');
    return encoding === null || !isCompressible(request, response) ? response : compress(response, encoding);
  };
}

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

function compress(response: Response, encoding: Encoding): Response {
  const headers = new Headers(response.headers);
  headers.set('content-encoding', encoding);
  headers.delete('content-length');
  const tag = headers.get('etag');
  if (tag !== null) headers.set('etag', `W/${tag.replace(/^W\//, '')}`);
  return new Response(encode(response.body!, encoding), { status: response.status, headers });
}

/**
 * Compresses a body. Each chunk is flushed, because the next chunk may come minutes later, and clients would take the
 * silence for a hung connection. The buffer's limit is in bytes; the default of `Readable.toWeb` would buffer 16,384
 * chunks. If the client disconnects, the encoder and the body are cancelled.
 */
function encode(body: ReadableStream<Uint8Array>, encoding: Encoding): ReadableStream<Uint8Array> {
  const { Z_BEST_SPEED, Z_SYNC_FLUSH } = zlib.constants;
  const encoder =
    encoding === 'zstd'
      ? createZstd!({ flush: ZSTD_FLUSH })
      : zlib.createGzip({ level: Z_BEST_SPEED, flush: Z_SYNC_FLUSH });
  pipeline(Readable.fromWeb(body as WebReadableStream), encoder, () => {});
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: MAX_AHEAD_BYTES });
  return Readable.toWeb(encoder, { strategy }) as ReadableStream<Uint8Array>;
}
