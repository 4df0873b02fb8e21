const MAGIC_BYTES = 4;
const LENGTH_BYTES = 4;

/** The header of a text field in Thrift's compact protocol: field id one above the previous, type "binary". */
const TEXT_FIELD = 0x18;

const encoder = new TextEncoder();

/**
 * The end of a Parquet file with another text for a key of its key-value metadata. The metadata is in the footer, which is
 * written last, so it can contain what is known only then. Returns `end` unchanged when it does not contain the whole
 * footer, or the footer lacks the key.
 */
export function withFooterText(end: Uint8Array, key: string, text: string): Uint8Array {
  const view = new DataView(end.buffer, end.byteOffset, end.byteLength);
  const lengthAt = end.byteLength - MAGIC_BYTES - LENGTH_BYTES;
  const footerAt = lengthAt < 0 ? -1 : lengthAt - view.getUint32(lengthAt, true);
  const range = footerAt < 0 ? null : findText(end, footerAt, key);
  if (range === null) return end;
  const value = textBytes(text);
  const changed = new Uint8Array(end.byteLength - (range.to - range.from) + value.byteLength);
  changed.set(end.subarray(0, range.from));
  changed.set(value, range.from);
  changed.set(end.subarray(range.to), range.from + value.byteLength);
  const newLengthAt = changed.byteLength - MAGIC_BYTES - LENGTH_BYTES;
  new DataView(changed.buffer).setUint32(newLengthAt, newLengthAt - footerAt, true);
  return changed;
}

/** The range of the value of a key, including the length before it. */
function findText(bytes: Uint8Array, from: number, key: string): { from: number; to: number } | null {
  const wanted = Uint8Array.of(TEXT_FIELD, ...textBytes(key), TEXT_FIELD);
  for (let at = from; at <= bytes.byteLength - wanted.byteLength; at++) {
    if (!wanted.every((byte, i) => bytes[at + i] === byte)) continue;
    const valueAt = at + wanted.byteLength;
    const { value, next } = readVarint(bytes, valueAt);
    return { from: valueAt, to: next + value };
  }
  return null;
}

/** UTF-8 after its length. */
function textBytes(text: string): Uint8Array {
  const bytes = encoder.encode(text);
  const length: number[] = [];
  for (let rest = bytes.byteLength; rest > 0 || length.length === 0; rest = Math.floor(rest / 128))
    length.push((rest % 128) + (rest >= 128 ? 128 : 0));
  const whole = new Uint8Array(length.length + bytes.byteLength);
  whole.set(length);
  whole.set(bytes, length.length);
  return whole;
}

function readVarint(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  let next = at;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[next++]!;
    value += (byte & 0x7f) * scale;
    if (byte < 128) return { value, next };
  }
}
