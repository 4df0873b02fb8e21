/**
 * How long the texts of a Parquet file are about, once those that a dictionary repeats are written out: as many values as the
 * footer states, of the mean length of the dictionary's. Nothing is unpacked for it.
 * @returns 0 where the file cannot be read so, which its decoder then says
 */
export function expectedTextBytes(bytes: Uint8Array): number {
  const end = bytes.byteLength - 8;
  try {
    const length = new DataView(bytes.buffer, bytes.byteOffset + end, 4).getUint32(0, true);
    const groups = new CompactReader(bytes, end - length).struct()[FILE.groups] as Struct[];
    const chunks = groups.flatMap((group) => group[GROUP.columns] as Struct[]);
    return chunks.reduce((sum, chunk) => sum + chunkTextBytes(bytes, chunk[CHUNK.metadata] as Struct), 0);
  } catch {
    return 0;
  }
}

/** The numbers of the fields that are read, of the format's `parquet.thrift`. */
const FILE = { groups: 4 };
const GROUP = { columns: 1 };
const CHUNK = { metadata: 3 };
const COLUMN = { type: 1, values: 5, uncompressed: 6, dictionaryAt: 11 };
const PAGE = { uncompressed: 2, dictionary: 7 };
const DICTIONARY = { values: 1 };

const BYTE_ARRAY = 6;

function chunkTextBytes(bytes: Uint8Array, column: Struct): number {
  if (column[COLUMN.type] !== BYTE_ARRAY) return 0;
  const at = column[COLUMN.dictionaryAt];
  if (at === undefined) return column[COLUMN.uncompressed] as number;
  const page = new CompactReader(bytes, at as number).struct();
  const values = (page[PAGE.dictionary] as Struct)[DICTIONARY.values] as number;
  return ((column[COLUMN.values] as number) * (page[PAGE.uncompressed] as number)) / Math.max(1, values);
}

type Value = number | undefined | Struct | Value[];
/** Values by the numbers of their fields. */
type Struct = { [field: number]: Value };

/** Deeper than any footer. */
const MAX_DEPTH = 16;

/** Reads Thrift's compact protocol; texts and truth values are skipped. */
class CompactReader {
  #depth = 0;

  constructor(
    readonly bytes: Uint8Array,
    private at: number,
  ) {}

  /** @throws RangeError when it is damaged */
  struct(): Struct {
    if (++this.#depth > MAX_DEPTH) throw new RangeError('too deep');
    const struct: Struct = {};
    let field = 0;
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      field = head >> 4 === 0 ? this.#signed() : field + (head >> 4);
      struct[field] = this.#value(head & 15);
    }
    this.#depth--;
    return struct;
  }

  #value(type: number): Value {
    if (type === 1 || type === 2) return undefined;
    if (type === 3) return this.#byte();
    if (type <= 6) return this.#signed();
    if (type === 12) return this.struct();
    if (type === 9 || type === 10) return this.#list();
    if (type !== 7 && type !== 8) throw new RangeError('unknown type');
    const length = type === 7 ? 8 : this.#varint();
    this.at += length;
    return undefined;
  }

  #list(): Value[] {
    const head = this.#byte();
    const size = head >> 4 === 15 ? this.#varint() : head >> 4;
    const list: Value[] = [];
    const type = head & 15;
    for (let i = 0; i < size; i++) list.push(type <= 2 ? this.#byte() : this.#value(type));
    return list;
  }

  #signed(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 128) return value;
    }
  }

  #byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError('it ends early');
    return byte;
  }
}
