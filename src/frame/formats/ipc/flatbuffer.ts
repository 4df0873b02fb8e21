import { ArgumentError } from '../../../model/errors.js';

/** The error for bytes that break Arrow's format; `what` says where and how. */
export function damaged(what: string, options?: ErrorOptions): ArgumentError {
  return new ArgumentError(
    'bytes',
    `bytes: this Arrow IPC is damaged or cut short: ${what}; download it again, or write it again with toArrowFile or toArrowStream`,
    options,
  );
}

/** A range of bytes in a view. */
export interface ByteRange {
  readonly at: number;
  readonly length: number;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A signed 64-bit number. They count bytes and rows, so one beyond the safe integers means damage. */
export function int64At(view: DataView, at: number): number {
  const value = view.getInt32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
  if (!Number.isSafeInteger(value)) throw damaged(`the number at byte ${at} is too large`);
  return value;
}

const TEXT = new TextDecoder();

/** Limit of the bytes read from a flatbuffer, over its size, because tables may share parts. */
const MAX_READ_PER_BYTE = 8;

/** Readers treat the size of a table as a signed 16-bit number. */
const MAX_TABLE = 0x7fff;

/**
 * A flatbuffer from byte `start` to `end` of larger bytes. Nothing outside is read: each table, vector and text is
 * bounds-checked before use (https://flatbuffers.dev/internals/). References only point forward, so there are no cycles.
 */
export class Flatbuffer {
  readonly view: DataView;
  readonly #start: number;
  readonly #end: number;
  #allowance: number;

  constructor(view: DataView, start: number, end: number) {
    this.view = view;
    this.#start = start;
    this.#end = end;
    this.#allowance = (end - start) * MAX_READ_PER_BYTE;
  }

  root(): FlatTable {
    return new FlatTable(this, this.follow(this.#start));
  }

  /** The target of the reference at `at`. */
  follow(at: number): number {
    this.within(at, 4);
    return at + this.view.getUint32(at, true);
  }

  /** Checks that the bytes are in this flatbuffer. */
  within(at: number, length: number): void {
    if (at < this.#start || at + length > this.#end) {
      throw damaged(`the metadata from byte ${this.#start} refers outside itself`);
    }
  }

  /** Checks the bytes and counts them as read. */
  read(at: number, length: number): void {
    this.within(at, length);
    this.#allowance -= length;
    if (this.#allowance < 0)
      throw damaged(`the metadata from byte ${this.#start} refers to itself too often`);
  }
}

/** A table of a flatbuffer. Fields are numbered by their position in the table's definition, including deprecated ones. */
export class FlatTable {
  readonly #buffer: Flatbuffer;
  readonly #at: number;
  readonly #size: number;
  readonly #slots: number;
  readonly #slotsSize: number;

  constructor(buffer: Flatbuffer, at: number) {
    const { view } = buffer;
    buffer.within(at, 4);
    const slots = at - view.getInt32(at, true);
    buffer.within(slots, 4);
    const [slotsSize, size] = [view.getUint16(slots, true), view.getUint16(slots + 2, true)];
    if (slotsSize < 4 || slotsSize % 2 !== 0 || slotsSize > MAX_TABLE || size < 4 || size > MAX_TABLE) {
      throw damaged(`there is no table at byte ${at}`);
    }
    buffer.within(slots, slotsSize);
    buffer.read(at, size);
    [this.#buffer, this.#at, this.#size, this.#slots, this.#slotsSize] = [buffer, at, size, slots, slotsSize];
  }

  uint8(field: number, absent = 0): number {
    const at = this.#place(field, 1);
    return at === null ? absent : this.#buffer.view.getUint8(at);
  }

  int16(field: number, absent = 0): number {
    const at = this.#place(field, 2);
    return at === null ? absent : this.#buffer.view.getInt16(at, true);
  }

  int32(field: number, absent = 0): number {
    const at = this.#place(field, 4);
    return at === null ? absent : this.#buffer.view.getInt32(at, true);
  }

  int64(field: number, absent = 0): number {
    const at = this.#place(field, 8);
    return at === null ? absent : int64At(this.#buffer.view, at);
  }

  table(field: number): FlatTable | null {
    const at = this.#place(field, 4);
    return at === null ? null : new FlatTable(this.#buffer, this.#buffer.follow(at));
  }

  tables(field: number): FlatTable[] {
    const references = this.vector(field, 4);
    return Array.from(
      { length: references.length },
      (_, i) => new FlatTable(this.#buffer, this.#buffer.follow(references.at + 4 * i)),
    );
  }

  text(field: number): string {
    const { at, length } = this.vector(field, 1);
    const { buffer, byteOffset } = this.#buffer.view;
    return TEXT.decode(new Uint8Array(buffer, byteOffset + at, length));
  }

  /** The byte where an int64 field stands, to be overwritten; null when it is absent. */
  int64Place(field: number): number | null {
    return this.#place(field, 8);
  }

  /** The byte of the offset that makes a field absent when it is 0; null when the table has no such field. */
  offsetPlace(field: number): number | null {
    const slot = 4 + 2 * field;
    return slot >= this.#slotsSize ? null : this.#slots + slot;
  }

  /** The elements of a vector: the byte of the first, and how many of `stride` bytes each; none when it is absent. */
  vector(field: number, stride: number): ByteRange {
    const reference = this.#place(field, 4);
    if (reference === null) return { at: 0, length: 0 };
    const at = this.#buffer.follow(reference);
    this.#buffer.within(at, 4);
    const length = this.#buffer.view.getUint32(at, true);
    this.#buffer.read(at + 4, length * stride);
    return { at: at + 4, length };
  }

  #place(field: number, width: number): number | null {
    const slot = 4 + 2 * field;
    if (slot >= this.#slotsSize) return null;
    const offset = this.#buffer.view.getUint16(this.#slots + slot, true);
    if (offset === 0) return null;
    if (offset < 4 || offset + width > this.#size) {
      throw damaged(`field ${field} of the table at byte ${this.#at} is outside it`);
    }
    return this.#at + offset;
  }
}
