import type { FrameStream } from '../build/long-stream.js';
import { IpcPieces } from './ipc-pieces.js';

/**
 * The Arrow IPC file (default) or stream of a frame that arrives batch by batch, as bytes, one piece a batch; memory is
 * bounded by the batch. There is no checksum in it, because the schema is written before the figures.
 * Write it to a file with `writeFile(path, writeArrow(stream))` of `node:fs/promises`.
 */
export async function* writeArrow(
  stream: FrameStream,
  options: {
    /** `'file'` by default. */
    format?: 'file' | 'stream' | undefined;
  } = {},
): AsyncGenerator<Uint8Array> {
  const pieces = new IpcPieces(stream.schema, options.format ?? 'file');
  for await (const batch of stream.batches) yield pieces.batch(batch);
  yield pieces.end();
}
