import { sha256 } from '@noble/hashes/sha2.js';
import type { Table } from 'apache-arrow';
import { DataType, Dictionary, type Field, Schema } from 'apache-arrow';
import { bitmapBytes, clearBit, isValid } from '../../columns/bitmap.js';
import { cellJson, cellReader } from './cells.js';
import { type AnyColumn, type FrameColumn, readColumns, textAt } from './columns.js';
import { createRecordBatch, createTable } from './frame-table.js';

import { CHECKSUM_KEY, withMetadata } from './provenance.js';

/**
 * Computes a frame's checksum, in the form `sha256:…`. For each column in order, it covers the name, the type, the row
 * count, the positions of nulls, and the values (dates, Int32 and Float64 in little-endian order, all others as JSON in
 * UTF-8). It does not depend on batches, dictionary order or metadata, so it is the same for Arrow and Parquet.
 */
export function frameChecksum(table: Table): string {
  const hash = createSha256();
  for (const { field, column } of readColumns(table)) {
    const type = column.type === 'dictionary' ? 'utf8' : column.type;
    hash.update(JSON.stringify([field.name, type, table.numRows]));
    if (column.valid !== null) hash.update(trimBitmap(column.valid, table.numRows));
    hashValues(hash, column, table.numRows);
  }
  return `sha256:${hash.digest('hex')}`;
}

interface Sha256 {
  update(piece: Uint8Array | string): unknown;
  digest(form: 'hex'): string;
}

// Node's hash function is ten times as fast as one in JavaScript, and Web Crypto cannot hash data in chunks.
function createSha256(): Sha256 {
  const { process } = globalThis as { process?: { getBuiltinModule?: (id: string) => object | undefined } };
  const crypto = process?.getBuiltinModule?.('node:crypto') as
    | { createHash(name: 'sha256'): Sha256 }
    | undefined;
  if (crypto !== undefined) return crypto.createHash('sha256');
  const hash = sha256.create();
  return {
    update: (piece) => hash.update(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece),
    digest: () => Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}

export function withChecksum(table: Table): Table {
  const metadata = new Map(table.schema.metadata).set(CHECKSUM_KEY, frameChecksum(table));
  return numberDictionaries(withMetadata(table, metadata));
}

function hashValues(hash: Sha256, column: AnyColumn, length: number): void {
  if (column.type === 'other') {
    const cell = cellReader(column.values);
    for (let row = 0; row < length; row++) hash.update(cellJson(cell(row)));
    return;
  }
  if (column.type === 'utf8' || column.type === 'dictionary') {
    hashTexts(hash, column, length);
    return;
  }
  const { values, valid } = column;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  hash.update(valid === null ? bytes : withoutNulls(bytes, valid, values.BYTES_PER_ELEMENT));
}

function withoutNulls(bytes: Uint8Array, valid: Uint8Array, width: number): Uint8Array {
  const cleared = bytes.slice();
  for (let i = 0; i < cleared.length / width; i++) {
    if (!isValid(valid, i)) cleared.fill(0, i * width, (i + 1) * width);
  }
  return cleared;
}

type Texts = Extract<FrameColumn, { type: 'utf8' | 'dictionary' }>;

const ROWS_PER_UPDATE = 65_536;

function hashTexts(hash: Sha256, column: Texts, length: number): void {
  for (let from = 0; from < length; from += ROWS_PER_UPDATE) {
    const texts: (string | null)[] = [];
    for (let i = from; i < Math.min(length, from + ROWS_PER_UPDATE); i++) texts.push(textAt(column, i));
    hash.update(JSON.stringify(texts));
  }
}

function trimBitmap(bitmap: Uint8Array, length: number): Uint8Array {
  const trimmed = bitmap.slice(0, bitmapBytes(length));
  for (let i = length; i < trimmed.length * 8; i++) clearBit(trimmed, i);
  return trimmed;
}

/** Sets dictionary ids to column positions. Arrow's ids count up across tables, so equal frames' files would differ. */
function numberDictionaries(table: Table): Table {
  // Dictionaries in nested columns may already have ids that equal column positions.
  if (
    table.schema.dictionaries.size >
    table.schema.fields.filter(({ type }) => DataType.isDictionary(type)).length
  )
    return table;
  const fields = table.schema.fields.map(numberedField);
  const schema = new Schema(fields, table.schema.metadata);
  const batches = table.batches.map(({ data }) => {
    const children = data.children.map((child, at) =>
      DataType.isDictionary(child.type) ? child.clone(fields[at]!.type) : child,
    );
    return createRecordBatch(schema, children, data.length);
  });
  return createTable(schema, batches);
}

function numberedField(field: Field, at: number): Field {
  if (!DataType.isDictionary(field.type)) return field;
  const { dictionary, indices, isOrdered } = field.type;
  return field.clone({ type: new Dictionary(dictionary, indices, at, isOrdered) });
}
