import {
  Binary,
  BinaryView,
  Bool,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  DurationMicrosecond,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Float32,
  Int8,
  Int16,
  Int32,
  Int64,
  LargeBinary,
  LargeUtf8,
  List,
  Map_,
  makeData,
  makeVector,
  Null,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimeMicrosecond,
  TimeMillisecond,
  TimestampMicrosecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint8,
  Uint64,
  Utf8,
  Utf8View,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { longFrame } from '../../../src/frame/build/long.js';
import type { Cell } from '../../../src/frame/table/cells.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../points.js';

const field = (name: string, type: DataType) => new Field(name, type, true);

/** A frame of cropframe: dictionaries, timestamps, nulls and provenance. */
export const ownFrame: Table = longFrame(
  {
    series: [seriesOf(), seriesOf({ region_id: 6 })],
    runs: runsOf(
      [0, 1, 2, 3, 4, 5].map((day) => ({
        series: day % 2,
        start: day * 86_400_000,
        end: day * 86_400_000,
        value: day === 3 ? null : day / 4,
        reporting: day === 4 ? null : 0,
      })),
    ),
  },
  { names: NAMES, provenance: PROVENANCE },
);

/** A column of a type. */
export interface Example {
  readonly vector: Vector;
  /** The first row and the third; the second is null. */
  readonly cells: readonly [Cell, Cell];
  /** The same as CSV, where the texts of the cells are not. */
  readonly csv?: readonly [string, string];
  /** What a query gives back, where it is written otherwise. */
  readonly asked?: readonly [Cell, Cell];
}

const list = <T extends DataType>(type: T) => new List(new Field('item', type, true));
const pair = new Struct([new Field('a', new Int64(), true), new Field('b', new Utf8(), true)]);

/** One chunk of a type of fixed width. */
function fixed(type: DataType, data: ArrayBufferView): Vector {
  return new Vector([
    makeData({ type, length: 3, nullCount: 1, nullBitmap: Uint8Array.of(0b101), data } as never),
  ]);
}

/** A short column of each type but for nulls alone, by name. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  bool: { vector: vectorFromArray([true, null, false], new Bool()), cells: [true, false] },
  int8: { vector: vectorFromArray([-1, null, 3], new Int8()), cells: [-1, 3] },
  int16: { vector: vectorFromArray([-300, null, 3], new Int16()), cells: [-300, 3] },
  uint8: { vector: vectorFromArray([255, null, 0], new Uint8()), cells: [255, 0] },
  int64: {
    vector: vectorFromArray([2n ** 53n + 1n, null, -5n], new Int64()),
    cells: [9007199254740993n, -5n],
  },
  uint64: {
    vector: vectorFromArray([2n ** 64n - 1n, null, 0n], new Uint64()),
    cells: [18446744073709551615n, 0n],
  },
  float16: { vector: vectorFromArray([0.5, null, -2], new Float16()), cells: [0.5, -2] },
  float32: { vector: vectorFromArray([0.5, null, -2], new Float32()), cells: [0.5, -2] },
  decimal128: {
    vector: fixed(new Decimal(2, 10, 128), Uint32Array.of(1234, 0, 0, 0, 0, 0, 0, 0, -5, -1, -1, -1)),
    cells: ['12.34', '-0.05'],
  },
  date: {
    vector: vectorFromArray([new Date(0), null, new Date(86_400_000)], new DateDay()),
    cells: ['1970-01-01T00:00:00.000Z', '1970-01-02T00:00:00.000Z'],
  },
  dateMs: {
    vector: fixed(new DateMillisecond(), BigInt64Array.of(0n, 0n, 86_400_000n)),
    cells: ['1970-01-01T00:00:00.000Z', '1970-01-02T00:00:00.000Z'],
  },
  timestampS: {
    vector: fixed(new TimestampSecond(), BigInt64Array.of(0n, 0n, -1n)),
    cells: ['1970-01-01T00:00:00.000Z', '1969-12-31T23:59:59.000Z'],
  },
  timestampUs: {
    vector: fixed(new TimestampMicrosecond('UTC'), BigInt64Array.of(1_577_934_245_123_456n, 0n, -1n)),
    cells: ['2020-01-02T03:04:05.123456Z', '1969-12-31T23:59:59.999999Z'],
  },
  timestampNs: {
    vector: fixed(new TimestampNanosecond(), BigInt64Array.of(1_577_934_245_123_456_789n, 0n, 0n)),
    cells: ['2020-01-02T03:04:05.123456789Z', '1970-01-01T00:00:00.000000000Z'],
  },
  time32: {
    vector: vectorFromArray([3_661_007, null, 0], new TimeMillisecond()),
    cells: ['01:01:01.007', '00:00:00.000'],
    asked: ['01:01:01.007000', '00:00:00.000000'],
  },
  time64: {
    vector: fixed(new TimeMicrosecond(), BigInt64Array.of(45_296_789_000n, 0n, 1n)),
    cells: ['12:34:56.789000', '00:00:00.000001'],
  },
  duration: {
    vector: fixed(new DurationMicrosecond(), BigInt64Array.of(1_500_000n, 0n, -1n)),
    cells: ['PT1.5S', '-PT0.000001S'],
  },
  binary: {
    vector: vectorFromArray([Uint8Array.of(1, 2), null, Uint8Array.of(255)], new Binary()),
    cells: [Uint8Array.of(1, 2), Uint8Array.of(255)],
    csv: ['AQI=', '/w=='],
  },
  largeBinary: {
    vector: vectorFromArray([Uint8Array.of(1, 2), null, Uint8Array.of(255)], new LargeBinary()),
    cells: [Uint8Array.of(1, 2), Uint8Array.of(255)],
    csv: ['AQI=', '/w=='],
  },
  binaryView: {
    vector: vectorFromArray([Uint8Array.of(1, 2), null, new Uint8Array(20)], new BinaryView()),
    cells: [Uint8Array.of(1, 2), new Uint8Array(20)],
    csv: ['AQI=', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='],
  },
  fixedBinary: {
    vector: vectorFromArray([Uint8Array.of(1, 2), null, Uint8Array.of(3, 4)], new FixedSizeBinary(2)),
    cells: [Uint8Array.of(1, 2), Uint8Array.of(3, 4)],
    csv: ['AQI=', 'AwQ='],
  },
  largeText: { vector: vectorFromArray(['ß', null, 'x'], new LargeUtf8()), cells: ['ß', 'x'] },
  textView: {
    vector: vectorFromArray(['ß', null, 'longer than twelve bytes'], new Utf8View()),
    cells: ['ß', 'longer than twelve bytes'],
  },
  dictionaryOfInts: {
    vector: vectorFromArray([7n, null, 9n], new Dictionary(new Int64(), new Int32())),
    cells: [7n, 9n],
  },
  list: { vector: vectorFromArray([[1n, null], null, []], list(new Int64())), cells: [[1n, null], []] },
  fixedList: {
    vector: vectorFromArray(
      [[1, 2], null, [3, null]],
      new FixedSizeList(2, new Field('item', new Int32(), true)),
    ),
    cells: [
      [1, 2],
      [3, null],
    ],
  },
  struct: {
    vector: vectorFromArray([{ a: 1n, b: 'x' }, null, { a: null, b: 'y' }], pair),
    cells: [
      { a: 1n, b: 'x' },
      { a: null, b: 'y' },
    ],
  },
  listOfStructs: {
    vector: vectorFromArray([[{ a: 1n, b: 'x' }], null, []], list(pair)),
    cells: [[{ a: 1n, b: 'x' }], []],
  },
  map: {
    vector: vectorFromArray(
      [new Map([['k', 1]]), null, new Map()],
      new Map_(
        new Field(
          'entries',
          new Struct([new Field('key', new Utf8(), false), new Field('value', new Int32(), true)]),
          false,
        ) as never,
      ),
    ),
    cells: [[['k', 1]], []],
    asked: ['[["k",1]]', '[]'],
  },
};

const vectors = Object.entries(EXAMPLES).map(([name, { vector }]) => [name, vector] as const);

const COLUMNS: Readonly<Record<string, Vector>> = {
  ...Object.fromEntries(vectors),
  text: vectorFromArray(['', null, 'ß text'], new Utf8()),
  dictionary: vectorFromArray(['x', null, 'y'], new Dictionary(new Utf8(), new Int16())),
  nulls: makeVector(makeData({ type: new Null(), length: 3 })),
};

/** A table with every type but for unions and intervals. */
export const everyType = new Table(COLUMNS);

/** Without views: Arrow's slices of views lose long texts. */
const NAMES_OF_SLICEABLE = Object.keys(COLUMNS).filter((name) => !name.endsWith('View'));

/** Batches with a dictionary each: the second extends the first or replaces it. */
export function dictionaryBatches(change: 'delta' | 'replacement'): Table {
  const [one, two] = [['a', 'b'], ['c']].map((words) => vectorFromArray(words, new Utf8()));
  const type = new Dictionary(new Utf8(), new Int32(), 77);
  const schema = new Schema([field('word', type)]);
  const batch = (indices: number[], dictionary: Vector<Utf8>) => {
    const child = makeData({ type, length: indices.length, data: Int32Array.from(indices), dictionary });
    return new RecordBatch(
      schema,
      makeData({ type: new Struct(schema.fields), length: indices.length, children: [child] }),
    );
  };
  const second = change === 'delta' ? batch([0, 2], one!.concat(two!)) : batch([0, 0], two!);
  return new Table(schema, [batch([0, 1], one!), second]);
}

/** Tables that every Arrow reader reads, by their special feature. */
export const TABLES: Readonly<Record<string, Table>> = {
  'a frame of ours': ownFrame,
  'every type': everyType,
  'every type in several batches': everyType.concat(everyType).concat(everyType),
  'nearly every type, sliced': everyType.select(NAMES_OF_SLICEABLE).slice(1, 3),
  'no rows': everyType.slice(0, 0),
  'no batches': new Table(everyType.schema, []),
  'a growing dictionary': dictionaryBatches('delta'),
  metadata: new Table(
    new Schema(
      [new Field('a', new Int32(), true, new Map([['unit', 'ha']]))],
      new Map([['', 'x'.repeat(5000)]]),
    ),
    [new RecordBatch({ a: vectorFromArray([1, 2, 3], new Int32()).data[0]! })],
  ),
};

/** The rows of a table as text, whatever their types. */
export function rowTexts(table: Table): string[] {
  return table
    .toArray()
    .map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)));
}
