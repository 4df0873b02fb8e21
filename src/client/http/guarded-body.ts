import { CarriedPoints } from '../../contract/points/carried-points.js';
import { NetworkError } from '../../model/errors.js';
import { untilAborted } from './cancellable.js';

/** An answer whose connection can be released. */
interface GuardedAnswer {
  /** The same answer; reading its body throws a NetworkError when the connection breaks. */
  readonly response: Response;
  /** Discards the rest of the body, so that the connection is reused or closed. */
  release(): void;
}

/** How a body is observed. */
interface BodyWatch {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Called with every piece of the body as it arrives. */
  onPiece(piece: Uint8Array): void;
}

/** Bytes that are read to the end of an answer to keep its connection usable; beyond them it is closed. */
const MAX_DRAINED_BYTES = 65_536;

/** Guards an answer's body: a read ends as soon as the signal aborts, even if the connection hangs. */
export function guardBody(answered: Response, watch: BodyWatch): GuardedAnswer {
  if (answered.body === null) return { response: answered, release: () => {} };
  const reader = answered.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  let isOver = false;
  const release = (): void => {
    if (isOver) return;
    isOver = true;
    void drain(reader, watch.signal);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await readPiece(reader, watch);
        if (piece === null) {
          isOver = true;
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
    throw brokenAnswer(error, { name, signal });
  }
}

/** The error for an answer that ended early: the signal's reason when it aborted. */
function brokenAnswer(error: unknown, { name, signal }: Pick<BodyWatch, 'name' | 'signal'>): unknown {
  if (signal.aborted) return signal.reason;
  const message = `${name}: the connection broke before the answer was complete: ${reasonOf(error)}`;
  return new NetworkError(message, { cause: error });
}

/** How carried points are observed. */
interface PointsWatch {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Called with the size of the values of every batch. */
  onBytes(bytes: number): void;
}

type Batches = ReturnType<CarriedPoints['take']>;

/** Takes points, and guards them as `guardBody` guards the bytes of a body; `release` ends them. */
export function guardPoints(
  carried: CarriedPoints,
  watch: PointsWatch,
): { points: CarriedPoints; release: () => void } {
  const batches = carried.take();
  const release = (): void => void batches.return().catch(() => {});
  return { points: new CarriedPoints(carried.series, guarded(batches, watch)), release };
}

async function* guarded(batches: Batches, { name, signal, onBytes }: PointsWatch): Batches {
  for (;;) {
    const next = await untilAborted(batches.next(), signal).catch((error: unknown) => {
      throw brokenAnswer(error, { name, signal });
    });
    if (next.done === true) return;
    onBytes(next.value.reduce((bytes, { value }) => bytes + value.byteLength, 0));
    yield next.value;
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal): Promise<void> {
  try {
    for (let bytes = 0; bytes < MAX_DRAINED_BYTES && !signal.aborted; ) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) return;
      bytes += value.byteLength;
    }
  } catch {
    // The rest of this answer is not needed.
  }
  await reader.cancel().catch(() => {});
}

/** The message of a failure's cause, or its own: a failed `fetch` says nothing itself. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return `${cause.message || cause.name}${isUntrusted(cause) ? UNTRUSTED : ''}`;
}

const UNTRUSTED =
  ' (if you made the certificate, set NODE_EXTRA_CA_CERTS to its file, or to that of its authority)';

/** Whether Node does not know who signed a certificate. */
function isUntrusted({ code }: Error & { code?: unknown }): boolean {
  return typeof code === 'string' && /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)/.test(code);
}
