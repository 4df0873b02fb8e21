import { damaged } from '../check/ipc-flatbuffer.js';

/** The error that a Zstandard frame is damaged. */
export const broken = (what: string) => damaged(`its Zstandard ${what}`);

export const tooLarge = () => broken('block has more bytes than its buffer or its frame allows');

/** The 25 bits or more that follow bit `at`; bits past the end are 0. */
function word(bytes: Uint8Array, at: number): number {
  const byte = at >> 3;
  const four = bytes[byte]! | (bytes[byte + 1]! << 8) | (bytes[byte + 2]! << 16) | (bytes[byte + 3]! << 24);
  return four >>> (at & 7);
}

/** Reads a stream of bits from its last bit, which the highest 1 of its last byte marks, to its first (RFC 8878, 4.1). */
export class BackwardBits {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  #at: number;

  constructor(bytes: Uint8Array, from: number, to: number) {
    const last = to > from ? bytes[to - 1]! : 0;
    if (last === 0) throw broken('stream of bits has no end mark');
    this.#bytes = bytes;
    this.#start = from * 8;
    this.#at = to * 8 - 1 - (Math.clz32(last) - 24);
  }

  /** Bits not yet read; below 0 once more are taken than there are. */
  get left(): number {
    return this.#at - this.#start;
  }

  /** The next `count` bits, at most 24. Those beyond the first bit of the stream are anything. */
  peek(count: number): number {
    const at = this.#at - count;
    return at < 0 ? 0 : word(this.#bytes, at) & ((1 << count) - 1);
  }

  skip(count: number): void {
    this.#at -= count;
  }

  /** The next `count` bits, at most 31. */
  read(count: number): number {
    if (count > 24) return this.read(count - 16) * 2 ** 16 + this.read(16);
    this.#at -= count;
    if (this.#at < this.#start) throw broken('stream of bits is cut short');
    return word(this.#bytes, this.#at) & ((1 << count) - 1);
  }

  /** @throws ArgumentError when not every bit has been read */
  close(): void {
    if (this.#at !== this.#start) throw broken('stream of bits has another length than its symbols');
  }
}

/** Reads bits from the first of a byte on; those past the end are 0. */
export class ForwardBits {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, from: number, to: number) {
    this.#bytes = bytes;
    this.#at = from * 8;
    this.#end = to * 8;
  }

  peek(count: number): number {
    return word(this.#bytes, this.#at) & ((1 << count) - 1);
  }

  read(count: number): number {
    const bits = this.peek(count);
    this.#at += count;
    return bits;
  }

  /** The first byte of which no bit has been read. */
  byteAfter(): number {
    if (this.#at > this.#end) throw broken('table of symbols is cut short');
    return (this.#at + 7) >> 3;
  }
}
