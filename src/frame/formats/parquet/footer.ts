import { badArgument } from '../../../model/errors.js';

/** The parts of a Parquet footer that are read without the decoder. */
export interface Footer {
  /** The number of values in all row groups, as the file states it. */
  readonly values: number;
  /** The key-value metadata. The bytes of each string share the memory of the file. */
  readonly texts: ReadonlyMap<string, Uint8Array>;
}

const MAGIC = 'PAR1';
const LENGTH_BYTES = 4;
const TAIL_BYTES = LENGTH_BYTES + MAGIC.length;

/** Field numbers from https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift */
const FILE = { rowGroups: 4, texts: 5 } as const;
const ROW_GROUP = { columns: 1, rows: 3 } as const;
const KEY_VALUE = { key: 1, value: 2 } as const;

/**
 * Reads the footer from a Parquet file, or from its last bytes.
 * @throws ArgumentError when the footer is incomplete or damaged
 */
export function readFooter(bytes: Uint8Array): Footer {
  const from = footerStart(bytes);
  if (from < 0) throw damaged('it does not end with a footer of Parquet');
  const file = new CompactReader(bytes, from).struct();
  const text = (value: unknown) => (value instanceof Uint8Array ? value : new Uint8Array(0));
  const decoder = new TextDecoder();
  return {
    values: listIn(file, FILE.rowGroups).reduce((sum, group) => {
      const rows = group.get(ROW_GROUP.rows);
      if (typeof rows !== 'number' || rows < 0) throw damaged(`a row group states ${String(rows)} rows`);
      return sum + rows * listIn(group, ROW_GROUP.columns).length;
    }, 0),
    texts: new Map(
      listIn(file, FILE.texts).map((pair) => [
        decoder.decode(text(pair.get(KEY_VALUE.key))),
        text(pair.get(KEY_VALUE.value)),
      ]),
    ),
  };
}

/** Returns the offset of the footer; negative when the bytes do not contain all of it. */
function footerStart(bytes: Uint8Array): number {
  const lengthAt = bytes.byteLength - TAIL_BYTES;
  if (lengthAt < 0 || new TextDecoder('latin1').decode(bytes.subarray(-MAGIC.length)) !== MAGIC) return -1;
  return lengthAt - new DataView(bytes.buffer, bytes.byteOffset + lengthAt).getUint32(0, true);
}

/**
 * Replaces a string in the key-value metadata at the end of a Parquet file. The footer is written last, so it can
 * contain facts that are known only then. Returns `end` unchanged if it does not contain the whole footer, or the footer
 * lacks the key.
 */
export function withFooterText(end: Uint8Array, key: string, text: string): Uint8Array {
  const from = footerStart(end);
  const old = from < 0 ? undefined : readFooter(end).texts.get(key);
  if (old === undefined) return end;
  const value = new TextEncoder().encode(text);
  const at = old.byteOffset - end.byteOffset;
  const before = end.subarray(0, at - varintOf(old.byteLength).byteLength);
  const parts = [before, varintOf(value.byteLength), value, end.subarray(at + old.byteLength)];
  const changed = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let written = 0;
  for (const part of parts) {
    changed.set(part, written);
    written += part.byteLength;
  }
  const lengthAt = changed.byteLength - TAIL_BYTES;
  new DataView(changed.buffer).setUint32(lengthAt, lengthAt - from, true);
  return changed;
}

function varintOf(number: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = number; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 128))
    bytes.push((rest % 128) + (rest >= 128 ? 128 : 0));
  return Uint8Array.from(bytes);
}

type Struct = ReadonlyMap<number, unknown>;

function listIn(struct: Struct, field: number): readonly Struct[] {
  const list = struct.get(field) ?? [];
  if (Array.isArray(list) && list.every((one) => one instanceof Map)) return list;
  throw damaged('its footer is damaged');
}

/** Maximum nesting of structs. The footers of valid files have fewer levels. */
const MAX_DEPTH = 32;

/**
 * Reads values of Thrift's compact protocol:
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
class CompactReader {
  readonly #bytes: Uint8Array;
  #at: number;
  #depth = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Reads a struct, and returns its fields by number. */
  struct(): Struct {
    if (++this.#depth > MAX_DEPTH) throw damaged('its footer is damaged');
    const fields = new Map<number, unknown>();
    let field = 0;
    for (let header = this.#byte(); header !== 0; header = this.#byte()) {
      const step = header >> 4;
      field = step === 0 ? this.#integer() : field + step;
      const type = header & 15;
      fields.set(field, type === 1 || type === 2 ? type === 1 : this.#value(type));
    }
    this.#depth--;
    return fields;
  }

  #value(type: number): unknown {
    switch (type) {
      case 1:
      case 2:
      case 3:
        return this.#byte();
      case 4:
      case 5:
      case 6:
        return this.#integer();
      case 7:
        return this.#take(8);
      case 8:
        return this.#take(this.#varint());
      case 9:
      case 10:
        return this.#list();
      case 12:
        return this.struct();
      default:
        throw damaged('its footer is damaged');
    }
  }

  #list(): unknown[] {
    const header = this.#byte();
    const size = header >> 4 === 15 ? this.#varint() : header >> 4;
    const values: unknown[] = [];
    for (let i = 0; i < size; i++) values.push(this.#value(header & 15));
    return values;
  }

  #integer(): number {
    const zigzag = this.#varint();
    return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  #byte(): number {
    return this.#take(1)[0]!;
  }

  #take(count: number): Uint8Array {
    const from = this.#at;
    this.#at += count;
    if (this.#at > this.#bytes.byteLength) throw damaged('its footer is cut short');
    return this.#bytes.subarray(from, this.#at);
  }
}

function damaged(problem: string): Error {
  return badArgument('bytes', `cannot be read as Parquet: ${problem}`);
}
