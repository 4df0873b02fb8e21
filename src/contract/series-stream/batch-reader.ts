import { bitmapBytes } from '../../columns/bitmap.js';
import type { Numbers } from './batch-writer.js';
import { type FlatTable, RECORD_BATCH } from './flatbuffer.js';

/** Numbers with the validity bitmap of those that may be null. */
export interface Column<Items> {
  readonly items: Items;
  readonly valid: Uint8Array | null;
}

/** A column of lists: row `i` has the elements from `offsets[i]` to `offsets[i + 1]`. */
export interface ListColumn<Items> {
  readonly offsets: Int32Array;
  /** The rows that have a list. */
  readonly valid: Uint8Array | null;
  readonly elements: Column<Items>;
}

interface Kind<Items> {
  new (buffer: ArrayBuffer, offset: number, length: number): Items;
  readonly BYTES_PER_ELEMENT: number;
}

/**
 * Reads the columns of one record batch, in order, as views on its body. Counts, offsets and lengths are checked, so that
 * no column refers to anything outside of the body.
 */
export class BatchReader {
  readonly rows: number;
  readonly #nodes: readonly [length: number, nulls: number][];
  readonly #buffers: readonly [offset: number, length: number][];
  readonly #body: Uint8Array<ArrayBuffer>;
  #node = 0;
  #buffer = 0;

  /** @throws RangeError, as all other methods do, when the batch is not as its metadata say */
  constructor(batch: FlatTable, body: Uint8Array<ArrayBuffer>) {
    if (batch.has(RECORD_BATCH.compression)) throw new RangeError('a batch is compressed');
    this.rows = batch.count(RECORD_BATCH.length);
    this.#nodes = batch.pairs(RECORD_BATCH.nodes);
    this.#buffers = batch.pairs(RECORD_BATCH.buffers);
    this.#body = body;
  }

  /** A column with one number a row. */
  numbers<Items extends Numbers>(Type: Kind<Items>): Column<Items> {
    return this.#column(Type, this.rows);
  }

  /** A column with a list a row. */
  lists<Items extends Numbers>(Type: Kind<Items>): ListColumn<Items> {
    const { offsets, valid, count } = this.#lists();
    return { offsets, valid, elements: this.#column(Type, count) };
  }

  /** A column with a list of texts a row. */
  texts(): ListColumn<readonly (string | null)[]> {
    const { offsets, valid, count } = this.#lists();
    const elements = this.#validity(count);
    const bounds = this.#offsets(count);
    const bytes = this.#view(Uint8Array, bounds[count]!);
    const decoder = new TextDecoder();
    const items = Array.from({ length: count }, (_, i) =>
      isNull(elements, i) ? null : decoder.decode(bytes.subarray(bounds[i], bounds[i + 1])),
    );
    return { offsets, valid, elements: { items, valid: elements } };
  }

  /** Call it after the last column. */
  finish(): void {
    if (this.#node !== this.#nodes.length || this.#buffer !== this.#buffers.length)
      throw new RangeError('a batch has more columns than its schema');
  }

  #lists(): { offsets: Int32Array; valid: Uint8Array | null; count: number } {
    const valid = this.#validity(this.rows);
    const offsets = this.#offsets(this.rows);
    return { offsets, valid, count: offsets[this.rows]! };
  }

  #column<Items>(Type: Kind<Items>, length: number): Column<Items> {
    const valid = this.#validity(length);
    return { valid, items: this.#view(Type, length) };
  }

  /** The bitmap of the next node, null when all of its elements are valid. */
  #validity(length: number): Uint8Array | null {
    const node = this.#nodes[this.#node++];
    if (node === undefined || node[0] !== length || node[1] > length)
      throw new RangeError('a column has another length');
    if (node[1] > 0) return this.#view(Uint8Array, bitmapBytes(length));
    this.#buffer++;
    return null;
  }

  /** Offsets of lists or texts, which begin at 0 and never decrease. */
  #offsets(length: number): Int32Array {
    const offsets = this.#view(Int32Array, length + 1);
    if (offsets[0] !== 0) throw new RangeError('offsets do not begin at 0');
    for (let i = 0; i < length; i++)
      if (offsets[i + 1]! < offsets[i]!) throw new RangeError('offsets decrease');
    return offsets;
  }

  /** The next buffer, which may be longer. */
  #view<Items>(Type: Kind<Items>, length: number): Items {
    const [offset, bytes] = this.#buffers[this.#buffer++] ?? [0, -1];
    const { byteLength, byteOffset, buffer } = this.#body;
    if (length * Type.BYTES_PER_ELEMENT > bytes || offset + bytes > byteLength || offset % 8 !== 0)
      throw new RangeError('a buffer is out of bounds');
    return new Type(buffer, byteOffset + offset, length);
  }
}

function isNull(bitmap: Uint8Array | null, i: number): boolean {
  return bitmap !== null && ((bitmap[i >> 3]! >> (i & 7)) & 1) === 0;
}
