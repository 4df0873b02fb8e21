import { ArgumentError } from '../../../model/errors.js';
import { damaged, type FlatTable } from './flatbuffer.js';
import type { IndexType } from './values.js';

/** The layout of a column's buffers (https://arrow.apache.org/docs/format/Columnar.html#buffer-listing-for-each-layout). */
export type IpcLayout =
  | { readonly kind: 'null' | 'struct' | 'view' | 'unknown' }
  | { readonly kind: 'fixed'; readonly bits: number }
  | { readonly kind: 'variable' | 'list'; readonly offsetBytes: 4 | 8 }
  | { readonly kind: 'fixed-list'; readonly size: number }
  | { readonly kind: 'union'; readonly dense: boolean };

/** A column of the schema; with a dictionary, `layout` and `children` are those of the dictionary's values. */
export interface IpcColumn {
  readonly name: string;
  readonly layout: IpcLayout;
  readonly children: readonly IpcColumn[];
  readonly dictionary: { readonly id: number; readonly layout: IpcLayout; readonly type: IndexType } | null;
}

export interface IpcSchema {
  /** The format's MetadataVersion: 4 is V5. */
  readonly version: number;
  readonly columns: readonly IpcColumn[];
  /** The column of each dictionary, by the id of the dictionary. */
  readonly dictionaries: ReadonlyMap<number, IpcColumn>;
  /** False when the layout of some type is unknown, so that buffers cannot be assigned to columns. */
  readonly known: boolean;
}

/** The default limit of Arrow's implementations. */
const MAX_NESTED = 64;

/**
 * Reads a Schema table and checks the bounds of every part.
 * Fields in the order of https://github.com/apache/arrow/blob/main/format/Schema.fbs
 * @throws ArgumentError when it breaks the format
 */
export function readIpcSchema(table: FlatTable, version: number): IpcSchema {
  if (table.int16(0) !== 0) {
    throw new ArgumentError(
      'bytes',
      'bytes: this Arrow IPC is big-endian, which is not supported; write it little-endian',
    );
  }
  const dictionaries = new Map<number, IpcColumn>();
  const state = { dictionaries, known: true };
  const columns = table.tables(1).map((field) => readField(field, state, 1));
  checkKeyValues(table, 2);
  return { version, columns, dictionaries, known: state.known };
}

/** Checks the bounds of the custom metadata of a schema, field or message. */
export function checkKeyValues(table: FlatTable, field: number): void {
  for (const pair of table.tables(field)) {
    pair.vector(0, 1);
    pair.vector(1, 1);
  }
}

interface SchemaState {
  readonly dictionaries: Map<number, IpcColumn>;
  known: boolean;
}

function readField(field: FlatTable, state: SchemaState, depth: number): IpcColumn {
  const name = field.text(0);
  if (depth > MAX_NESTED) throw damaged(`column "${name}" is nested more than ${MAX_NESTED} deep`);
  const encoding = field.table(4);
  const id = encoding?.int64(0) ?? 0;
  const first = encoding !== null && !state.dictionaries.has(id);
  const children = field.tables(5).map((child) => readField(child, state, depth + 1));
  const layout = readLayout(field, name);
  if (layout.kind === 'unknown') state.known = false;
  checkChildren(name, layout, children);
  checkKeyValues(field, 6);
  const dictionary = encoding === null ? null : { id, ...readIndices(encoding, name) };
  const column = { name, layout, children, dictionary };
  if (first) state.dictionaries.set(id, { ...column, dictionary: null });
  return column;
}

function checkChildren(name: string, layout: IpcLayout, children: readonly IpcColumn[]): void {
  const one = layout.kind === 'list' || layout.kind === 'fixed-list';
  if (one && children.length !== 1) {
    throw damaged(`list column "${name}" has ${children.length} types of element, not one`);
  }
}

/** The indices of a dictionary column: an Int table, or signed 32 bits. */
function readIndices(encoding: FlatTable, name: string): { layout: IpcLayout; type: IndexType } {
  const int = encoding.table(1);
  const bits = int === null ? 32 : oneOf(int.int32(0), [8, 16, 32, 64]);
  if (bits === undefined) throw unknownSize(name);
  return { layout: { kind: 'fixed', bits }, type: { bits, signed: int === null || int.uint8(1) !== 0 } };
}

function readLayout(field: FlatTable, name: string): IpcLayout {
  const type = field.uint8(2);
  if (type === 0) throw damaged(`column "${name}" has no type`);
  const layout = LAYOUTS[type];
  if (layout === undefined) return { kind: 'unknown' };
  const table = field.table(3);
  if (table === null) throw damaged(`column "${name}" lacks the details of its type`);
  return layout(table, name);
}

/** The layout of each type, by its number in the union Type of Schema.fbs. */
const LAYOUTS: Readonly<Record<number, (type: FlatTable, name: string) => IpcLayout>> = {
  1: () => ({ kind: 'null' }),
  2: (int, name) => fixed(name, oneOf(int.int32(0), [8, 16, 32, 64])),
  3: (float, name) => fixed(name, [16, 32, 64][float.int16(0)]),
  4: () => ({ kind: 'variable', offsetBytes: 4 }),
  5: () => ({ kind: 'variable', offsetBytes: 4 }),
  6: () => ({ kind: 'fixed', bits: 1 }),
  7: (decimal, name) => fixed(name, oneOf(decimal.int32(2, 128), [32, 64, 128, 256])),
  8: (date, name) => fixed(name, [32, 64][date.int16(0, 1)]),
  9: (time, name) => fixed(name, inUnits(time.int16(0, 1), oneOf(time.int32(1, 32), [32, 64]))),
  10: (timestamp, name) => {
    timestamp.vector(1, 1);
    return fixed(name, inUnits(timestamp.int16(0), 64));
  },
  11: (interval, name) => fixed(name, [32, 64, 128][interval.int16(0)]),
  12: () => ({ kind: 'list', offsetBytes: 4 }),
  13: () => ({ kind: 'struct' }),
  14: (union, name) => {
    const mode = union.int16(0);
    if (mode !== 0 && mode !== 1) throw unknownSize(name);
    return { kind: 'union', dense: mode === 1 };
  },
  15: (binary, name) => fixed(name, atLeastZero(binary.int32(0) * 8)),
  16: (list, name) => {
    const size = atLeastZero(list.int32(0));
    if (size === undefined) throw unknownSize(name);
    return { kind: 'fixed-list', size };
  },
  17: () => ({ kind: 'list', offsetBytes: 4 }),
  18: (duration, name) => fixed(name, inUnits(duration.int16(0, 1), 64)),
  19: () => ({ kind: 'variable', offsetBytes: 8 }),
  20: () => ({ kind: 'variable', offsetBytes: 8 }),
  21: () => ({ kind: 'list', offsetBytes: 8 }),
  23: () => ({ kind: 'view' }),
  24: () => ({ kind: 'view' }),
};

function fixed(name: string, bits: number | undefined): IpcLayout {
  if (bits === undefined) throw unknownSize(name);
  return { kind: 'fixed', bits };
}

const unknownSize = (name: string) =>
  damaged(`the type of column "${name}" has a width or unit that Arrow does not have`);

const oneOf = <Bits extends number>(bits: number, allowed: readonly Bits[]) =>
  allowed.find((one) => one === bits);

const atLeastZero = (size: number) => (size < 0 ? undefined : size);

/** Seconds, milliseconds, microseconds and nanoseconds are 0 to 3. */
const inUnits = (unit: number, bits: number | undefined) => (unit >= 0 && unit <= 3 ? bits : undefined);
