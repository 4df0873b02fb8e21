import { viewOf } from '../check/ipc-flatbuffer.js';
import { type InflateFrame, inflateFrames } from './frames.js';
import { xxHash64Low } from './xxhash64.js';
import { broken, tooLarge } from './zstd-bits.js';
import { type FrameState, inflateBlock, type Target } from './zstd-block.js';

const MAGIC = 0xfd2fb528;
const MAX_BLOCK = 128 * 1024;
const REPEATED = 1;
const COMPRESSED = 2;

/**
 * Decompresses Zstandard frames, one after another, that together fill `into` exactly (RFC 8878), and checks the checksum
 * of each that has one. Its steps are in proportion to the bytes of `from` and of `into`, so that no frame holds it long.
 * @throws ArgumentError when they break the format or have another size
 */
export function inflateZstd(from: Uint8Array, into: Uint8Array): void {
  inflateFrames(from, into, inflateFrame);
}

function inflateFrame(from: Uint8Array, into: Uint8Array): ReturnType<InflateFrame> {
  const view = viewOf(from);
  const { length, size, maxBlock, hasChecksum } = readHeader(view);
  const state: FrameState = { huffman: null, tables: null, distances: [1, 4, 8] };
  let [at, to, isLast] = [length, 0, false];
  while (!isLast) {
    if (at + 3 > from.length) throw broken('frame is cut short');
    const word = from[at]! | (from[at + 1]! << 8) | (from[at + 2]! << 16);
    const [kind, stated] = [(word >> 1) & 3, word >> 3];
    if (kind > COMPRESSED || stated > maxBlock) throw broken('frame has a block of an unknown kind or size');
    const start = at + 3;
    at = start + (kind === REPEATED ? 1 : stated);
    if (at > from.length) throw broken('frame is cut short');
    const block = from.subarray(start, at);
    const limit = Math.min(into.length, to + maxBlock);
    to =
      kind === COMPRESSED
        ? inflateBlock(block, state, { into, at: to, limit })
        : copy(block, stated, { into, at: to, limit });
    isLast = (word & 1) === 1;
  }
  if (size !== null && size !== to) throw broken(`frame has ${to} bytes instead of ${size}`);
  if (!hasChecksum) return { read: at, written: to };
  if (at + 4 > from.length) throw broken('frame is cut short');
  if (view.getUint32(at, true) !== xxHash64Low(into.subarray(0, to)))
    throw broken('frame does not have its checksum');
  return { read: at + 4, written: to };
}

/** Copies a block that is not compressed: its bytes, or its only byte `size` times. */
function copy(block: Uint8Array, size: number, { into, at, limit }: Target): number {
  if (at + size > limit) throw tooLarge();
  if (block.length === size) into.set(block, at);
  else into.fill(block[0]!, at, at + size);
  return at + size;
}

interface Header {
  readonly length: number;
  /** The bytes of the frame, where it states them. */
  readonly size: number | null;
  readonly maxBlock: number;
  readonly hasChecksum: boolean;
}

function readHeader(view: DataView): Header {
  if (view.byteLength < 6 || view.getUint32(0, true) !== MAGIC)
    throw broken('frame does not begin as one does');
  const flags = view.getUint8(4);
  if ((flags & 0b1000) !== 0) throw broken('frame has unknown flags');
  const isSingle = ((flags >> 5) & 1) === 1;
  const dictionaryAt = isSingle ? 5 : 6;
  const sizeAt = dictionaryAt + [0, 1, 2, 4][flags & 3]!;
  const width = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6]!;
  const length = sizeAt + width;
  if (length > view.byteLength) throw broken('frame is cut short');
  for (let at = dictionaryAt; at < sizeAt; at++) {
    if (view.getUint8(at) !== 0) throw broken('frame needs a dictionary');
  }
  const size = width === 0 ? null : statedSize(view, sizeAt, width);
  const window = isSingle ? size! : windowSize(view.getUint8(5));
  return { length, size, maxBlock: Math.min(window, MAX_BLOCK), hasChecksum: (flags & 0b100) !== 0 };
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function statedSize(view: DataView, at: number, width: number): number {
  if (width === 1) return view.getUint8(at);
  if (width === 2) return view.getUint16(at, true) + 256;
  const low = view.getUint32(at, true);
  return width === 4 ? low : low + view.getUint32(at + 4, true) * 2 ** 32;
}
