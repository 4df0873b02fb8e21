import type { DuckDBDataChunk } from '@duckdb/node-api';
import {
  Bool,
  type Data,
  type DataType,
  Float64,
  Int32,
  Int64,
  makeData,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { bitmapBytes, copyBits, isValid, setBit } from '../../../columns/bitmap.js';
import { wordsOf } from '../../../columns/epoch-words.js';
import { rawVector, validityBytes } from '../../duckdb/engine/vectors.js';

/** A column of rows on their way from a chunk of DuckDB into a block of Arrow. */
export interface GrowingColumn {
  /** Appends rows of a column of a chunk. */
  append(chunk: DuckDBDataChunk, at: number, rows: Uint32Array): void;
  /** What was appended. */
  build(): Data;
}

type Numbers = Int32Array | Float64Array;

/** So many rows have room at first. */
const FIRST_ROWS = 1_024;

abstract class Growing {
  protected length = 0;
  protected capacity = FIRST_ROWS;
  #valid: Uint8Array | null = null;
  #nulls = 0;

  protected reserve(rows: number): void {
    if (this.length + rows <= this.capacity) return;
    while (this.length + rows > this.capacity) this.capacity *= 2;
    this.grow(this.capacity);
    if (this.#valid !== null) this.#valid = enlarged(this.#valid, bitmapBytes(this.capacity));
  }

  protected abstract grow(capacity: number): void;

  protected noteValid(row: number, valid: Uint8Array | null, source: number): void {
    const isPresent = isValid(valid, source);
    if (!isPresent && this.#valid === null) {
      this.#valid = new Uint8Array(bitmapBytes(this.capacity));
      for (let before = 0; before < row; before++) setBit(this.#valid, before);
    }
    if (isPresent && this.#valid !== null) setBit(this.#valid, row);
    if (!isPresent) this.#nulls++;
  }

  protected noteAllValid(row: number, count: number): void {
    if (this.#valid !== null) copyBits(this.#valid, row, { bitmap: null, at: 0, count });
  }

  protected nulls(): { nullCount: number; nullBitmap: Uint8Array | null } {
    return { nullCount: this.#nulls, nullBitmap: this.#nulls === 0 ? null : this.#valid };
  }
}

function enlarged<Array extends Numbers | Uint8Array>(items: Array, length: number): Array {
  const larger = new (items.constructor as new (length: number) => Array)(length);
  (larger as Float64Array).set(items as Float64Array);
  return larger;
}

/** Numbers of 32 bits, or pairs of them for numbers of 64 bits, whose NULLs become `missing` where that is given. */
class WordColumn extends Growing implements GrowingColumn {
  #words: Int32Array;
  readonly #wide: boolean;
  readonly #type: DataType;
  readonly #missing: Int32Array | null;

  constructor(type: DataType, { wide, missing = null }: { wide: boolean; missing?: Int32Array | null }) {
    super();
    this.#type = type;
    this.#wide = wide;
    this.#missing = missing;
    this.#words = new Int32Array(FIRST_ROWS * (wide ? 2 : 1));
  }

  append(chunk: DuckDBDataChunk, at: number, rows: Uint32Array): void {
    this.reserve(rows.length);
    const vector = rawVector<Int32Array>(chunk, at);
    const source = wordsOf(vector.items);
    const valid = validityBytes(vector);
    if (this.#wide) this.#copyPairs(source, rows);
    else for (let i = 0; i < rows.length; i++) this.#words[this.length + i] = source[rows[i]!]!;
    if (valid === null) this.noteAllValid(this.length, rows.length);
    else for (let i = 0; i < rows.length; i++) this.#mark(this.length + i, valid, rows[i]!);
    this.length += rows.length;
  }

  build(): Data {
    const { length } = this;
    const words = this.#words.subarray(0, this.#wide ? 2 * length : length);
    const data = typedWords(this.#type, words);
    return makeData({ type: this.#type as Int32, length, data: data as Int32Array, ...this.nulls() });
  }

  protected grow(capacity: number): void {
    this.#words = enlarged(this.#words, this.#wide ? 2 * capacity : capacity);
  }

  #copyPairs(source: Int32Array, rows: Uint32Array): void {
    let to = 2 * this.length;
    for (let i = 0; i < rows.length; i++) {
      const from = 2 * rows[i]!;
      this.#words[to++] = source[from]!;
      this.#words[to++] = source[from + 1]!;
    }
  }

  #mark(row: number, valid: Uint8Array, source: number): void {
    if (this.#missing === null) this.noteValid(row, valid, source);
    else if (!isValid(valid, source)) this.#words.set(this.#missing, this.#missing.length * row);
  }
}

function typedWords(type: DataType, { buffer, length }: Int32Array): ArrayLike<unknown> {
  if (type instanceof Float64) return new Float64Array(buffer, 0, length / 2);
  return type instanceof Int64 ? new BigInt64Array(buffer, 0, length / 2) : new Int32Array(buffer, 0, length);
}

/** Texts and truth values, which are few. */
class ValueColumn implements GrowingColumn {
  readonly #values: unknown[] = [];
  readonly #type: DataType;
  readonly #missing: string | null;

  constructor(type: DataType, missing: string | null = null) {
    this.#type = type;
    this.#missing = missing;
  }

  append(chunk: DuckDBDataChunk, at: number, rows: Uint32Array): void {
    const vector = chunk.getColumnVector(at);
    for (const row of rows) this.#values.push(vector.getItem(row) ?? this.#missing);
  }

  build(): Data {
    return vectorFromArray(this.#values, this.#type).data[0]!;
  }
}

/** The remarks of points: most have none, which is the empty text. */
class RemarkColumn implements GrowingColumn {
  #length = 0;
  readonly #texts: { readonly row: number; readonly text: Uint8Array }[] = [];

  append(chunk: DuckDBDataChunk, at: number, rows: Uint32Array): void {
    const valid = validityBytes(rawVector<Int32Array>(chunk, at));
    const isEmpty = valid?.subarray(0, bitmapBytes(chunk.rowCount)).every((bits) => bits === 0) ?? false;
    const vector = chunk.getColumnVector(at);
    if (!isEmpty)
      for (let i = 0; i < rows.length; i++) {
        const text = vector.getItem(rows[i]!) as string | null;
        if (text !== null) this.#texts.push({ row: this.#length + i, text: ENCODER.encode(text) });
      }
    this.#length += rows.length;
  }

  build(): Data {
    const valueOffsets = new Int32Array(this.#length + 1);
    const data = new Uint8Array(this.#texts.reduce((sum, { text }) => sum + text.length, 0));
    let [end, next] = [0, 0];
    for (const { row, text } of this.#texts) {
      valueOffsets.fill(end, next, row + 1);
      data.set(text, end);
      end += text.length;
      next = row + 1;
    }
    valueOffsets.fill(end, next);
    return makeData({ type: new Utf8(), length: this.#length, valueOffsets, data });
  }
}

const ENCODER = new TextEncoder();

/** How the columns of a table are built. */
export type ColumnKind =
  | 'integer'
  | 'number'
  | 'value'
  | 'date'
  | 'date or none'
  | 'text'
  | 'truth'
  | 'remark';

/** The lower and the higher word of NaN, and of the least whole number of 64 bits. */
const NAN_WORDS = wordsOf(Float64Array.of(Number.NaN));
const NO_DATE_WORDS = wordsOf(BigInt64Array.of(-(2n ** 63n)));

/** An empty column. NULL stays NULL, but a `value` has NaN for it, and a `date or none` the least date. */
export function growingColumn(kind: ColumnKind): GrowingColumn {
  switch (kind) {
    case 'integer':
      return new WordColumn(new Int32(), { wide: false });
    case 'number':
      return new WordColumn(new Float64(), { wide: true });
    case 'value':
      return new WordColumn(new Float64(), { wide: true, missing: NAN_WORDS });
    case 'date':
      return new WordColumn(new Int64(), { wide: true });
    case 'date or none':
      return new WordColumn(new Int64(), { wide: true, missing: NO_DATE_WORDS });
    case 'text':
      return new ValueColumn(new Utf8());
    case 'truth':
      return new ValueColumn(new Bool());
    case 'remark':
      return new RemarkColumn();
  }
}
