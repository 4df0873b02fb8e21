import { viewOf } from './flatbuffer.js';

/** A number of 64 bits that is changed in place, as two words of 32. */
class Word64 {
  high: number;
  low: number;

  constructor(high = 0, low = 0) {
    this.high = high | 0;
    this.low = low | 0;
  }

  set(high: number, low: number): this {
    this.high = high;
    this.low = low;
    return this;
  }

  add({ high, low }: Word64): this {
    const sum = (this.low >>> 0) + (low >>> 0);
    this.high = (this.high + high + (sum >= 2 ** 32 ? 1 : 0)) | 0;
    this.low = sum | 0;
    return this;
  }

  /** Multiplies the low words by their halves, whose products are exact. */
  times({ high, low }: Word64): this {
    const [a1, a0, b1, b0] = [this.low >>> 16, this.low & 0xffff, low >>> 16, low & 0xffff];
    const middle = a1 * b0 + ((a0 * b0) >>> 16);
    const other = a0 * b1 + (middle % 2 ** 16);
    const upper = a1 * b1 + Math.floor(middle / 2 ** 16) + Math.floor(other / 2 ** 16);
    this.high = (upper + Math.imul(this.high, low) + Math.imul(this.low, high)) | 0;
    this.low = Math.imul(this.low, low);
    return this;
  }

  xor({ high, low }: Word64): this {
    this.high ^= high;
    this.low ^= low;
    return this;
  }

  /** Rotates to the left by 1 to 31 bits. */
  rotate(by: number): this {
    const { high, low } = this;
    this.high = (high << by) | (low >>> (32 - by));
    this.low = (low << by) | (high >>> (32 - by));
    return this;
  }
}

const P1 = new Word64(0x9e3779b1, 0x85ebca87);
const P2 = new Word64(0xc2b2ae3d, 0x27d4eb4f);
const P3 = new Word64(0x165667b1, 0x9e3779f9);
const P4 = new Word64(0x85ebca77, 0xc2b2ae63);
const P5 = new Word64(0x27d4eb2f, 0x165667c5);

const STRIPE = 32;

/** The low word of the 64-bit xxHash with seed 0 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). */
export function xxHash64Low(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const end = bytes.length - (bytes.length % STRIPE);
  const hash = end === 0 ? new Word64().add(P5) : hashStripes(view, end);
  const input = new Word64();
  hash.add(input.set(Math.floor(bytes.length / 2 ** 32), bytes.length | 0));
  let at = end;
  for (; at + 8 <= bytes.length; at += 8) {
    hash
      .xor(round(new Word64(), readWord(view, at, input)))
      .rotate(27)
      .times(P1)
      .add(P4);
  }
  if (at + 4 <= bytes.length) {
    hash
      .xor(input.set(0, view.getInt32(at, true)).times(P1))
      .rotate(23)
      .times(P2)
      .add(P3);
    at += 4;
  }
  for (; at < bytes.length; at++) hash.xor(input.set(0, bytes[at]!).times(P5)).rotate(11).times(P1);
  return avalanche(hash);
}

/** Four sums over whole stripes, each of every fourth word of 64 bits. */
function hashStripes(view: DataView, end: number): Word64 {
  const sums = [new Word64().add(P1).add(P2), new Word64().add(P2), new Word64(), negative(P1)] as const;
  const input = new Word64();
  for (let at = 0; at < end; at += STRIPE) {
    round(sums[0], readWord(view, at, input));
    round(sums[1], readWord(view, at + 8, input));
    round(sums[2], readWord(view, at + 16, input));
    round(sums[3], readWord(view, at + 24, input));
  }
  const hash = new Word64();
  for (const [i, by] of [1, 7, 12, 18].entries()) hash.add(new Word64().add(sums[i]!).rotate(by));
  for (const sum of sums) hash.xor(round(new Word64(), sum)).times(P1).add(P4);
  return hash;
}

/** Changes `input` too. */
function round(sum: Word64, input: Word64): Word64 {
  return sum.add(input.times(P2)).rotate(31).times(P1);
}

function readWord(view: DataView, at: number, into: Word64): Word64 {
  return into.set(view.getInt32(at + 4, true), view.getInt32(at, true));
}

const negative = ({ high, low }: Word64) => new Word64(~high, ~low).add(new Word64(0, 1));

function avalanche(hash: Word64): number {
  const shifted = new Word64();
  hash.xor(shifted.set(0, hash.high >>> 1)).times(P2);
  hash.xor(shifted.set(hash.high >>> 29, (hash.low >>> 29) | (hash.high << 3))).times(P3);
  return (hash.low ^ hash.high) >>> 0;
}
