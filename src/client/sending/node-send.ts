import { Agent, type IncomingMessage, request as sendHttp } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { joinChunks } from '../../columns/byte-chunks.js';
import { isLoopback } from '../../model/access.js';
import { type Outgoing, type Send, sendBy, wholeResponse } from './send.js';

/** Idle connections are closed before the server does, which is after 5 s by Node's default. */
const MAX_IDLE_MS = 4_000;

const agent = new Agent({ keepAlive: true, timeout: MAX_IDLE_MS });

const byFetch = sendBy((request) => fetch(request));

/**
 * Sends requests to this machine by `node:http`, which takes less processor time than `fetch`: there it is a large part
 * of a short answer. All others are sent by `fetch`, with its proxies, encodings and certificates.
 */
export const sendFromNode: Send = (outgoing, onPiece) => {
  const url = new URL(outgoing.url);
  const isPlain = url.protocol === 'http:' && isLoopback(url.hostname);
  return isPlain && (outgoing.body === null || typeof outgoing.body === 'string')
    ? sendPlain(url, outgoing, onPiece)
    : byFetch(outgoing, onPiece);
};

function sendPlain(
  url: URL,
  { method, headers, body, signal }: Outgoing,
  onPiece: () => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const sent = sendHttp(url, { agent, method, headers: Object.fromEntries(headers), signal });
    sent.once('error', reject);
    sent.once('response', (incoming) => {
      // A later failure breaks the body.
      sent.off('error', reject).on('error', () => {});
      respond(incoming, onPiece).then(resolve, reject);
    });
    sent.end(body ?? undefined);
  });
}

/** Bodies up to this length are awaited whole. */
const MAX_WHOLE_BYTES = 65_536;

/** Encodings that a service may use though the request names none. */
const DECODERS: Readonly<Record<string, (() => ReturnType<typeof createUnzip>) | undefined>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};

/** Statuses whose answers have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

async function respond(incoming: IncomingMessage, onPiece: () => void): Promise<Response> {
  const status = incoming.statusCode ?? 0;
  const init = { status, headers: headersOf(incoming) };
  if (WITHOUT_BODY.has(status)) {
    incoming.resume();
    return new Response(null, init);
  }
  const decoder = DECODERS[init.headers.get('content-encoding')?.toLowerCase() ?? ''];
  if (decoder !== undefined) {
    const decoding = pipeline(incoming, decoder(), () => {});
    return new Response(bodyOf(piecesOf(decoding), decoding), init);
  }
  const length = Number(init.headers.get('content-length') ?? Number.NaN);
  if (!(length <= MAX_WHOLE_BYTES)) return new Response(bodyOf(piecesOf(incoming), incoming), init);
  onPiece();
  const { arrived, failure } = await collect(incoming, onPiece);
  return failure === undefined
    ? wholeResponse(joinChunks(arrived), init)
    : new Response(bodyOf(brokenOff(arrived, failure), incoming), init);
}

/** Reads a short body, and the reason if it breaks off. */
function collect(
  incoming: IncomingMessage,
  onPiece: () => void,
): Promise<{ arrived: Buffer[]; failure?: Error }> {
  return new Promise((resolve) => {
    const arrived: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => {
      onPiece();
      arrived.push(piece);
    });
    incoming.once('end', () => resolve({ arrived }));
    incoming.once('error', (failure) => resolve({ arrived, failure }));
    incoming.once('close', () => resolve({ arrived, failure: new Error('the connection was closed') }));
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  return headers;
}

type Pieces = AsyncIterator<Buffer, unknown, undefined>;

function piecesOf(stream: Readable): Pieces {
  return stream[Symbol.asyncIterator]() as Pieces;
}

/** Returns a body that is read on demand. Cancelling it closes the connection, even while a read waits for data. */
function bodyOf(pieces: Pieces, source: Readable): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else
          controller.enqueue(new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength));
      },
      cancel() {
        source.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Streams the bytes that arrived of a body, then fails with the reason why it ends. */
async function* brokenOff(arrived: readonly Buffer[], error: unknown): AsyncGenerator<Buffer> {
  yield* arrived;
  throw error;
}
