/** A request as it leaves the client. */
export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | Blob | null;
  readonly signal: AbortSignal;
}

/**
 * Sends a request. Resolves when the head of the answer arrives, or later, when the whole answer has.
 * @param onPiece called whenever a piece of a long body is sent, or part of the answer arrives before that
 */
export type Send = (outgoing: Outgoing, onPiece: () => void) => Promise<Response>;

/** How requests are sent, for callers who have their own way. */
export type Fetch = (request: Request) => Promise<Response>;

/** Creates a sender from a function like the global `fetch`. Redirects are not followed. */
export function sendBy(fetch: Fetch): Send {
  return ({ url, ...init }, onPiece) => {
    const pieces = sendsStreams ? bodyInPieces(init, onPiece) : null;
    return fetch(new Request(url, { redirect: 'manual', ...(pieces ?? init) }));
  };
}

/** Whether request bodies can be streamed. Browsers cannot stream them over HTTP/1.1. */
const sendsStreams = globalThis.process?.versions?.node !== undefined;

const PIECE_BYTES = 65_536;

/** Turns a long body into a stream that reports each piece as it is sent. Returns null for any other body. */
function bodyInPieces({ body, headers, ...init }: Omit<Outgoing, 'url'>, onPiece: () => void) {
  const blob = typeof body === 'string' ? new Blob([body]) : body;
  if (blob === null || blob.size <= PIECE_BYTES) return null;
  let at = 0;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        onPiece();
        if (at >= blob.size) return controller.close();
        const piece = blob.slice(at, at + PIECE_BYTES);
        at += piece.size;
        controller.enqueue(new Uint8Array(await piece.arrayBuffer()));
      },
    },
    { highWaterMark: 0 },
  );
  headers.set('content-length', String(blob.size));
  return { ...init, headers, body: stream, duplex: 'half' as const };
}

/** Bodies of answers that arrived whole: their bytes need no stream, and their connection is free already. */
const wholeBodies = new WeakMap<Response, Uint8Array<ArrayBuffer>>();

/** Makes a response from a body that has arrived in full. */
export function wholeResponse(body: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  const response = new Response(body, init);
  wholeBodies.set(response, body);
  return response;
}

/** Returns the body of a response that arrived in full, or undefined for any other response. */
export function wholeBody(response: Response): Uint8Array<ArrayBuffer> | undefined {
  return wholeBodies.get(response);
}
