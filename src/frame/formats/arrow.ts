import type { Table } from 'apache-arrow';
import { ArgumentError } from '../../model/errors.js';
import { withChecksum } from '../table/checksum.js';
import { createFrame } from '../table/frame-table.js';
import { readIpc } from './ipc/read-ipc.js';
import { ipcBytes } from './write-arrow.js';

/** The Arrow IPC file format (Feather V2), with the frame's provenance and a checksum in the schema metadata. */
export function toArrowFile(table: Table): Uint8Array {
  return ipcBytes(withChecksum(table), 'file');
}

/** The Arrow IPC stream format, with the frame's provenance and a checksum in the schema metadata. */
export function toArrowStream(table: Table): Uint8Array {
  return ipcBytes(withChecksum(table), 'stream');
}

/**
 * Reads an Arrow IPC file (Feather V2) or stream, also one compressed with LZ4 or Zstandard. The columns share the memory
 * of `bytes` unless they are compressed.
 * @throws ArgumentError when the bytes are not Arrow IPC, or are damaged, cut short or big-endian, or decompress to more
 *   than 4 GiB, or to more than 256 MiB and 255 times their size
 */
export function fromArrow(bytes: Uint8Array): Table {
  if (!ArrayBuffer.isView(bytes))
    throw new ArgumentError(
      'bytes',
      'bytes: not a Uint8Array; give the bytes of an Arrow IPC file or stream',
    );
  const { schema, batches } = read(bytes);
  if (schema === undefined || schema.fields.length === 0) {
    throw new ArgumentError(
      'bytes',
      'bytes: no Arrow schema; give the complete bytes of an Arrow IPC file or stream',
    );
  }
  return createFrame(schema, batches);
}

function read(bytes: Uint8Array): ReturnType<typeof readIpc> {
  try {
    return readIpc(bytes);
  } catch (cause) {
    if (cause instanceof ArgumentError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ArgumentError('bytes', `bytes: Arrow's reader cannot read this Arrow IPC: ${reason}`, {
      cause,
    });
  }
}
