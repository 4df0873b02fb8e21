/** Bytes before a flatbuffer, as it stands within larger bytes. */
export const START = 4;

/** A field of a table: a number, a text, or a list; null is absent. */
type FlatField =
  | { readonly width: 1 | 2 | 4 | 8; readonly value: number }
  | { readonly text: string }
  | { readonly numbers: readonly number[] }
  /** A list of elements of so many numbers of 64 bits each. */
  | { readonly words: readonly number[]; readonly each: number }
  /** A table with this number in one byte. */
  | { readonly byte: number }
  /** So many tables, each with its number in one byte. */
  | { readonly tables: number }
  | null;

const MAX_FIELDS = 8;
/** Where the table begins: behind the reference to it, and the places of its fields. */
export const TABLE_AT = START + 4 + 4 + 2 * MAX_FIELDS;

/**
 * A flatbuffer of one table, written field by field (https://flatbuffers.dev/internals/): a reference to the table, the
 * places of its fields, the table, what it refers to.
 */
export function flatTable(
  fields: readonly FlatField[],
  change: (view: DataView) => void = () => {},
): Uint8Array {
  const bytes = new Uint8Array(1024);
  const view = new DataView(bytes.buffer);
  const size = 4 + 8 * MAX_FIELDS;
  let end = TABLE_AT + size;
  view.setUint32(START, TABLE_AT - START, true);
  view.setUint16(START + 4, 4 + 2 * MAX_FIELDS, true);
  view.setUint16(START + 6, size, true);
  view.setInt32(TABLE_AT, TABLE_AT - START - 4, true);
  fields.forEach((field, i) => {
    if (field === null) return;
    const place = 4 + 8 * i;
    view.setUint16(START + 8 + 2 * i, place, true);
    if ('width' in field) view.setBigInt64(TABLE_AT + place, BigInt(field.value), true);
    else {
      const target = 'byte' in field ? end + TABLE_OFFSET : end;
      view.setUint32(TABLE_AT + place, target - TABLE_AT - place, true);
      end = 'byte' in field ? writeTable(view, end, field.byte) : writeList(view, end, field);
    }
  });
  const whole = bytes.slice(0, end);
  change(new DataView(whole.buffer));
  return whole;
}

type FlatList = Exclude<FlatField, { width: number } | { byte: number } | null>;

function writeList(view: DataView, at: number, field: FlatList): number {
  if ('tables' in field) return writeTables(view, at, field.tables);
  const bytes = bytesOf(field);
  const stride = 'text' in field ? 1 : 'words' in field ? 8 * field.each : 4;
  view.setUint32(at, bytes.length / stride, true);
  new Uint8Array(view.buffer).set(bytes, at + 4);
  return Math.ceil((at + 4 + bytes.length) / 4) * 4;
}

function bytesOf(list: Exclude<FlatList, { tables: number }>): Uint8Array {
  if ('text' in list) return new TextEncoder().encode(list.text);
  const numbers = 'words' in list ? BigInt64Array.from(list.words, BigInt) : Int32Array.from(list.numbers);
  return new Uint8Array(numbers.buffer);
}

/** References, then the tables. */
function writeTables(view: DataView, at: number, count: number): number {
  view.setUint32(at, count, true);
  let end = at + 4 + 4 * count;
  for (let i = 0; i < count; i++) {
    view.setUint32(at + 4 + 4 * i, end + TABLE_OFFSET - (at + 4 + 4 * i), true);
    end = writeTable(view, end, i);
  }
  return end;
}

/** How far behind the place of its field a table of one byte stands. */
const TABLE_OFFSET = 8;

function writeTable(view: DataView, at: number, byte: number): number {
  const table = at + TABLE_OFFSET;
  view.setUint16(at, 6, true);
  view.setUint16(at + 2, 5, true);
  view.setUint16(at + 4, 4, true);
  view.setInt32(table, table - at, true);
  view.setUint8(table + 4, byte);
  return table + 8;
}
