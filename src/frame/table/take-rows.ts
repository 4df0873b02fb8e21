import { type Data, DataType, Dictionary, Int32, makeData, Vector } from 'apache-arrow';
import { emptyBitmap, isValid, nanAtNulls, setBit } from '../../columns/bitmap.js';
import { rowsOf } from '../../columns/row-runs.js';
import { epochWords } from '../../columns/series-dates.js';
import { badArgument } from '../../model/errors.js';
import { type AnyColumn, otherColumn, validityWhere } from './columns.js';
import { emptyData, nestedType } from './frame-table.js';

/** Row numbers in any order, possibly repeated. The number -1 stands for a null row. */
export type Rows = Int32Array;

export function takeColumn<Column extends AnyColumn>(column: Column, rows: Rows): Column;
export function takeColumn(column: AnyColumn, rows: Rows): AnyColumn {
  if (column.type === 'other') return otherColumn(takeChunks(column.values.data, rows, column.values.type));
  const valid =
    column.valid === null && !rows.includes(-1)
      ? null
      : validityWhere(rows.length, (at) => rows[at]! >= 0 && isValid(column.valid, rows[at]!));
  if (column.type === 'utf8')
    return { ...column, values: Array.from(rows, (row) => column.values[row] ?? null), valid };
  const taken = takeWords(epochWords(column.values), rows, column.values.BYTES_PER_ELEMENT === 8 ? 2 : 1);
  if (column.type === 'timestamp') return { ...column, values: new BigInt64Array(taken.buffer), valid };
  if (column.type === 'float64')
    return { ...column, values: nanAtNulls(new Float64Array(taken.buffer), valid), valid };
  return { ...column, values: taken, valid };
}

/** Selects values that each consist of `stride` 32-bit words. The value in a null row is 0. */
export function takeWords(words: Int32Array, rows: Rows, stride: 1 | 2): Int32Array {
  const taken = new Int32Array(rows.length * stride);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    if (row < 0) continue;
    if (stride === 1) taken[at] = words[row]!;
    else {
      taken[2 * at] = words[2 * row]!;
      taken[2 * at + 1] = words[2 * row + 1]!;
    }
  }
  return taken;
}

/** Checks whether a column contains a slice of string or binary views, which Arrow's writer would slice again. */
function isCutView({ type, offset, children }: Data): boolean {
  return (
    (offset > 0 && (DataType.isUtf8View(type) || DataType.isBinaryView(type))) || children.some(isCutView)
  );
}

export function oneChunk(vector: Vector): Data {
  const { data, length } = vector;
  return data.length === 1 && length > 0 && !isCutView(data[0]!)
    ? data[0]!
    : takeChunks(data, rowsOf([{ from: 0, to: length }]), vector.type);
}

/** The location of each row: its chunk, and its position within the chunk. For a null row, the chunk is -1. */
interface Places {
  readonly chunk: Int32Array;
  readonly at: Int32Array;
  readonly valid: Uint8Array | null;
}

interface ChunkParts {
  readonly child?: Data;
  readonly children?: readonly Data[];
  readonly [Buffer: string]: unknown;
}

