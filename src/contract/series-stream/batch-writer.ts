import { bitmapBytes, copyBits, countValid, setBit } from '../../columns/bitmap.js';
import { joinChunks } from '../stream/byte-chunks.js';
import { batchMetadata } from './batch-metadata.js';

/** Numbers of a column. */
export type Numbers = Uint32Array | Int32Array | BigInt64Array | Float64Array;

/** The elements of one list, with the validity bitmap of those that may be null. */
export interface Elements<Items extends Numbers> {
  readonly items: Items;
  readonly valid: Uint8Array | null;
}

/** Collects the columns of one record batch, as Arrow lays them out. Large buffers are passed on, not copied. */
export class BatchWriter {
  readonly #rows: number;
  readonly #nodes: number[] = [];
  readonly #buffers: number[] = [];
  readonly #body: Uint8Array[] = [];
  #bodyLength = 0;

  constructor(rows: number) {
    this.#rows = rows;
  }

  /** A column with one number a row. */
  numbers(items: Numbers, valid: Uint8Array | null = null): void {
    this.#node(this.#rows, this.#rows - countValid(valid, this.#rows));
    this.#buffer(valid);
    this.#buffer(items);
  }

  /** A column with a list a row; null for a row without one. Neighbours that adjoin in memory are not copied. */
  lists<Items extends Numbers>(
    lists: readonly (Elements<Items> | null)[],
    Kind: { new (length: number): Items; BYTES_PER_ELEMENT: number },
  ): void {
    const count = this.#offsets(lists.map((list) => list?.items.length ?? null));
    const valid = joinBitmaps(lists, count);
    this.#node(count, count - countValid(valid, count));
    this.#buffer(valid);
    this.#buffer(joinItems(lists, count, Kind));
  }

  /** A column with a list of texts, or nulls, a row; null for a row without one. */
  texts(lists: readonly (readonly (string | null)[] | null)[]): void {
    const count = this.#offsets(lists.map((list) => list?.length ?? null));
    const encoder = new TextEncoder();
    const valid = new Uint8Array(bitmapBytes(count));
    const offsets = new Int32Array(count + 1);
    const bytes: Uint8Array[] = [];
    let at = 0;
    for (const text of lists.flatMap((list) => list ?? [])) {
      if (text !== null) {
        setBit(valid, at);
        bytes.push(encoder.encode(text));
      }
      offsets[at + 1] = offsets[at]! + (text === null ? 0 : bytes.at(-1)!.byteLength);
      at++;
    }
    this.#node(count, count - countValid(valid, count));
    this.#buffer(valid);
    this.#buffer(offsets);
    this.#buffer(joinChunks(bytes));
  }

  /** The metadata of the message, and its body. */
  finish(note: readonly [key: string, value: string] | null = null): {
    metadata: Uint8Array;
    body: readonly Uint8Array[];
  } {
    const parts = { nodes: this.#nodes, buffers: this.#buffers, note };
    return { metadata: batchMetadata(this.#rows, this.#bodyLength, parts), body: this.#body };
  }

  /** The node, validity and offsets of a column of lists; returns how many elements they have. */
  #offsets(lengths: readonly (number | null)[]): number {
    const offsets = new Int32Array(this.#rows + 1);
    const valid = new Uint8Array(bitmapBytes(this.#rows));
    lengths.forEach((length, row) => {
      if (length !== null) setBit(valid, row);
      offsets[row + 1] = offsets[row]! + (length ?? 0);
    });
    const nulls = this.#rows - countValid(valid, this.#rows);
    this.#node(this.#rows, nulls);
    this.#buffer(nulls === 0 ? null : valid);
    this.#buffer(offsets);
    return offsets[this.#rows]!;
  }

  #node(length: number, nulls: number): void {
    this.#nodes.push(length, nulls);
  }

  #buffer(part: ArrayBufferView | null): void {
    const length = part?.byteLength ?? 0;
    this.#buffers.push(this.#bodyLength, length);
    if (part === null || length === 0) return;
    this.#body.push(new Uint8Array(part.buffer as ArrayBuffer, part.byteOffset, length));
    const padding = -length & 7;
    if (padding > 0) this.#body.push(new Uint8Array(padding));
    this.#bodyLength += length + padding;
  }
}

/** One bitmap of all elements; null when all are valid. */
function joinBitmaps(lists: readonly (Elements<Numbers> | null)[], count: number): Uint8Array | null {
  if (lists.every((list) => list === null || list.valid === null)) return null;
  const joined = new Uint8Array(bitmapBytes(count));
  let at = 0;
  for (const list of lists) {
    if (list === null) continue;
    copyBits(joined, at, { bitmap: list.valid, at: 0, count: list.items.length });
    at += list.items.length;
  }
  return joined;
}

function joinItems<Items extends Numbers>(
  lists: readonly (Elements<Items> | null)[],
  count: number,
  Kind: { new (length: number): Items; BYTES_PER_ELEMENT: number },
): ArrayBufferView {
  const filled = lists.flatMap((list) => (list === null || list.items.length === 0 ? [] : [list.items]));
  const first = filled[0];
  if (first === undefined) return new Kind(0);
  let end = first.byteOffset;
  const adjoin = filled.every(({ buffer, byteOffset, byteLength }) => {
    const next = buffer === first.buffer && byteOffset === end;
    end += byteLength;
    return next;
  });
  if (adjoin) return new Uint8Array(first.buffer as ArrayBuffer, first.byteOffset, end - first.byteOffset);
  const joined = new Kind(count);
  let at = 0;
  for (const items of filled) {
    joined.set(items as never, at);
    at += items.length;
  }
  return joined;
}
