import { describe, expect, it } from 'vitest';
import { checkIpcBatch } from '../../../../src/frame/formats/ipc/check.js';
import { Flatbuffer } from '../../../../src/frame/formats/ipc/flatbuffer.js';
import type { IpcColumn, IpcLayout } from '../../../../src/frame/formats/ipc/schema.js';
import { flatTable, START } from './flat-table.js';
import { refusalOf } from './refusal.js';

/** The rows of a column, and how many of them are null. */
type Node = readonly [length: number, nullCount: number];

const V4 = 3;
const V5 = 4;

interface Batch {
  nodes: readonly Node[];
  buffers?: readonly Uint8Array[] | undefined;
  /** How many buffers of long values each column of views has. */
  variadics?: readonly number[] | undefined;
  rows?: number | undefined;
  dictionaries?: ReadonlyMap<number, number> | undefined;
  known?: boolean | undefined;
  /** The versions of the message and of its schema. */
  versions?: readonly [number, number] | undefined;
}

/** Checks a batch of these columns, written as its format has it. */
function check(columns: readonly IpcColumn[], batch: Batch): number[] {
  const { nodes, buffers = [], variadics, versions = [V5, V5], known = true } = batch;
  const body = Buffer.concat(buffers.map((buffer) => Buffer.concat([buffer, new Uint8Array(pad(buffer))])));
  let at = 0;
  const entries = buffers.flatMap((buffer) => {
    const entry = [at, buffer.length];
    at += buffer.length + pad(buffer);
    return entry;
  });
  const metadata = flatTable([
    { width: 8, value: 0 },
    { words: nodes.flat(), each: 2 },
    { words: entries, each: 2 },
    null,
    variadics === undefined ? null : { words: variadics, each: 1 },
  ]);
  const view = new DataView(new Uint8Array(Buffer.concat([metadata, body])).buffer);
  const { rows, dictionaries } = batch;
  return checkIpcBatch(new Flatbuffer(view, START, metadata.length).root(), columns, {
    body: { view, at: metadata.length, length: body.length, version: versions[0] },
    schema: { version: versions[1], columns, dictionaries: new Map(), known },
    rows,
    dictionaries,
  });
}

const refusal = (columns: readonly IpcColumn[], batch: Batch) => refusalOf(() => check(columns, batch));

const pad = (buffer: Uint8Array) => (8 - (buffer.length % 8)) % 8;

const column = (layout: IpcLayout, ...children: IpcColumn[]): IpcColumn => ({
  name: 'a',
  layout,
  children,
  dictionary: null,
});
const indexed = (bits: 32 | 64): IpcColumn => ({
  ...column({ kind: 'variable', offsetBytes: 4 }),
  dictionary: { id: 7, layout: { kind: 'fixed', bits }, type: { bits, signed: true } },
});
const ints = column({ kind: 'fixed', bits: 32 });
const texts = column({ kind: 'variable', offsetBytes: 4 });
const views = column({ kind: 'view' });
const lists = column({ kind: 'list', offsetBytes: 4 }, { ...ints, name: 'item' });
const union = (dense: boolean, ...children: IpcColumn[]) => column({ kind: 'union', dense }, ...children);

const int32s = (...values: number[]) => new Uint8Array(Int32Array.from(values).buffer);
const int64s = (...values: number[]) => new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
const none = new Uint8Array(0);
const bytes = (...values: number[]) => Uint8Array.from(values);
describe('the columns of a batch', () => {
  it('have a length each, and none where a type is unknown', () => {
    const batch = { nodes: [[2, 0]], buffers: [none, int32s(5, 6)], rows: 2 } as const;
    expect(check([ints], batch)).toEqual([2]);
    expect(check([ints], { ...batch, known: false })).toEqual([]);
  });

  it('are all of those that are there', () => {
    const buffers = [none, int32s(5, 6)];
    const more = 'a batch has more columns or buffers than the schema';
    expect(refusal([ints], { nodes: [[2, 0]], buffers })).toBe('fine');
    expect(
      refusal([ints], {
        nodes: [
          [2, 0],
          [2, 0],
        ],
        buffers,
      }),
    ).toContain(more);
    expect(refusal([ints], { nodes: [[2, 0]], buffers: [...buffers, none] })).toContain(more);
    expect(refusal([ints], { nodes: [], buffers })).toContain('a batch lacks column "a"');
    expect(refusal([ints], { nodes: [[2, 0]], buffers: [none] })).toContain(
      'a batch lacks a buffer of column "a"',
    );
  });
});

