import { oneOf } from '../../model/arguments/checks.js';
import { checkOptions } from '../../model/arguments/option-keys.js';
import { checkStream } from '../build/check-points.js';
import type { FrameStream } from '../build/long-stream.js';
import { IpcPieces } from './ipc-pieces.js';

/**
 * The Arrow IPC file (default) or stream of a frame that arrives batch by batch, one piece of bytes per batch. Memory is
 * bounded by the batch. It has no checksum, because the schema is written before the values.
 * @example
 * ```ts
 * await writeFile(path, writeArrow(stream)); // of node:fs/promises
 * ```
 */
export async function* writeArrow(
  stream: FrameStream,
  options: {
    /** `'file'` by default. */
    format?: 'file' | 'stream' | undefined;
  } = {},
): AsyncGenerator<Uint8Array> {
  checkStream(stream, 'stream');
  checkOptions(options, { format: oneOf(['file', 'stream']) }, 'writeArrow');
  const pieces = new IpcPieces(stream.schema, options.format ?? 'file');
  for await (const batch of stream.batches) yield pieces.batch(batch);
  yield pieces.end();
}
