import { joinChunks } from '../../columns/byte-chunks.js';
import { CropframeError } from '../../model/errors.js';
import { turns } from '../../store/turns.js';

/** The error thrown if the client disconnects before its request is complete. */
export class RequestAborted extends Error {}

export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, tooLong }: { maxBytes: number; tooLong: string },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new RequestAborted('the client disconnected before its request was complete', { cause });
  }
  if (bytes > maxBytes) throw new CropframeError('too_large', tooLong);
  return joinChunks(chunks);
}

const encoder = new TextEncoder();

/**
 * Creates a response body from a generator. Each chunk is generated only when the consumer reads it, so that chunks for
 * slow consumers do not accumulate in memory. When the consumer disconnects, the generator and `source` are ended.
 * @param source the generator that `chunks` reads. Ending only `chunks` would leave it open if `chunks` had not started
 */
export function byteStream(
  chunks: AsyncGenerator<string | Uint8Array>,
  source?: AsyncGenerator<unknown>,
): ReadableStream<Uint8Array> {
  const listeners: EndListener[] = [];
  let bytes = 0;
  const end = (failure?: unknown) => {
    for (const listener of listeners.splice(0)) listener(bytes, failure);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          await turns.next();
          const next = await chunks.next();
          if (next.done !== true) {
            const chunk = typeof next.value === 'string' ? encoder.encode(next.value) : next.value;
            bytes += chunk.byteLength;
            controller.enqueue(chunk);
            return;
          }
          controller.close();
          end();
        } catch (error) {
          end(error);
          throw error;
        }
      },
      async cancel() {
        try {
          await chunks.return(undefined);
          await source?.return(undefined);
        } finally {
          end();
        }
      },
    },
    { highWaterMark: 0 },
  );
  endListeners.set(stream, listeners);
  return stream;
}

/** The maximum size of a response that is sent in one piece, with a content length. */
const MAX_WHOLE_BYTES = 65_536;

/**
 * Creates a response from a generator. A short body is sent in one piece, with a content length. A longer body is sent
 * as a `byteStream`. An error in the first chunks is thrown, so that the response can still have an error status.
 * @param source the generator from which `chunks` reads
 */
export async function streamAnswer(
  chunks: AsyncGenerator<string | Uint8Array>,
  headers: Readonly<Record<string, string>>,
  source?: AsyncGenerator<unknown>,
): Promise<Response> {
  const first: Uint8Array[] = [];
  for (let bytes = 0; bytes <= MAX_WHOLE_BYTES; bytes += first.at(-1)!.byteLength) {
    await turns.next();
    const next = await chunks.next();
    if (next.done === true) return wholeAnswer(joinChunks(first), { headers });
    first.push(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
  }
  return new Response(byteStream(prependChunks(first, chunks), source), { headers });
}

async function* prependChunks<Chunk>(
  first: readonly Chunk[],
  rest: AsyncGenerator<Chunk>,
): AsyncGenerator<Chunk> {
  yield* first;
  yield* rest;
}

export function wholeAnswer(
  body: Uint8Array,
  { status = 200, headers }: { status?: number; headers: Readonly<Record<string, string>> },
): Response {
  const length = { 'content-length': String(body.byteLength) };
  return new Response(body as BodyInit, { status, headers: { ...headers, ...length } });
}

/** Receives the number of bytes that were read, and the error if the body failed. */
type EndListener = (bytes: number, failure?: unknown) => void;

const endListeners = new WeakMap<ReadableStream, EndListener[]>();

/**
 * Calls `callback` once a response body has been read or cancelled, or has failed. Calls it immediately if the response
 * has a content length, or if the body is not a `byteStream`. A body with a content length is in memory; it is not
 * accessed, because accessing it would take longer than sending it.
 */
export function afterBody(answer: Response, callback: EndListener): void {
  const length = answer.headers.get('content-length');
  const body = length === null ? answer.body : null;
  const listeners = body === null ? undefined : endListeners.get(body);
  if (listeners === undefined) callback(Number(length ?? 0));
  else listeners.push(callback);
}

/**
 * Reads a generator's first element in advance, so that the response can still have an error status if reading fails.
 * @param source the generator. The caller must end it, because ending an unread result would leave `source` open
 */
export async function startEarly<Element>(source: AsyncGenerator<Element>): Promise<AsyncGenerator<Element>> {
  const first = await source.next();
  return first.done === true ? source : prependChunks([first.value], source);
}
