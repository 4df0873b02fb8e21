/** A request as it leaves the client. */
export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | Blob | null;
  readonly signal: AbortSignal;
  readonly redirect: 'manual' | 'follow';
}

/**
 * Sends a request. It resolves with the answer's head, or later, when the answer has arrived.
 * @param onPiece called whenever something of the answer arrives before that
 */
export type Send = (outgoing: Outgoing, onPiece: () => void) => Promise<Response>;

/** How requests are sent, for callers who have their own way. */
export type Fetch = (request: Request) => Promise<Response>;

/** Sends by a function like the global `fetch`. */
export function sendBy(fetch: Fetch): Send {
  return ({ url, ...init }) => fetch(new Request(url, init));
}

/** Bodies of answers that arrived whole: their bytes need no stream, and their connection is free already. */
const wholeBodies = new WeakMap<Response, Uint8Array<ArrayBuffer>>();

/** An answer whose body arrived whole. */
export function wholeResponse(body: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  const response = new Response(body, init);
  wholeBodies.set(response, body);
  return response;
}

/** The body of an answer that arrived whole; undefined of every other one. */
export function wholeBody(response: Response): Uint8Array<ArrayBuffer> | undefined {
  return wholeBodies.get(response);
}
