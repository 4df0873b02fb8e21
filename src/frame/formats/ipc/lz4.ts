import { damaged } from './messages.js';

const MAGIC = 0x184d2204;

const broken = (what: string) => damaged(`its LZ4 ${what}`);

/**
 * Decompresses an LZ4 frame that fills `into` exactly (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md). Its
 * checksums are passed over: the frame must have the size that Arrow states, and uncompressed Arrow has no checksums either.
 * Every step is paid for by a byte of `from` or of `into`.
 * @throws ArgumentError when it breaks the format or has another size
 */
export function decompressLz4(from: Uint8Array, into: Uint8Array): void {
  const view = new DataView(from.buffer, from.byteOffset, from.byteLength);
  const word = (at: number) => (at + 4 > from.length ? cutShort() : view.getUint32(at, true));
  const [flags, descriptor] = [from[4] ?? cutShort(), from[5] ?? cutShort()];
  if (word(0) !== MAGIC) throw broken('frame does not begin as one does');
  if (flags >> 6 !== 1 || (flags & 0b11) !== 0) throw broken('frame has an unknown version or a dictionary');
  const isLinked = (flags & 0b10_0000) === 0;
  const blockChecksum = (flags & 0b1_0000) === 0 ? 0 : 4;
  const contentChecksum = (flags & 0b100) === 0 ? 0 : 4;
  const maxBlock = 2 ** (8 + 2 * (descriptor >> 4));
  let [at, to] = [(flags & 0b1000) === 0 ? 7 : 15, 0];
  for (;;) {
    const size = word(at);
    at += 4;
    if (size === 0) break;
    const end = at + (size & 0x7fffffff);
    if (end + blockChecksum > from.length) cutShort();
    const limit = Math.min(into.length, to + maxBlock);
    const block = from.subarray(at, end);
    if (size >>> 31 === 0) to = decompressBlock(block, into, { to, limit, floor: isLinked ? 0 : to });
    else {
      if (to + block.length > limit) throw tooLarge();
      into.set(block, to);
      to += block.length;
    }
    at = end + blockChecksum;
  }
  if (at + contentChecksum !== from.length) throw broken('frame does not end where its buffer does');
  if (to !== into.length) throw broken(`frame has ${to} bytes instead of ${into.length}`);
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
