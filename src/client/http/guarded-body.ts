import { NetworkError } from '../../model/errors.js';
import { untilAborted } from './cancellable.js';

/** An answer whose body can be watched and let go of. */
export interface GuardedAnswer {
  /** The same answer; a connection that breaks while its body is read is a NetworkError there. */
  readonly response: Response;
  /** Lets go of what was not read, so that the connection can be used again or is closed. */
  release(): void;
}

/** Who watches a body. */
export interface BodyWatch {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Called with every piece of the body as it arrives. */
  onPiece(piece: Uint8Array): void;
}

/** Bytes that are read to the end of an answer for the sake of its connection. */
const WORTH_DRAINING = 65_536;

/** Watches an answer's body: reads stop as soon as the signal aborts, whatever the connection does. */
export function guardBody(answered: Response, watch: BodyWatch): GuardedAnswer {
  if (answered.body === null) return { response: answered, release: () => {} };
  const reader = answered.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  let over = false;
  const release = (): void => {
    if (over) return;
    over = true;
    void drain(reader, watch.signal);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await readPiece(reader, watch);
        if (piece === null) {
          over = true;
          controller.close();
          return;
        }
        watch.onPiece(piece);
        controller.enqueue(piece);
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
  const { status, headers } = answered;
  return { response: new Response(body, { status, headers }), release };
}

async function readPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { name, signal }: BodyWatch,
): Promise<Uint8Array | null> {
  try {
    const { done, value } = await untilAborted(reader.read(), signal);
    return done ? null : value;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const message = `${name}: the connection broke before the answer was whole: ${reasonOf(error)}`;
    throw new NetworkError(message, { cause: error });
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal): Promise<void> {
  try {
    for (let bytes = 0; bytes < WORTH_DRAINING && !signal.aborted; ) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) return;
      bytes += value.byteLength;
    }
  } catch {
    // Nobody waits for the rest of this answer.
  }
  await reader.cancel().catch(() => {});
}

/** What a failure says, or what caused it says: a failed fetch tells no more than that by itself. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
