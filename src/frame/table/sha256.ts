/** A SHA-256 that is given its bytes in pieces. */
export interface Sha256 {
  /** Texts count as their UTF-8. */
  update(piece: Uint8Array | string): unknown;
  /** The hash, as hexadecimal digits; nothing can be added after it. */
  digest(form: 'hex'): string;
}

/** SHA-256 by Node where it has it, which is faster. This file also runs in browsers, where Web Crypto takes no pieces. */
const nodeCrypto = (
  globalThis.process as { getBuiltinModule?: ((id: string) => object | undefined) | undefined } | undefined
)?.getBuiltinModule?.('node:crypto') as { createHash?: ((name: 'sha256') => Sha256) | undefined } | undefined;

export function createSha256(): Sha256 {
  return nodeCrypto?.createHash?.('sha256') ?? new PortableSha256();
}

const BLOCK_BYTES = 64;

/** The first 32 bits of the fractional parts of roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
const ROUND_CONSTANTS = Int32Array.from(firstPrimes(64), (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(firstPrimes(8), (prime) => fraction(Math.sqrt(prime)));

function fraction(root: number): number {
  // Conversion to 32 bits drops the whole part.
  return (root * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

/** SHA-256 in JavaScript (FIPS 180-4, 6.2). */
export class PortableSha256 implements Sha256 {
  readonly #state = START.slice();
  readonly #words = new Int32Array(BLOCK_BYTES);
  readonly #block = new Uint8Array(BLOCK_BYTES);
  /** Bytes so far. */
  #length = 0;

  update(piece: Uint8Array | string): this {
    const bytes = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
    const filled = this.#length % BLOCK_BYTES;
    this.#length += bytes.length;
    let at = Math.min(bytes.length, (BLOCK_BYTES - filled) % BLOCK_BYTES);
    this.#block.set(bytes.subarray(0, at), filled);
    if (filled + at === BLOCK_BYTES) this.#add(this.#block, 0);
    for (; at + BLOCK_BYTES <= bytes.length; at += BLOCK_BYTES) this.#add(bytes, at);
    this.#block.set(bytes.subarray(at));
    return this;
  }

  digest(_form: 'hex'): string {
    const length = this.#length;
    const padding = new Uint8Array(BLOCK_BYTES * 2 - ((length + 8) % BLOCK_BYTES) + 8 - BLOCK_BYTES);
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor(length / 2 ** 29));
    view.setUint32(padding.length - 4, length << 3);
    this.update(padding);
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }

  /** Adds one block of 64 bytes. */
  #add(bytes: Uint8Array, at: number): void {
    const words = this.#expand(bytes, at);
    const state = this.#state;
    let a = state[0]!;
    let b = state[1]!;
    let c = state[2]!;
    let d = state[3]!;
    let e = state[4]!;
    let f = state[5]!;
    let g = state[6]!;
    let h = state[7]!;
    for (let i = 0; i < 64; i++) {
      const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const one = (h + sum1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[i]! + words[i]!) | 0;
      const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const two = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    state[0]! += a;
    state[1]! += b;
    state[2]! += c;
    state[3]! += d;
    state[4]! += e;
    state[5]! += f;
    state[6]! += g;
    state[7]! += h;
  }

  #expand(bytes: Uint8Array, from: number): Int32Array {
    let at = from;
    const words = this.#words;
    for (let i = 0; i < 16; i++, at += 4)
      words[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    for (let i = 16; i < 64; i++) {
      const before = words[i - 15]!;
      const last = words[i - 2]!;
      const small0 = rotate(before, 7) ^ rotate(before, 18) ^ (before >>> 3);
      const small1 = rotate(last, 17) ^ rotate(last, 19) ^ (last >>> 10);
      words[i] = (words[i - 16]! + small0 + words[i - 7]! + small1) | 0;
    }
    return words;
  }
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
