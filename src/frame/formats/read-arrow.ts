import { ArgumentError, badArgument } from '../../model/errors.js';
import { Frame } from '../frame.js';
import { readIpc } from './ipc/read-ipc.js';

/**
 * Reads an Arrow IPC file (Feather V2) or stream, which may be compressed with LZ4 or, in Node 22.15 and later, with
 * Zstandard. Uncompressed columns share the memory of `bytes`.
 * @throws ArgumentError if the bytes are not Arrow IPC, if they are corrupt, truncated or big-endian, or if they
 * decompress to more than 4 GiB, or to more than the larger of 256 MiB and 255 times their size
 */
export function fromArrow(bytes: Uint8Array): Frame {
  if (!ArrayBuffer.isView(bytes))
    throw badArgument('bytes', 'not a Uint8Array; pass the bytes of an Arrow IPC file or stream');
  const { schema, batches } = read(bytes);
  if (schema === undefined || schema.fields.length === 0) {
    throw badArgument('bytes', 'no Arrow schema; pass the complete bytes of an Arrow IPC file or stream');
  }
  return new Frame(schema, batches);
}

function read(bytes: Uint8Array): ReturnType<typeof readIpc> {
  try {
    return readIpc(bytes);
  } catch (cause) {
    if (cause instanceof ArgumentError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw badArgument('bytes', `Arrow's reader cannot read this Arrow IPC: ${reason}`, { cause });
  }
}
