import { damaged, viewOf } from './flatbuffer.js';

/** The first of the 16 numbers that a frame to be skipped begins with, in LZ4 and in Zstandard. */
const SKIPPED = 0x184d2a50;

/** Decompresses the frame that `from` begins with; how many bytes it has, and how many it becomes. */
export type DecompressFrame = (from: Uint8Array, into: Uint8Array) => { read: number; written: number };

/**
 * Decompresses frames, one after another, that together fill `into` exactly.
 * @throws ArgumentError when they have another size
 */
export function decompressFrames(from: Uint8Array, into: Uint8Array, decompressFrame: DecompressFrame): void {
  let [at, to] = [0, 0];
  while (at < from.length || at === 0) {
    const rest = from.subarray(at);
    const skipped = skippedLength(rest);
    if (skipped > 0) at += skipped;
    else {
      const { read, written } = decompressFrame(rest, into.subarray(to));
      at += read;
      to += written;
    }
  }
  if (to !== into.length) throw damaged(`a compressed buffer has ${to} bytes instead of ${into.length}`);
}

/** The length of a frame to be skipped; 0 for any other. */
function skippedLength(from: Uint8Array): number {
  const view = viewOf(from);
  if (from.length < 4 || (view.getUint32(0, true) & ~15) !== SKIPPED) return 0;
  const length = from.length < 8 ? Number.POSITIVE_INFINITY : 8 + view.getUint32(4, true);
  if (length > from.length) throw damaged('a compressed buffer is cut short');
  return length;
}

/** So many bytes are copied one by one in less time than a call takes. */
const MAX_LOOPED = 32;

export function copyBytes(from: Uint8Array, at: number, into: Uint8Array, to: number, length: number): void {
  if (length > MAX_LOOPED) into.set(from.subarray(at, at + length), to);
  else for (let i = 0; i < length; i++) into[to + i] = from[at + i]!;
}

/** Repeats the bytes at a distance before `to`; at a distance below the length, also those that it has just written. */
export function repeatBytes(into: Uint8Array, to: number, distance: number, length: number): void {
  if (distance >= length && length > MAX_LOOPED) into.copyWithin(to, to - distance, to - distance + length);
  else for (let i = 0; i < length; i++) into[to + i] = into[to - distance + i]!;
}
