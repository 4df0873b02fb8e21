import type { Table } from 'apache-arrow';
import { expect } from 'vitest';
import { fromArrow } from '../../../../src/frame/formats/read-arrow.js';
import { ArgumentError } from '../../../../src/model/errors.js';

/** What is refused of something, or that it is fine; any other error fails the test. */
export function refusalOf(read: () => unknown): string {
  try {
    read();
    return 'fine';
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    return error.message;
  }
}

/** The table of Arrow IPC, or what is refused of it. */
export function readOrRefusal(bytes: Uint8Array): Table | string {
  try {
    return fromArrow(bytes);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    expect(error.argument).toBe('bytes');
    return error.message;
  }
}

/** What is refused of Arrow IPC. */
export function refusal(bytes: Uint8Array): string {
  const read = readOrRefusal(bytes);
  return typeof read === 'string' ? read : 'fine';
}

/** The messages of a stream or file with their bodies; the last one has what follows. */
export function messagesOf(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) if (view.getInt32(at, true) === -1) starts.push(at);
  return starts.map((start, i) => bytes.subarray(start, starts[i + 1] ?? bytes.length));
}

export const join = (pieces: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(pieces));

/** Where these bytes stand for the `nth` time, from 0. */
export function find(bytes: Uint8Array, wanted: ArrayBufferView, nth = 0): number {
  const pattern = new Uint8Array(wanted.buffer, wanted.byteOffset, wanted.byteLength);
  let at = -1;
  for (let seen = 0; seen <= nth; seen++) at = Buffer.from(bytes).indexOf(pattern, at + 1);
  if (at < 0) throw new Error(`these ${pattern.length} bytes are not there ${nth + 1} times`);
  return at;
}

/** A copy with other bytes from a place on. */
export function changed(bytes: Uint8Array, at: number, value: ArrayBufferView): Uint8Array {
  const copy = bytes.slice();
  copy.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), at);
  return copy;
}