describe('a dictionary column', () => {
  const batch = (...indices: number[]): Batch => ({
    nodes: [[indices.length, 0]],
    buffers: [none, int64s(...indices)],
  });

  it('refers to entries, where they are known', () => {
    const dictionaries = new Map([[7, 2]]);
    expect(refusal([indexed(64)], { ...batch(0, 1), dictionaries })).toBe('fine');
    expect(refusal([indexed(64)], { ...batch(0, 2), dictionaries })).toContain(
      'row 1 of column "a" is entry 2 of a dictionary that has 2',
    );
    expect(refusal([indexed(64)], { ...batch(0), dictionaries: new Map() })).toContain(
      'the dictionary of column "a" is missing',
    );
  });

  it('within a dictionary is not compared with others', () => {
    expect(refusal([indexed(64)], batch(0, -1))).toBe('fine');
  });
});

describe('a column of texts', () => {
  it('has an offset more than values', () => {
    const batch = (...offsets: number[]): Batch => ({
      nodes: [[2, 0]],
      buffers: [none, int32s(...offsets), bytes(97, 98, 99)],
    });
    expect(refusal([texts], batch(0, 1, 3))).toBe('fine');
    expect(refusal([texts], batch(0, 1))).toContain(
      'a buffer of column "a" has 8 bytes where its rows need 12',
    );
    expect(refusal([texts], batch(0, 1, 4))).toContain('the values of column "a" reach past their end');
  });

  it('needs none where every row is null', () => {
    expect(refusal([texts], { nodes: [[2, 2]], buffers: [bytes(0), none, none] })).toBe('fine');
  });

  it('may have offsets for its values alone, which are then not compared', () => {
    const after = int32s(-1, -1);
    const batch = (...offsets: number[]): Batch => ({
      nodes: [[3, 2]],
      buffers: [bytes(0b001), int32s(...offsets), after],
    });
    expect(refusal([texts], batch(0, 1))).toBe('fine');
    expect(refusal([texts], batch(0))).toContain('has 4 bytes where its rows need 8');
    expect(refusal([texts], batch(0, 1, 0, 0))).toContain('value 2 of column "a" begins before');
  });
});

describe('a column of views', () => {
  const short = int32s(1, 97, 0, 0);
  const long = (buffer: number) => int32s(13, 0, buffer, 0);
  const texts13 = new Uint8Array(13);

  it('has 16 bytes for each value', () => {
    expect(refusal([views], { nodes: [[1, 0]], buffers: [none, short] })).toBe('fine');
    expect(refusal([views], { nodes: [[2, 0]], buffers: [none, short] })).toContain(
      'a buffer of column "a" has 16 bytes where its rows need 32',
    );
  });

  it('has as many buffers of long values as the batch says', () => {
    const nodes: Node[] = [
      [1, 0],
      [1, 0],
      [1, 0],
    ];
    const buffers = [none, long(1), texts13, texts13, none, short, none, long(0), texts13];
    const three = [views, views, views];
    expect(refusal(three, { nodes, buffers, variadics: [2, 0, 1] })).toBe('fine');
    expect(refusal(three, { nodes, buffers, variadics: [2, 0, 2] })).toContain('lacks a buffer');
    expect(refusal([views], { nodes: [[1, 0]], buffers: [none, short], variadics: [-1] })).toContain(
      'column "a" has -1 buffers of long values',
    );
  });
});

describe('a column of lists', () => {
  it('needs no offset where it has no rows', () => {
    const nodes: Node[] = [
      [0, 0],
      [0, 0],
    ];
    expect(refusal([lists], { nodes, buffers: [none, none, none, none] })).toBe('fine');
  });
});

describe('a union column', () => {
  const nodes: Node[] = [
    [2, 0],
    [2, 0],
    [1, 0],
  ];
  const values = [none, int32s(5, 6), none, int32s(7)];
  const dense = (rows: Uint8Array, offsets = int32s(1, 0)) =>
    refusal([union(true, ints, ints)], { nodes, buffers: [rows, offsets, ...values] });

  it('has an offset for each row where it is dense', () => {
    expect(dense(bytes(0, 1), int32s(1))).toContain(
      'a buffer of column "a" has 4 bytes where its rows need 8',
    );
    expect(dense(bytes(0))).toContain('a buffer of column "a" has 1 bytes where its rows need 2');
  });

  it('is of the format since Arrow 1.0, by its message and its schema', () => {
    const sparse = (...versions: [number, number]) =>
      refusal([union(false, ints)], {
        nodes: [
          [2, 0],
          [2, 0],
        ],
        buffers: [bytes(0, 0), none, int32s(5, 6)],
        versions,
      });
    expect(sparse(V5, V5)).toBe('fine');
    const older: [number, number][] = [
      [V4, V5],
      [V5, V4],
      [V4, V4],
    ];
    for (const versions of older) expect(sparse(...versions)).toContain('is in the format before Arrow 1.0');
  });
});
