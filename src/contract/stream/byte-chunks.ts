/** Larger chunks are passed on as they are. */
const MAX_SMALL_CHUNK_BYTES = 65_536;

/** Joins neighbouring small chunks, so that the transport does not send eight bytes at a time. */
export function* joinSmall(chunks: readonly Uint8Array[]): Generator<Uint8Array> {
  let small: Uint8Array[] = [];
  for (const chunk of chunks) {
    if (chunk.byteLength <= MAX_SMALL_CHUNK_BYTES) {
      small.push(chunk);
      continue;
    }
    if (small.length > 0) yield joinChunks(small);
    small = [];
    yield chunk;
  }
  if (small.length > 0) yield joinChunks(small);
}

export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(byteLength(chunks));
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return joined;
}

export function byteLength(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
}
