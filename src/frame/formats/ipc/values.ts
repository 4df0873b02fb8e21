import { isValid } from '../../../columns/bitmap.js';
import { type ByteRange, damaged } from './flatbuffer.js';

// Values that refer to other values. A reader that follows a wrong one shows another text, or a null, without a word.

/** The rows of a column, and which of them have a value; all where `valid` is null. */
interface Rows {
  readonly name: string;
  readonly length: number;
  readonly valid: Uint8Array | null;
}

/** How the indices of a dictionary column are stored. */
export interface IndexType {
  readonly bits: 8 | 16 | 32 | 64;
  readonly signed: boolean;
}

/** Checks that every row with a value refers to an entry of its dictionary. @throws ArgumentError */
export function checkIndices(
  view: DataView,
  buffer: ByteRange,
  { name, length, valid, type, entries }: Rows & { type: IndexType; entries: number },
): void {
  const indices = typedView(INDICES[type.signed ? 'signed' : 'unsigned'][type.bits], view, buffer, length);
  for (let row = nextOutside(indices, entries, 0); row !== -1; row = nextOutside(indices, entries, row + 1)) {
    if (!isValid(valid, row)) continue;
    const entry = Number(indices[row]);
    throw damaged(`row ${row} of column "${name}" is entry ${entry} of a dictionary that has ${entries}`);
  }
}

type Indices =
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array;

interface IndexArray {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, at: number, length: number): Indices;
}

const INDICES: Readonly<Record<'signed' | 'unsigned', Readonly<Record<IndexType['bits'], IndexArray>>>> = {
  signed: { 8: Int8Array, 16: Int16Array, 32: Int32Array, 64: BigInt64Array },
  unsigned: { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array, 64: BigUint64Array },
};

/** The next row, from `row` on, whose index is negative or too large; -1 when there is none. */
function nextOutside(indices: Indices, entries: number, from: number): number {
  if (indices instanceof BigInt64Array || indices instanceof BigUint64Array) {
    for (let row = from; row < indices.length; row++)
      if (indices[row]! < 0 || indices[row]! >= entries) return row;
    return -1;
  }
  // Unsigned, a negative index is larger than any dictionary.
  for (let row = from; row < indices.length; row++) if (indices[row]! >>> 0 >= entries) return row;
  return -1;
}

/** The first numbers of a buffer, as many as it holds; copied where they are not aligned. */
function typedView(
  Type: IndexArray,
  { buffer, byteOffset }: DataView,
  range: ByteRange,
  length: number,
): Indices {
  const held = Math.min(length, Math.floor(range.length / Type.BYTES_PER_ELEMENT));
  const at = byteOffset + range.at;
  if (at % Type.BYTES_PER_ELEMENT === 0) return new Type(buffer, at, held);
  return new Type(buffer.slice(at, at + held * Type.BYTES_PER_ELEMENT), 0, held);
}

/** Checks that no offset is before the previous one, or past the end. @throws ArgumentError */
export function checkOffsets(
  view: DataView,
  offsets: ByteRange,
  { name, length, bytes, end, what }: Omit<Rows, 'valid'> & { bytes: 4 | 8; end: number; what: string },
): void {
  let before = 0;
  for (let i = 0, { at } = offsets; i <= length; i++, at += bytes) {
    const offset = bytes === 4 ? view.getInt32(at, true) : Number(view.getBigInt64(at, true));
    if (offset < before) throw damaged(`${what} ${i} of column "${name}" begins before the previous one`);
    before = offset;
  }
  if (before > end) throw damaged(`the values of column "${name}" reach past their end`);
}

/** Bytes of a view, and the longest value that it holds itself. */
const VIEW_BYTES = 16;
const MAX_INLINE = 12;

/**
 * Checks that every view of a row with a value is within the buffer that it names.
 * https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout
 * @throws ArgumentError
 */
export function checkViews(
  view: DataView,
  views: ByteRange,
  { name, length, valid, buffers }: Rows & { buffers: readonly ByteRange[] },
): void {
  const held = Math.min(length, Math.floor(views.length / VIEW_BYTES));
  for (let row = 0, { at } = views; row < held; row++, at += VIEW_BYTES) {
    const size = view.getInt32(at, true);
    if (size >= 0 && size <= MAX_INLINE) continue;
    const [buffer, offset] = [view.getInt32(at + 8, true), view.getInt32(at + 12, true)];
    const isWithin = size > 0 && offset >= 0 && offset + size <= (buffers[buffer]?.length ?? -1);
    if (isWithin || !isValid(valid, row)) continue;
    throw damaged(`row ${row} of column "${name}" is outside its buffers`);
  }
}
