import { allValid, bitmapBytes, copyBits, countValid } from '../../columns/bitmap.js';

type Items = Float64Array | Int32Array;

/** A column whose items are added some at a time, each copied once unless there are more than expected. */
export class GrowingColumn<Column extends Items> {
  #items: Column;
  #valid: Uint8Array | null = null;

  /** @param items memory for as many rows as are expected */
  constructor(items: Column) {
    this.#items = items;
  }

  /** Adds items without null rows from row `at` on. */
  add(items: Column, at: number): void {
    this.#reserve(at + items.length);
    copyItems(this.#items, items, at);
  }

  /** Adds items that may have null rows, which hold undefined memory. */
  addNullable(items: Column, valid: Uint8Array | null, at: number): void {
    const count = items.length;
    this.#reserve(at + count);
    if (this.#valid === null && !allValid(valid, count)) {
      this.#valid = new Uint8Array(bitmapBytes(this.#items.length));
      copyBits(this.#valid, 0, { bitmap: null, at: 0, count: at });
    }
    if (this.#valid !== null) copyBits(this.#valid, at, { bitmap: valid, at: 0, count });
    if (countValid(valid, count) > 0) copyItems(this.#items, items, at);
  }

  /** The memory of all rows, and of more. */
  get memory(): Column {
    return this.#items;
  }

  /** The first rows. */
  items(length: number): Column {
    return this.#items.subarray(0, length) as Column;
  }

  /** Validity bitmap; null when every row has a value. */
  get valid(): Uint8Array | null {
    return this.#valid;
  }

  #reserve(length: number): void {
    const before = this.#items;
    if (length <= before.length) return;
    const grown = Math.max(length, 2 * before.length);
    this.#items = new (before.constructor as new (length: number) => Column)(grown);
    copyItems(this.#items, before);
    if (this.#valid === null) return;
    const bitmap = new Uint8Array(bitmapBytes(grown));
    bitmap.set(this.#valid);
    this.#valid = bitmap;
  }
}

/** Both arrays have the same type, which the compiler cannot infer. */
function copyItems(target: Items, source: Items, at = 0): void {
  (target as Float64Array).set(source as Float64Array, at);
}
