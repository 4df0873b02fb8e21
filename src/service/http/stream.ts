import { turns } from '../../store/turns.js';

const encoder = new TextEncoder();

/**
 * A response body from a generator. The next chunk is generated only when the consumer reads it and it is the stream's
 * turn, and the generator ends when the consumer disconnects, so that slow consumers hold no memory.
 */
export function byteStream(chunks: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await turns.next();
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Reads the first element in advance, so that an early failure can still be answered with an error status. */
export async function startEarly<Element>(
  sequence: AsyncGenerator<Element>,
): Promise<AsyncGenerator<Element>> {
  const first = await sequence.next();
  return withFirst(first, sequence);
}

async function* withFirst<Element>(
  first: IteratorResult<Element>,
  rest: AsyncGenerator<Element>,
): AsyncGenerator<Element> {
  try {
    if (first.done === true) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
