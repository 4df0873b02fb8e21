const decoder = new TextDecoder();

/**
 * A table of a FlatBuffer, the form of the metadata of Arrow's messages. Fields are read by their slot. Every read is
 * checked against the bytes, so that damaged or hostile metadata cannot make a reader loop, allocate or read elsewhere.
 */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  /** @throws RangeError, as all other methods do, when the bytes are not such a table */
  static root({ buffer, byteOffset, byteLength }: Uint8Array): FlatTable {
    const view = new DataView(buffer, byteOffset, byteLength);
    return new FlatTable(view, view.getUint32(0, true));
  }

  has(slot: number): boolean {
    return this.position(slot) !== 0;
  }

  byte(slot: number, absent: number): number {
    const at = this.position(slot);
    return at === 0 ? absent : this.#view.getUint8(at);
  }

  int16(slot: number, absent: number): number {
    const at = this.position(slot);
    return at === 0 ? absent : this.#view.getInt16(at, true);
  }

  int32(slot: number, absent: number): number {
    const at = this.position(slot);
    return at === 0 ? absent : this.#view.getInt32(at, true);
  }

  /** A count or a length: a 64-bit integer that is neither negative nor above 2^53. */
  count(slot: number): number {
    const at = this.position(slot);
    return at === 0 ? 0 : countAt(this.#view, at);
  }

  table(slot: number): FlatTable {
    const at = this.position(slot);
    if (at === 0) throw new RangeError('a table is missing');
    return this.#tableAt(at);
  }

  tables(slot: number): FlatTable[] {
    const { start, count } = this.#vector(slot, 4);
    return Array.from({ length: count }, (_, i) => this.#tableAt(start + 4 * i));
  }

  /** A text; empty when it is absent. */
  text(slot: number): string {
    const { start, count } = this.#vector(slot, 1);
    return decoder.decode(new Uint8Array(this.#view.buffer, this.#view.byteOffset + start, count));
  }

  /** The pairs of counts of a vector of structs that each hold two. */
  pairs(slot: number): [number, number][] {
    const { start, count } = this.#vector(slot, 16);
    return Array.from({ length: count }, (_, i) => [
      countAt(this.#view, start + 16 * i),
      countAt(this.#view, start + 16 * i + 8),
    ]);
  }

  /** Position of a field; 0 when it is absent. */
  position(slot: number): number {
    const vtable = this.#at - this.#view.getInt32(this.#at, true);
    const entry = 4 + 2 * slot;
    if (entry + 2 > this.#view.getUint16(vtable, true)) return 0;
    const offset = this.#view.getUint16(vtable + entry, true);
    return offset === 0 ? 0 : this.#at + offset;
  }

  #tableAt(at: number): FlatTable {
    return new FlatTable(this.#view, at + this.#view.getUint32(at, true));
  }

  #vector(slot: number, width: number): { start: number; count: number } {
    const field = this.position(slot);
    if (field === 0) return { start: 0, count: 0 };
    const at = field + this.#view.getUint32(field, true);
    const count = this.#view.getUint32(at, true);
    if (at + 4 + count * width > this.#view.byteLength) throw new RangeError('a vector is too long');
    return { start: at + 4, count };
  }
}

function countAt(view: DataView, at: number): number {
  const count = Number(view.getBigInt64(at, true));
  if (count >= 0 && Number.isSafeInteger(count)) return count;
  throw new RangeError('a count is out of range');
}

/** Slots of Arrow's metadata, by the order of the fields in its `Message.fbs` and `Schema.fbs`. */
export const MESSAGE = { headerType: 1, header: 2, bodyLength: 3, metadata: 4 } as const;
export const RECORD_BATCH = { length: 0, nodes: 1, buffers: 2, compression: 3 } as const;
export const SCHEMA = { endianness: 0, fields: 1, metadata: 2 } as const;
export const FIELD = { name: 0, nullable: 1, typeKind: 2, type: 3, dictionary: 4, children: 5 } as const;
export const KEY_VALUE = { key: 0, value: 1 } as const;

/** The kinds of messages. */
export const HEADER_TYPES = { schema: 1, recordBatch: 3 } as const;

/** The texts of a table's vector of keys and values. */
export function keyValues(table: FlatTable, slot: number): Map<string, string> {
  return new Map(table.tables(slot).map((pair) => [pair.text(KEY_VALUE.key), pair.text(KEY_VALUE.value)]));
}