function takeChunks(all: readonly Data[], rows: Rows, type: DataType): Data {
  const { length } = rows;
  if (length === 0) return emptyData(type);
  const filled = all.filter((chunk) => chunk.length > 0);
  const chunks = filled.length === 0 ? [emptyData(type)] : filled;
  if (DataType.isNull(type)) return makeData({ type, length });
  const places = locate(chunks, rows);
  const base = { type, length, nullBitmap: places.valid };
  const made = (parts: ChunkParts): Data => {
    const children = parts.children ?? (parts.child === undefined ? [] : [parts.child]);
    return makeData({
      ...base,
      ...(children.length > 0 && { type: nestedType(type, children) }),
      ...parts,
    } as never);
  };
  if (DataType.isBool(type)) return made({ data: takeBits(chunks, places) });
  if (DataType.isDictionary(type)) return takeCodes(chunks, places, type);
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) {
    // A view refers to a buffer by index, so the buffers of all chunks are concatenated in order.
    const buffers = chunks.flatMap(({ variadicBuffers }) => [...variadicBuffers]);
    return made({ views: takeViews(chunks, places), variadicBuffers: buffers });
  }
  if (DataType.isStruct(type)) {
    const children = type.children.map(({ type: childType }, at) =>
      takeChunks(
        chunks.map((chunk) => chunk.children[at]!),
        rows,
        childType,
      ),
    );
    return made({ children });
  }
  if (DataType.isFixedSizeList(type)) {
    const { listSize } = type;
    const items = new Int32Array(length * listSize).fill(-1);
    for (let row = 0; row < length; row++)
      if (rows[row]! >= 0)
        for (let i = 0; i < listSize; i++) items[row * listSize + i] = rows[row]! * listSize + i;
    return made({ child: takeChildren(chunks, items, type.children[0]!.type) });
  }
  if (chunks[0]?.valueOffsets === undefined) return made({ data: takeFixed(chunks, places) });
  return takeVariable(chunks, places, made);
}

function locate(chunks: readonly Data[], rows: Rows): Places {
  const { length } = rows;
  const ends: number[] = [];
  for (const { length: count } of chunks) ends.push((ends.at(-1) ?? 0) + count);
  const places = { chunk: new Int32Array(length).fill(-1), at: new Int32Array(length) };
  const valid = emptyBitmap(length);
  let nulls = 0;
  let chunk = 0;
  for (let row = 0; row < length; row++) {
    const from = rows[row]!;
    if (from < 0) {
      nulls++;
      continue;
    }
    if (from < (ends[chunk - 1] ?? 0)) chunk = 0;
    while (from >= ends[chunk]!) chunk++;
    const at = from - (ends[chunk - 1] ?? 0);
    const data = chunks[chunk]!;
    if (data.nullCount > 0 && !isValid(data.nullBitmap, data.offset + at)) {
      nulls++;
      continue;
    }
    setBit(valid, row);
    places.chunk[row] = chunk;
    places.at[row] = at;
  }
  return { ...places, valid: nulls === 0 ? null : valid };
}

function takeBits(chunks: readonly Data[], { chunk, at }: Places): Uint8Array {
  const bits = emptyBitmap(chunk.length);
  for (let row = 0; row < chunk.length; row++) {
    const data = chunks[chunk[row]!];
    if (data !== undefined && isValid(data.values, data.offset + at[row]!)) setBit(bits, row);
  }
  return bits;
}

type Fixed = Float64Array;

function takeFixed(chunks: readonly Data[], { chunk, at }: Places): Fixed {
  const stride = chunks[0]?.stride ?? 1;
  const Kind = (chunks[0]?.values.constructor ?? Float64Array) as new (length: number) => Fixed;
  const taken = new Kind(chunk.length * stride);
  for (let row = 0; row < chunk.length; row++) {
    if (chunk[row]! < 0) continue;
    const { values } = chunks[chunk[row]!]!;
    for (let i = 0; i < stride; i++) taken[row * stride + i] = values[at[row]! * stride + i];
  }
  return taken;
}

const MAX_OFFSET = 2 ** 31 - 1;

