import { type Data, DataType, type Vector } from 'apache-arrow';
import { isValid } from '../../../columns/bitmap.js';
import { damaged } from './messages.js';

/**
 * Checks that the buffers of a column are as long as its rows need, and that each offset, view and index refers to a value
 * that is there: a reader that follows a wrong one shows another text, or a null, without a word. Its children are checked
 * before it.
 * @throws ArgumentError
 */
export function checkColumn(name: string, data: Data): void {
  const { type, length, stride, children, values } = data;
  const present = DataType.isUnion(type) ? length : length - data.nullCount;
  const atLeast = (held: number, needed: number) => {
    if (!(needed >= 0 && held >= needed))
      throw damaged(`a part of column "${name}" has ${held} values where its rows need ${needed}`);
  };
  if (DataType.isNull(type)) return;
  if (DataType.isUnion(type)) {
    atLeast(data.typeIds.length, length);
    if (DataType.isDenseUnion(type)) atLeast(data.valueOffsets.length, length);
    else for (const child of children) atLeast(child.length, length);
  } else if (DataType.isStruct(type)) for (const child of children) atLeast(child.length, present);
  else if (DataType.isFixedSizeList(type)) atLeast(children[0]!.length, present * stride);
  else if (data.valueOffsets !== undefined) {
    if (present === 0 && data.valueOffsets.length === 0) return;
    if (length === 0) return;
    atLeast(data.valueOffsets.length, length + 1);
    const end = children[0]?.length ?? values.length;
    checkOffsets(name, data.valueOffsets.subarray(0, length + 1), end);
  } else if (DataType.isBool(type)) atLeast(values.length * 8, present);
  else atLeast(values.length, present * stride);
  if (DataType.isDictionary(type)) checkIndices(name, data);
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) checkViews(name, data);
  checkUnit(name, type);
}

/** No offset may be before the previous one, or past the end. */
function checkOffsets(name: string, offsets: ArrayLike<number | bigint>, end: number): void {
  let before: number | bigint = 0;
  for (let i = 0; i < offsets.length; i++) {
    const offset = offsets[i]!;
    if (offset < before) throw damaged(`value ${i} of column "${name}" begins before the previous one`);
    before = offset;
  }
  if (before > end) throw damaged(`the values of column "${name}" reach past their end`);
}

/** Every row with a value refers to an entry of its dictionary. */
function checkIndices(name: string, { values, length, nullBitmap, nullCount, dictionary }: Data): void {
  const entries = (dictionary as Vector).length;
  const valid = nullCount === 0 ? null : nullBitmap;
  const indices = values as ArrayLike<number | bigint>;
  for (let row = 0; row < length; row++) {
    const entry = indices[row]!;
    if ((entry >= 0 && entry < entries) || !isValid(valid, row)) continue;
    throw damaged(`row ${row} of column "${name}" is entry ${entry} of a dictionary that has ${entries}`);
  }
}

/** Bytes of a view, and the longest value that it holds itself. */
const VIEW_BYTES = 16;
const MAX_INLINE = 12;

/** https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout */
function checkViews(name: string, data: Data): void {
  const { values, nullBitmap, nullCount, variadicBuffers } = data;
  const valid = nullCount === 0 ? null : nullBitmap;
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  const rows = Math.min(data.length, Math.floor(values.byteLength / VIEW_BYTES));
  for (let row = 0, at = 0; row < rows; row++, at += VIEW_BYTES) {
    const size = view.getInt32(at, true);
    if (size >= 0 && size <= MAX_INLINE) continue;
    const [buffer, offset] = [view.getInt32(at + 8, true), view.getInt32(at + 12, true)];
    const isWithin = size > 0 && offset >= 0 && offset + size <= (variadicBuffers[buffer]?.length ?? -1);
    if (isWithin || !isValid(valid, row)) continue;
    throw damaged(`row ${row} of column "${name}" is outside its buffers`);
  }
}

/** Arrow reads values in a unit that it does not have as undefined; such a unit has no name. */
function checkUnit(name: string, type: DataType): void {
  const hasUnit =
    DataType.isTimestamp(type) ||
    DataType.isTime(type) ||
    DataType.isDuration(type) ||
    DataType.isDate(type) ||
    DataType.isInterval(type);
  if (hasUnit && /undefined/i.test(String(type)))
    throw damaged(`the type of column "${name}" has a unit that Arrow does not have`);
}
