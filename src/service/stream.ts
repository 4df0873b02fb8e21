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
