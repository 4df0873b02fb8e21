import { damagedStream } from './damaged-stream.js';

/** The bytes of a stream, taken as they arrive, in pieces of any size. */
export class ArrivingBytes {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #endpoint: string;
  /** Bytes that have arrived and are not taken yet. */
  #untaken: Uint8Array = new Uint8Array(0);

  constructor(bytes: AsyncIterable<Uint8Array>, endpoint: string) {
    this.#endpoint = endpoint;
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** The next bytes, at least one and at most `max`. @throws ContractError when the stream has ended */
  async take(max: number): Promise<Uint8Array> {
    while (this.#untaken.byteLength === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) throw damagedStream(this.#endpoint, 'it is truncated');
      this.#untaken = value;
    }
    const taken = this.#untaken.subarray(0, max);
    this.#untaken = this.#untaken.subarray(taken.byteLength);
    return taken;
  }

  async close(): Promise<void> {
    this.#untaken = new Uint8Array(0);
    await this.#chunks.return?.();
  }
}
