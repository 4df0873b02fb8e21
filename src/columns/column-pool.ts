/** Columns above this size have a buffer of their own. */
const OWN_BYTES = 65_536;
const POOL_BYTES = 16 * OWN_BYTES;

/**
 * Memory for the columns of a wide frame, all zeros. Small columns share buffers of a megabyte: thousands of buffers
 * cost the garbage collector more than their contents. Columns stand 64 bytes apart at least, as Arrow advises.
 */
export class ColumnPool {
  readonly #length: number;
  #buffer = new ArrayBuffer(0);
  #at = 0;

  /** @param length rows of each column */
  constructor(length: number) {
    this.#length = length;
  }

  values(): Float64Array {
    const { buffer, at } = this.#take(this.#length * 8);
    return new Float64Array(buffer, at, this.#length);
  }

  /** A validity bitmap with every row invalid. */
  bitmap(): Uint8Array {
    const bytes = Math.ceil(this.#length / 64) * 8;
    const { buffer, at } = this.#take(bytes);
    return new Uint8Array(buffer, at, bytes);
  }

  #take(bytes: number): { buffer: ArrayBuffer; at: number } {
    const padded = Math.ceil(bytes / 64) * 64;
    if (padded > OWN_BYTES) return { buffer: new ArrayBuffer(padded), at: 0 };
    if (this.#at + padded > this.#buffer.byteLength) {
      this.#buffer = new ArrayBuffer(POOL_BYTES);
      this.#at = 0;
    }
    const at = this.#at;
    this.#at += padded;
    return { buffer: this.#buffer, at };
  }
}
