import { type Table, tableFromIPC } from 'apache-arrow';
import { ArgumentError } from '../model/errors.js';
import { sealFrame } from './checksum.js';
import { withDisplay } from './display.js';
import { ipcBytes } from './ipc-pieces.js';

/** The Arrow IPC file format (Feather V2), with the frame's provenance and a checksum in the schema metadata. */
export function toArrowFile(table: Table): Uint8Array {
  return ipcBytes(sealFrame(table), 'file');
}

/** The Arrow IPC stream format, with the frame's provenance and a checksum in the schema metadata. */
export function toArrowStream(table: Table): Uint8Array {
  return ipcBytes(sealFrame(table), 'stream');
}

/**
 * Reads an Arrow IPC file; the columns share the memory of `bytes`.
 * @throws ArgumentError when the bytes are no Arrow IPC, or compressed
 */
export function fromArrowFile(bytes: Uint8Array): Table {
  return readIpc(bytes);
}

/**
 * Reads an Arrow IPC stream; the columns share the memory of `bytes`.
 * @throws ArgumentError when the bytes are no Arrow IPC, or compressed
 */
export function fromArrowStream(bytes: Uint8Array): Table {
  return readIpc(bytes);
}

function readIpc(bytes: Uint8Array): Table {
  let table: Table;
  try {
    table = tableFromIPC(bytes);
  } catch (cause) {
    throw new ArgumentError(
      'bytes',
      'bytes: this is no Arrow IPC file or stream (compressed buffers are not read); write it with toArrowFile or toArrowStream',
      { cause },
    );
  }
  if (table.schema.fields.length === 0) {
    throw new ArgumentError('bytes', 'bytes: no Arrow schema in it; is the file whole, and Arrow IPC?');
  }
  return withDisplay(table);
}
