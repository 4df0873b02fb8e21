import { HEADER_TYPES } from './flatbuffer.js';
import { keyValueVector } from './key-values.js';

/** Positions in the metadata, whose tables have fixed places before its vectors. */
const MESSAGE_VTABLE = 4;
const MESSAGE_TABLE = 24;
const BATCH_VTABLE = 48;
const BATCH_TABLE = 64;
const NODES = 92;

const VERSION_5 = 4;

/**
 * The FlatBuffer of a record batch's message. It is written by hand, because its tables never differ: the builder of a
 * library takes longer than all other work on a small answer.
 */
export function batchMetadata(
  rows: number,
  bodyLength: number,
  { nodes, buffers, note }: { nodes: number[]; buffers: number[]; note: readonly [string, string] | null },
): Uint8Array {
  const buffersAt = NODES + 4 + 8 * nodes.length + 4;
  const noteAt = buffersAt + 4 + 8 * buffers.length;
  const notes = note === null ? new Uint8Array(0) : keyValueVector([note]);
  const bytes = new Uint8Array(noteAt + notes.byteLength);
  const view = new DataView(bytes.buffer);
  const pointer = (at: number, to: number) => view.setUint32(at, to - at, true);
  pointer(0, MESSAGE_TABLE);
  vtable(view, MESSAGE_VTABLE, { size: 24, fields: [16, 18, 4, 8, note === null ? 0 : 20] });
  view.setInt32(MESSAGE_TABLE, MESSAGE_TABLE - MESSAGE_VTABLE, true);
  pointer(MESSAGE_TABLE + 4, BATCH_TABLE);
  view.setBigInt64(MESSAGE_TABLE + 8, BigInt(bodyLength), true);
  view.setInt16(MESSAGE_TABLE + 16, VERSION_5, true);
  view.setUint8(MESSAGE_TABLE + 18, HEADER_TYPES.recordBatch);
  vtable(view, BATCH_VTABLE, { size: 24, fields: [8, 4, 16] });
  view.setInt32(BATCH_TABLE, BATCH_TABLE - BATCH_VTABLE, true);
  pointer(BATCH_TABLE + 4, NODES);
  view.setBigInt64(BATCH_TABLE + 8, BigInt(rows), true);
  pointer(BATCH_TABLE + 16, buffersAt);
  writePairs(view, NODES, nodes);
  writePairs(view, buffersAt, buffers);
  if (note !== null) {
    pointer(MESSAGE_TABLE + 20, noteAt);
    bytes.set(notes, noteAt);
  }
  return bytes;
}

function vtable(view: DataView, at: number, { size, fields }: { size: number; fields: number[] }): void {
  const entries = [4 + 2 * fields.length, size, ...fields];
  for (const [i, entry] of entries.entries()) view.setUint16(at + 2 * i, entry, true);
}

function writePairs(view: DataView, at: number, counts: readonly number[]): void {
  view.setUint32(at, counts.length / 2, true);
  counts.forEach((count, i) => {
    view.setUint32(at + 4 + 8 * i, count, true);
    view.setUint32(at + 8 + 8 * i, Math.floor(count / 4_294_967_296), true);
  });
}
