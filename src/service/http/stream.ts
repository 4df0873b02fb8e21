const encoder = new TextEncoder();

/**
 * A body made from a generator. The next piece is asked for only when the consumer takes one, and the generator is
 * ended when the consumer leaves: a slow or absent reader holds neither memory nor a connection.
 */
export function byteStream(pieces: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next();
        if (next.done === true) controller.close();
        else controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The same sequence with its first element read already, so that what fails at once fails before an answer is begun. */
export async function primed<Element>(sequence: AsyncGenerator<Element>): Promise<AsyncGenerator<Element>> {
  const first = await sequence.next();
  return resumed(first, sequence);
}

async function* resumed<Element>(
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
