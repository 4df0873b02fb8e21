/** Bytes before a flatbuffer, as it stands within larger bytes. */
export const START = 4;

/** A field of a table: a number, a text, or a list; null is absent. */
type FlatField =
  | { readonly width: 1 | 2 | 4 | 8; readonly value: number }
  | { readonly text: string }
  | { readonly numbers: readonly number[] }
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
      view.setUint32(TABLE_AT + place, end - TABLE_AT - place, true);
      end = writeList(view, end, field);
    }
  });
  const whole = bytes.slice(0, end);
  change(new DataView(whole.buffer));
  return whole;
}

function writeList(view: DataView, at: number, field: Exclude<FlatField, { width: number } | null>): number {
  if ('tables' in field) return writeTables(view, at, field.tables);
  const bytes =
    'text' in field
      ? new TextEncoder().encode(field.text)
      : new Uint8Array(Int32Array.from(field.numbers).buffer);
  view.setUint32(at, 'text' in field ? bytes.length : bytes.length / 4, true);
  new Uint8Array(view.buffer).set(bytes, at + 4);
  return Math.ceil((at + 4 + bytes.length) / 4) * 4;
}

/** References, then tables of one byte, each behind the place of its field. */
function writeTables(view: DataView, at: number, count: number): number {
  view.setUint32(at, count, true);
  let end = at + 4 + 4 * count;
  for (let i = 0; i < count; i++) {
    const table = end + 8;
    view.setUint16(end, 6, true);
    view.setUint16(end + 2, 5, true);
    view.setUint16(end + 4, 4, true);
    view.setInt32(table, table - end, true);
    view.setUint8(table + 4, i);
    view.setUint32(at + 4 + 4 * i, table - (at + 4 + 4 * i), true);
    end = table + 8;
  }
  return end;
}
