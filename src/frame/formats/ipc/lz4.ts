import { damaged, viewOf } from './flatbuffer.js';

const MAGIC = 0x184d2204;

/** The first of the 16 numbers that a frame to be skipped begins with. */
const SKIPPED = 0x184d2a50;

const broken = (what: string) => damaged(`its LZ4 ${what}`);

/**
 * Decompresses LZ4 frames, one after another, that together fill `into` exactly, and checks every checksum that they have
 * (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md). Every step is paid for by a byte of `from` or of `into`.
 * @throws ArgumentError when they break the format or have another size
 */
export function decompressLz4(from: Uint8Array, into: Uint8Array): void {
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

/** Decompresses the frame that `from` begins with; how many bytes it has, and how many it becomes. */
function decompressFrame(from: Uint8Array, into: Uint8Array): { read: number; written: number } {
  const view = viewOf(from);
  const header = readHeader(view, from);
  let [at, to] = [header.length, 0];
  for (;;) {
    const word = uint32(view, at);
    at += 4;
    if (word === 0) break;
    const end = at + (word & 0x7fffffff);
    if (end + (header.blockChecksums ? 4 : 0) > from.length) throw broken('block is cut short');
    const limit = Math.min(into.length, to + header.maxBlock);
    const block = from.subarray(at, end);
    if (word >>> 31 === 1) {
      if (to + block.length > limit) throw tooLarge();
      into.set(block, to);
      to += block.length;
    } else to = decompressBlock(block, into, { to, limit, floor: header.linked ? 0 : to });
    at = end;
    if (header.blockChecksums) {
      if (uint32(view, at) !== xxHash32(block)) throw broken('block does not have its checksum');
      at += 4;
    }
  }
  if ((header.size ?? to) !== to) throw broken(`frame has ${to} bytes instead of ${header.size}`);
  if (header.contentChecksum) {
    if (uint32(view, at) !== xxHash32(into.subarray(0, to))) throw broken('frame does not have its checksum');
    at += 4;
  }
  return { read: at, written: to };
}

function readHeader(view: DataView, from: Uint8Array) {
  if (from.length < 7 || uint32(view, 0) !== MAGIC) throw broken('frame does not begin as one does');
  const [flags, descriptor] = [from[4]!, from[5]!];
  const sizeClass = descriptor >> 4;
  if (flags >> 6 !== 1 || (flags & 0b11) !== 0 || (descriptor & 0b1000_1111) !== 0 || sizeClass < 4) {
    throw broken('frame has an unknown version, a dictionary or an unknown block size');
  }
  const hasSize = (flags & 0b1000) !== 0;
  const end = hasSize ? 14 : 6;
  if (end >= from.length) throw broken('frame is cut short');
  if (((xxHash32(from.subarray(4, end)) >>> 8) & 0xff) !== from[end])
    throw broken('header does not have its checksum');
  return {
    linked: (flags & 0b10_0000) === 0,
    blockChecksums: (flags & 0b1_0000) !== 0,
    contentChecksum: (flags & 0b100) !== 0,
    maxBlock: 2 ** (8 + 2 * sizeClass),
    /** The bytes that the frame becomes, where it states them. */
    size: hasSize ? uint32(view, 6) + uint32(view, 10) * 2 ** 32 : null,
    length: end + 1,
  };
}

function uint32(view: DataView, at: number): number {
  if (at + 4 > view.byteLength) throw broken('frame is cut short');
  return view.getUint32(at, true);
}

/**
 * Decompresses sequences of literals and a match each, and returns where they end in `into`. Nothing is written from `limit`
 * on, and nothing repeated from before `floor`. Bytes are copied in place, because a call for each few of them takes half as
 * long again.
 */
function decompressBlock(
  from: Uint8Array,
  into: Uint8Array,
  target: { to: number; limit: number; floor: number },
): number {
  const { limit, floor } = target;
  let { to } = target;
  for (let at = 0; ; ) {
    const token = from[at++] ?? cutShort();
    let literals = token >> 4;
    if (literals === 15) {
      // A length goes on for every byte 255, and the first byte that is less.
      do literals += from[at] ?? cutShort();
      while (from[at++] === 255);
    }
    if (at + literals > from.length) cutShort();
    if (to + literals > limit) throw tooLarge();
    copyBytes(from, at, into, to, literals);
    at += literals;
    to += literals;
    if (at === from.length) return to;
    if (at + 2 > from.length) cutShort();
    const distance = from[at]! | (from[at + 1]! << 8);
    at += 2;
    let length = (token & 15) + 4;
    if (length === 19) {
      do length += from[at] ?? cutShort();
      while (from[at++] === 255);
    }
    if (distance === 0 || to - distance < floor) throw broken('block repeats bytes from before its start');
    if (to + length > limit) throw tooLarge();
    repeatBytes(into, to, distance, length);
    to += length;
  }
}

/** So many bytes are copied one by one in less time than a call takes. */
const MAX_LOOPED = 32;

function copyBytes(from: Uint8Array, at: number, into: Uint8Array, to: number, length: number): void {
  if (length > MAX_LOOPED) into.set(from.subarray(at, at + length), to);
  else for (let i = 0; i < length; i++) into[to + i] = from[at + i]!;
}

/** Repeats the bytes at a distance before `to`; at a distance below the length, also those that it has just written. */
function repeatBytes(into: Uint8Array, to: number, distance: number, length: number): void {
  if (distance >= length && length > MAX_LOOPED) into.copyWithin(to, to - distance, to - distance + length);
  else for (let i = 0; i < length; i++) into[to + i] = into[to - distance + i]!;
}

function cutShort(): never {
  throw broken('block is cut short');
}

const tooLarge = () => broken('block has more bytes than its buffer or its frame allows');

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
