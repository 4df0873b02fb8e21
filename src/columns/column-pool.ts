import { paddedBitmapBytes } from './bitmap.js';

/** Larger columns have a separate buffer. */
const MAX_POOLED_BYTES = 65_536;
const POOL_BYTES = 16 * MAX_POOLED_BYTES;

/**
 * Allocates the columns of a wide frame, filled with zeros. Small columns share buffers of a megabyte: thousands of
 * buffers cost the garbage collector more than their contents. Columns start at multiples of 64 bytes, as Arrow
 * recommends.
 */
export class ColumnPool {
  readonly #length: number;
  #buffer = new ArrayBuffer(0);
  #offset = 0;

  /** @param length number of rows of each column */
  constructor(length: number) {
    this.#length = length;
  }

  values(): Float64Array {
    const { buffer, offset } = this.#allocate(this.#length * 8);
    return new Float64Array(buffer, offset, this.#length);
  }

  /** A validity bitmap with every row null. */
  bitmap(): Uint8Array {
    const bytes = paddedBitmapBytes(this.#length);
    const { buffer, offset } = this.#allocate(bytes);
    return new Uint8Array(buffer, offset, bytes);
  }

  #allocate(bytes: number): { buffer: ArrayBuffer; offset: number } {
    const padded = Math.ceil(bytes / 64) * 64;
    if (padded > MAX_POOLED_BYTES) return { buffer: new ArrayBuffer(padded), offset: 0 };
    if (this.#offset + padded > this.#buffer.byteLength) {
      this.#buffer = new ArrayBuffer(POOL_BYTES);
      this.#offset = 0;
    }
    const offset = this.#offset;
    this.#offset += padded;
    return { buffer: this.#buffer, offset };
  }
}
