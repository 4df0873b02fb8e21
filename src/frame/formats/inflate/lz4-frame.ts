import { damaged } from '../check/ipc-flatbuffer.js';
import { xxHash32 } from './xxhash32.js';

const MAGIC = 0x184d2204;

const broken = (what: string) => damaged(`its LZ4 ${what}`);

interface Flags {
  readonly linked: boolean;
  readonly blockChecksums: boolean;
  readonly contentChecksum: boolean;
  readonly maxBlock: number;
}

/**
 * Decompresses one LZ4 frame that fills `into` exactly, and checks every checksum that it has
 * (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md).
 * @throws ArgumentError when it breaks the format or has another size
 */
export function inflateLz4(from: Uint8Array, into: Uint8Array): void {
  const view = new DataView(from.buffer, from.byteOffset, from.byteLength);
  const [flags, start] = readHeader(view, from, into.length);
  let [at, to] = [start, 0];
  for (;;) {
    const word = uint32(view, at);
    at += 4;
    if (word === 0) break;
    const end = at + (word & 0x7fffffff);
    if (end + (flags.blockChecksums ? 4 : 0) > from.length) throw broken('block is cut short');
    const limit = Math.min(into.length, to + flags.maxBlock);
    const block = from.subarray(at, end);
    if (word >>> 31 === 1) to = store(block, into, to, limit);
    else to = inflateBlock(block, into, { to, limit, floor: flags.linked ? 0 : to });
    at = end;
    if (flags.blockChecksums) {
      if (uint32(view, at) !== xxHash32(block)) throw broken('block does not have its checksum');
      at += 4;
    }
  }
  if (to !== into.length) throw broken(`frame has ${to} bytes instead of ${into.length}`);
  if (flags.contentChecksum) {
    if (uint32(view, at) !== xxHash32(into)) throw broken('frame does not have its checksum');
    at += 4;
  }
  if (at !== from.length) throw broken('frame is followed by further bytes');
}

/** The flags, and where the blocks begin. */
function readHeader(view: DataView, from: Uint8Array, size: number): [Flags, number] {
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
  if (hasSize && uint32(view, 6) + uint32(view, 10) * 2 ** 32 !== size)
    throw broken(`frame does not have the ${size} bytes of its buffer`);
  return [
    {
      linked: (flags & 0b10_0000) === 0,
      blockChecksums: (flags & 0b1_0000) !== 0,
      contentChecksum: (flags & 0b100) !== 0,
      maxBlock: 2 ** (8 + 2 * sizeClass),
    },
    end + 1,
  ];
}

function uint32(view: DataView, at: number): number {
  if (at + 4 > view.byteLength) throw broken('frame is cut short');
  return view.getUint32(at, true);
}

function store(block: Uint8Array, into: Uint8Array, to: number, limit: number): number {
  if (to + block.length > limit) throw tooLarge();
  into.set(block, to);
  return to + block.length;
}

interface Target {
  readonly to: number;
  /** Nothing is written from here on. */
  readonly limit: number;
  /** Nothing is repeated from before. */
  readonly floor: number;
}

/** Decompresses sequences of literals and a match each, and returns where they end in `into`. */
function inflateBlock(from: Uint8Array, into: Uint8Array, target: Target): number {
  const { limit, floor } = target;
  let { to } = target;
  for (let at = 0; ; ) {
    if (at >= from.length) throw broken('block is cut short');
    const token = from[at++]!;
    let literals = token >> 4;
    if (literals === 15) {
      let more: number;
      do {
        if (at >= from.length) throw broken('block is cut short');
        more = from[at++]!;
        literals += more;
      } while (more === 255);
    }
    if (at + literals > from.length) throw broken('block is cut short');
    if (to + literals > limit) throw tooLarge();
    if (literals > 32) into.set(from.subarray(at, at + literals), to);
    else for (let i = 0; i < literals; i++) into[to + i] = from[at + i]!;
    at += literals;
    to += literals;
    if (at === from.length) return to;
    if (at + 2 > from.length) throw broken('block is cut short');
    const distance = from[at]! | (from[at + 1]! << 8);
    at += 2;
    let length = (token & 15) + 4;
    if (length === 19) {
      let more: number;
      do {
        if (at >= from.length) throw broken('block is cut short');
        more = from[at++]!;
        length += more;
      } while (more === 255);
    }
    if (distance === 0 || to - distance < floor) throw broken('block repeats bytes from before its start');
    if (to + length > limit) throw tooLarge();
    if (distance >= length && length > 32) into.copyWithin(to, to - distance, to - distance + length);
    else for (let i = 0; i < length; i++) into[to + i] = into[to - distance + i]!;
    to += length;
  }
}

const tooLarge = () => broken('block has more bytes than its buffer or its frame allows');