function takeVariable(
  chunks: readonly Data[],
  { chunk, at }: Places,
  made: (parts: ChunkParts) => Data,
): Data {
  const isLarge = chunks[0]!.valueOffsets instanceof BigInt64Array;
  const offsets = new Float64Array(chunk.length + 1);
  const bounds = (row: number): [number, number] => {
    const place = at[row]!;
    const own = chunks[chunk[row]!]?.valueOffsets;
    return own === undefined ? [0, 0] : [Number(own[place]), Number(own[place + 1])];
  };
  for (let row = 0; row < chunk.length; row++) {
    const [from, to] = bounds(row);
    offsets[row + 1] = offsets[row]! + to - from;
  }
  const total = offsets.at(-1)!;
  if (!isLarge && total > MAX_OFFSET)
    throw badArgument(
      'table',
      `a column of the result has more than ${MAX_OFFSET} bytes or list items; select fewer rows or omit the column`,
    );
  const valueOffsets = isLarge
    ? BigInt64Array.from(offsets, (offset) => BigInt(offset))
    : Int32Array.from(offsets);
  const [first] = chunks;
  if (first!.children.length === 0) {
    const data = new Uint8Array(total);
    for (let row = 0; row < chunk.length; row++) {
      const [from, to] = bounds(row);
      if (to > from) data.set(chunks[chunk[row]!]!.values.subarray(from, to), offsets[row]);
    }
    return made({ valueOffsets, data });
  }
  const starts = chunks.map(() => 0);
  for (let at = 1; at < chunks.length; at++)
    starts[at] = starts[at - 1]! + chunks[at - 1]!.children[0]!.length;
  const items = new Int32Array(total);
  for (let row = 0; row < chunk.length; row++) {
    const [from, to] = bounds(row);
    for (let i = from; i < to; i++) items[offsets[row]! + i - from] = starts[chunk[row]!]! + i;
  }
  return made({ valueOffsets, child: takeChildren(chunks, items, first!.children[0]!.type) });
}

function takeChildren(chunks: readonly Data[], items: Rows, type: DataType): Data {
  return takeChunks(
    chunks.map(({ children }) => children[0]!),
    items,
    type,
  );
}

/** Selects rows of a dictionary column. The new codes refer to the concatenated dictionaries of all chunks. */
function takeCodes(chunks: readonly Data[], { chunk, at, valid }: Places, type: Dictionary): Data {
  const dictionaries = [...new Set(chunks.map(({ dictionary }) => dictionary!))];
  const starts = new Map<Vector, number>();
  let start = 0;
  for (const dictionary of dictionaries) {
    starts.set(dictionary, start);
    start += dictionary.length;
  }
  const shifts = chunks.map(({ dictionary }) => starts.get(dictionary!)!);
  const codes = new Int32Array(chunk.length);
  for (let row = 0; row < codes.length; row++)
    if (chunk[row]! >= 0) codes[row] = shifts[chunk[row]!]! + Number(chunks[chunk[row]!]!.values[at[row]!]);
  const dictionary =
    dictionaries.length === 1 ? dictionaries[0]! : new Vector(dictionaries.flatMap(({ data }) => data));
  const { bitWidth, isSigned } = type.indices;
  const fits = bitWidth <= 32 && dictionary.length <= 2 ** (isSigned ? bitWidth - 1 : bitWidth);
  return makeData({
    type: fits ? type : new Dictionary(type.dictionary, new Int32(), null, type.isOrdered),
    length: codes.length,
    data: fits ? new (type.indices.ArrayType as Int32ArrayConstructor)(codes) : codes,
    dictionary,
    nullBitmap: valid,
  } as never);
}

export const VIEW_BYTES = 16;

export const INLINE_BYTES = 12;

function takeViews(chunks: readonly Data[], { chunk, at }: Places): Uint8Array {
  const views = new Uint8Array(chunk.length * VIEW_BYTES);
  const words = new DataView(views.buffer);
  const shifts: number[] = [];
  for (const { variadicBuffers } of chunks) shifts.push((shifts.at(-1) ?? 0) + variadicBuffers.length);
  for (let row = 0; row < chunk.length; row++) {
    if (chunk[row]! < 0) continue;
    const [from, to] = [at[row]! * VIEW_BYTES, row * VIEW_BYTES];
    views.set(chunks[chunk[row]!]!.values.subarray(from, from + VIEW_BYTES), to);
    const shift = shifts[chunk[row]! - 1] ?? 0;
    if (words.getInt32(to, true) > INLINE_BYTES)
      words.setInt32(to + 8, words.getInt32(to + 8, true) + shift, true);
  }
  return views;
}
