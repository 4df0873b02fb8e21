import { decompress } from 'fzstd';
import { damaged } from '../check/ipc-flatbuffer.js';

const MAGIC = 0xfd2fb528;
const MAX_BLOCK = 128 * 1024;
const REPEATED = 1;
const COMPRESSED = 2;

/** Bytes that no run of zeros and no shifted copy of themselves equals. */
const MARK = Uint8Array.from({ length: 16 }, (_, i) => 0xa5 ^ (i * 15));

const broken = (what: string, options?: ErrorOptions) => damaged(`its Zstandard ${what}`, options);

/**
 * Decompresses one Zstandard frame that fills `into` exactly (RFC 8878). Its content checksum, which writers of Arrow do
 * not write, is not checked. A block crafted with matches beyond its limit is refused only at its end, which can take the
 * decoder minutes.
 * @throws ArgumentError when it breaks the format or has another size
 */
export function inflateZstd(from: Uint8Array, into: Uint8Array): void {
  const last = lastBlock(from, into.length);
  // The decoder does not say how much it has written. A block of a mark in place of the frame's end does.
  const marked = new Uint8Array(last.end + 3 + MARK.length);
  marked.set(from.subarray(0, last.end));
  marked[4]! &= ~CHECKSUM;
  marked[last.at]! &= ~1;
  marked.set([1 | (MARK.length << 3), 0, 0, ...MARK], last.end);
  const output = new Output(into.length + MARK.length);
  try {
    decompress(marked, output);
  } catch (cause) {
    throw broken(`frame cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  if (!MARK.every((byte, i) => output[into.length + i] === byte))
    throw broken(`frame does not have the ${into.length} bytes of its buffer`);
  into.set(new Uint8Array(output.buffer, 0, into.length));
}

const CHECKSUM = 0b100;

/** Checks the header and the bounds of every block; the last block and where it ends. */
function lastBlock(from: Uint8Array, size: number): { at: number; end: number } {
  const view = new DataView(from.buffer, from.byteOffset, from.byteLength);
  let at = headerEnd(view, size);
  for (;;) {
    if (at + 3 > from.length) throw broken('frame is cut short');
    const word = from[at]! | (from[at + 1]! << 8) | (from[at + 2]! << 16);
    const [type, length] = [(word >> 1) & 3, word >> 3];
    if (type > COMPRESSED || length > MAX_BLOCK) throw broken('frame has a block of an unknown kind');
    const end = at + 3 + (type === REPEATED ? 1 : length);
    if (end > from.length) throw broken('frame is cut short');
    if ((word & 1) === 1) {
      const frameEnd = end + ((from[4]! & CHECKSUM) === 0 ? 0 : 4);
      if (frameEnd !== from.length) throw broken('frame does not end where its buffer does');
      return { at, end };
    }
    at = end;
  }
}

/** Where the blocks begin. A size that the header states must be `size`. */
function headerEnd(view: DataView, size: number): number {
  if (view.byteLength < 6 || view.getUint32(0, true) !== MAGIC)
    throw broken('frame does not begin as one does');
  const flags = view.getUint8(4);
  if ((flags & 0b1011) !== 0) throw broken('frame has a dictionary or unknown flags');
  const single = (flags >> 5) & 1;
  const sizeAt = 6 - single;
  const width = [single, 2, 4, 8][flags >> 6]!;
  if (sizeAt + width > view.byteLength) throw broken('frame is cut short');
  if (width > 0 && statedSize(view, sizeAt, width) !== size)
    throw broken(`frame does not have the ${size} bytes of its buffer`);
  return sizeAt + width;
}

function statedSize(view: DataView, at: number, width: number): number {
  if (width === 1) return view.getUint8(at);
  if (width === 2) return view.getUint16(at, true) + 256;
  const low = view.getUint32(at, true);
  return width === 4 ? low : low + view.getUint32(at + 4, true) * 2 ** 32;
}

/** What the decoder writes to. It takes the rest for each block; damaged blocks can lead it past the end, without an end. */
class Output extends Uint8Array {
  override subarray(begin = 0, end = this.length): Uint8Array<ArrayBuffer> {
    if (begin > this.length - MARK.length) throw new RangeError('more bytes than its buffer');
    return new Uint8Array(
      this.buffer as ArrayBuffer,
      this.byteOffset + begin,
      Math.min(end, this.length) - begin,
    );
  }
}
