import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  DenseUnion,
  Dictionary,
  DurationSecond,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  IntervalYearMonth,
  LargeUtf8,
  List,
  Map_,
  makeData,
  makeVector,
  Null,
  RecordBatch,
  Schema,
  SparseUnion,
  Struct,
  Table,
  TimeMillisecond,
  TimestampMillisecond,
  Utf8,
  Utf8View,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { longFrame } from '../../../src/frame/build/long.js';
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

const fieldA: Field = field('a', new Int32());
const fieldB: Field = field('b', new Utf8());

const [unionInts, unionTexts] = [
  [1, 2, 3],
  ['x', 'y', 'z'],
].map(
  (values) =>
    vectorFromArray<DataType>(values, typeof values[0] === 'number' ? new Int32() : new Utf8()).data[0]!,
);

/** A short column of each type, by name. */
const COLUMNS: Readonly<Record<string, Vector>> = {
  int8: vectorFromArray([1, null, -3], new Int8()),
  int64: vectorFromArray([1n, null, -(2n ** 40n)], new Int64()),
  float32: vectorFromArray([0.5, null, -1], new Float32()),
  bool: vectorFromArray([true, null, false], new Bool()),
  text: vectorFromArray(['', null, 'ß text'], new Utf8()),
  largeText: vectorFromArray(['', null, 'ß text'], new LargeUtf8()),
  textView: vectorFromArray(['', null, 'a text longer than twelve bytes'], new Utf8View()),
  binary: vectorFromArray([new Uint8Array(0), null, Uint8Array.of(1, 2)], new Binary()),
  fixedBinary: vectorFromArray([Uint8Array.of(1, 2), null, Uint8Array.of(3, 4)], new FixedSizeBinary(2)),
  decimal: makeVector(
    makeData({ type: new Decimal(2, 10, 128), data: Uint32Array.from({ length: 12 }, (_, i) => i) }),
  ),
  date: vectorFromArray([new Date(0), null, new Date(86_400_000)], new DateDay()),
  time: vectorFromArray([1, null, 3], new TimeMillisecond()),
  timestamp: vectorFromArray([new Date(0), null, new Date(7)], new TimestampMillisecond('UTC')),
  interval: makeVector(makeData({ type: new IntervalYearMonth(), data: Int32Array.of(1, 2, 3) })),
  duration: vectorFromArray([1n, null, 3n], new DurationSecond()),
  nulls: makeVector(makeData({ type: new Null(), length: 3 })),
  list: vectorFromArray([[1, 2], null, []], new List(field('item', new Int32()))),
  struct: vectorFromArray([{ a: 1, b: 'x' }, null, { a: 3, b: null }], new Struct([fieldA, fieldB])),
  listOfStructs: vectorFromArray(
    [[{ a: 1, b: 'x' }], [], null],
    new List(field('item', new Struct([fieldA, fieldB]))),
  ),
  fixedList: vectorFromArray([[1, 2], null, [5, 6]], new FixedSizeList(2, field('item', new Float64()))),
  map: vectorFromArray(
    [new Map([['k', 1]]), null, new Map()],
    new Map_(
      new Field(
        'entries',
        new Struct<{ key: Utf8; value: Int32 }>([
          new Field('key', new Utf8(), false),
          new Field('value', new Int32(), true),
        ]),
        false,
      ),
    ),
  ),
  sparseUnion: makeVector(
    makeData({
      type: new SparseUnion([0, 1], [fieldA, fieldB]),
      typeIds: Int8Array.of(0, 1, 0),
      children: [unionInts!, unionTexts!],
    }),
  ),
  denseUnion: makeVector(
    makeData({
      type: new DenseUnion([0, 1], [fieldA, fieldB]),
      typeIds: Int8Array.of(0, 1, 1),
      valueOffsets: Int32Array.of(0, 0, 1),
      children: [unionInts!, unionTexts!],
    }),
  ),
  dictionary: vectorFromArray(['x', null, 'y'], new Dictionary(new Utf8(), new Int16())),
};

/** A table with every type. */
export const everyType = new Table(COLUMNS);

/** Without views: Arrow's slices of views lose long texts. */
const NAMES_OF_SLICEABLE = Object.keys(COLUMNS).filter((name) => name !== 'textView');

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
    [new RecordBatch({ a: unionInts! as never })],
  ),
};

/** The rows of a table as text, whatever their types. */
export function rowTexts(table: Table): string[] {
  return table
    .toArray()
    .map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)));
}
