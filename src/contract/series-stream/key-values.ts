/** The bytes of the table of a key and its value, and of the vtable that all of them share. */
const TABLE_BYTES = 12;
const VTABLE = [8, TABLE_BYTES, 4, 8];

/** A FlatBuffer's vector of keys and values, which may be put at any place that is a multiple of 4. */
export function keyValueVector(pairs: readonly (readonly [key: string, value: string])[]): Uint8Array {
  const encoder = new TextEncoder();
  const texts = pairs.flat().map((text) => encoder.encode(text));
  const vtableAt = 4 + 4 * pairs.length;
  const tablesAt = vtableAt + 2 * VTABLE.length;
  const textsAt = tablesAt + TABLE_BYTES * pairs.length;
  const length = texts.reduce((sum, text) => sum + textBytes(text), textsAt);
  const bytes = new Uint8Array(Math.ceil(length / 8) * 8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, pairs.length, true);
  for (const [i, entry] of VTABLE.entries()) view.setUint16(vtableAt + 2 * i, entry, true);
  for (let i = 0; i < pairs.length; i++) {
    const table = tablesAt + TABLE_BYTES * i;
    view.setUint32(4 + 4 * i, table - (4 + 4 * i), true);
    view.setInt32(table, table - vtableAt, true);
  }
  let at = textsAt;
  for (const [i, text] of texts.entries()) {
    const field = tablesAt + TABLE_BYTES * (i >> 1) + 4 + 4 * (i & 1);
    view.setUint32(field, at - field, true);
    view.setUint32(at, text.byteLength, true);
    bytes.set(text, at + 4);
    at += textBytes(text);
  }
  return bytes;
}

/** With its length before it, a zero after it, and padding. */
function textBytes({ byteLength }: Uint8Array): number {
  return Math.ceil((4 + byteLength + 1) / 4) * 4;
}
