const MAGIC_BYTES = 4;
const LENGTH_BYTES = 4;

/** Of a text, as the second field of a struct in Thrift's compact protocol or as the first: the step by one, and "binary". */
const TEXT_FIELD = 0x18;

const encoder = new TextEncoder();

/**
 * The end of a Parquet file with another text under a key of its key-value metadata. The metadata stands in the footer,
 * which is written last, so that it can tell what was not known before; a footer that is not whole in these bytes, or
 * lacks the key, stays as it is.
 */
export function withFooterText(end: Uint8Array, key: string, text: string): Uint8Array {
  const view = new DataView(end.buffer, end.byteOffset, end.byteLength);
  const lengthAt = end.byteLength - MAGIC_BYTES - LENGTH_BYTES;
  const footerAt = lengthAt < 0 ? -1 : lengthAt - view.getUint32(lengthAt, true);
  const place = footerAt < 0 ? null : findText(end, footerAt, key);
  if (place === null) return end;
  const value = textBytes(text);
  const changed = new Uint8Array(end.byteLength - (place.to - place.from) + value.byteLength);
  changed.set(end.subarray(0, place.from));
  changed.set(value, place.from);
  changed.set(end.subarray(place.to), place.from + value.byteLength);
  const newLengthAt = changed.byteLength - MAGIC_BYTES - LENGTH_BYTES;
  new DataView(changed.buffer).setUint32(newLengthAt, newLengthAt - footerAt, true);
  return changed;
}

/** Where the value of a key stands, with its length before it. */
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

/** UTF-8 with its length before it. */
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
