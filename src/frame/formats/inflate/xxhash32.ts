import { viewOf } from '../check/ipc-flatbuffer.js';

const [P1, P2, P3, P4, P5] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1];

/** The 32-bit xxHash with seed 0 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). */
export function xxHash32(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  let at = 0;
  let hash = P5;
  if (bytes.length >= 16) {
    let [a, b, c, d] = [P1 + P2, P2, 0, -P1];
    for (; at + 16 <= bytes.length; at += 16) {
      a = round(a, view.getUint32(at, true));
      b = round(b, view.getUint32(at + 4, true));
      c = round(c, view.getUint32(at + 8, true));
      d = round(d, view.getUint32(at + 12, true));
    }
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  }
  hash = (hash + bytes.length) | 0;
  for (; at + 4 <= bytes.length; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(view.getUint32(at, true), P3)) | 0, 17), P4);
  }
  for (; at < bytes.length; at++) {
    hash = Math.imul(rotate((hash + Math.imul(bytes[at]!, P5)) | 0, 11), P1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function round(sum: number, word: number): number {
  return Math.imul(rotate((sum + Math.imul(word, P2)) | 0, 13), P1);
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
