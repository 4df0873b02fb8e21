import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampMillisecond,
  Utf8,
  Utf8View,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromParquet } from '../../src/frame/formats/parquet/read-parquet.js';
import { fromArrow } from '../../src/frame/formats/read-arrow.js';
import { type Frame, frame } from '../../src/frame/frame.js';
import { agg } from '../../src/frame/groups/agg.js';
import { windows } from '../../src/frame/groups/windows.js';
import { ArgumentError } from '../../src/model/errors.js';
import { sql } from '../../src/sql.js';
import { countRuns } from '../endurance.js';
import { exactRows } from './exact-rows.js';

/** Values of a type. The first is what other software leaves in null rows. */
const numbers = [7, 0, -0, 1.5, -2.25, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
const texts = ['left over', '', 'a', 'é', 'null'];
const VALUES: readonly (readonly [DataType, readonly unknown[]])[] = [
  [new Float64(), numbers],
  [new Float32(), numbers],
  [new Int32(), [7, 0, -1, 2 ** 31 - 1]],
  [new Int64(), [7n, 0n, -1n, 2n ** 53n + 1n]],
  [new Bool(), [true, false]],
  [new DateDay(), [7, 0, -1, 20_000].map((day) => new Date(day * 86_400_000))],
  [new TimestampMillisecond('UTC'), [7, 0, -1].map((ms) => new Date(ms))],
  [new Utf8(), texts],
  [new Utf8View(), texts],
  [new Dictionary(new Utf8(), new Int32()), texts],
  [new Dictionary(new Float64(), new Int32()), numbers],
];

/** How the rows of a table are stored. */
interface Layout {
  /** The number of rows in each batch but the last. */
  readonly batches: readonly number[];
  /** The number of rows before those of a batch, and after them, from which the batch is cut. */
  readonly around: number;
  /** Whether null rows hold a value, and dictionaries values that no row has, or that are equal. */
  readonly isForeign: boolean;
}

const PLAIN: Layout = { batches: [], around: 0, isForeign: false };

function dataOf(type: DataType, cells: readonly unknown[], left: unknown): Data {
  const nullBitmap = new Uint8Array(cells.length + 8);
  for (const [row, cell] of cells.entries()) if (cell !== null) nullBitmap[row >> 3]! |= 1 << (row & 7);
  const rows = {
    type,
    length: cells.length,
    nullBitmap,
    nullCount: cells.filter((cell) => cell === null).length,
  };
  const stored = cells.map((cell) => cell ?? left);
  if (!(type instanceof Dictionary)) {
    const { values, valueOffsets, variadicBuffers } = vectorFromArray(stored, type).data[0]!;
    return makeData({ ...rows, data: values, views: values, variadicBuffers, valueOffsets } as never);
  }
  const dictionary = vectorFromArray([left, ...stored], type.dictionary);
  return makeData({ ...rows, data: Int32Array.from(cells, (_, row) => row + 1), dictionary } as never);
}

interface Column {
  readonly type: DataType;
  readonly values: readonly unknown[];
  readonly cells: readonly unknown[];
}

function tableOf(columns: readonly Column[], { batches, around, isForeign }: Layout): Frame {
  const schema = new Schema(columns.map(({ type }, at) => new Field('abci'[at]!, type, true)));
  const { length } = columns[0]!.cells;
  const ends = [...batches.map((rows, at) => batches.slice(0, at).reduce((a, b) => a + b, rows)), length];
  let from = 0;
  const parts = ends.map((end) => {
    const [first, last] = [from, Math.max(from, Math.min(end, length))];
    from = last;
    const children = columns.map(({ type, values, cells }) => {
      const others = Array.from({ length: around }, (_, row) => (row === 0 ? values[0] : null));
      const all = [...others, ...cells.slice(first, last), ...others];
      return dataOf(type, all, values[isForeign ? 0 : 1]).slice(around, last - first);
    });
    const struct = { type: new Struct(schema.fields), length: last - first, nullCount: 0, children };
    return new RecordBatch(schema, makeData(struct) as Data<Struct>);
  });
  return frame(new Table(schema, parts));
}

const VERBS: Readonly<Record<string, (table: Frame) => Table>> = {
  rows: (table) => table,
  sort: (table) => table.sortBy([{ column: 'a', descending: true }, 'b']),
  unique: (table) => table.unique('a', 'b'),
  counts: (table) => table.valueCounts('a'),
  ends: (table) =>
    table.groupBy('a').rollup({ k: agg.countDistinct('b'), first: agg.first('b'), last: agg.last('c') }),
  extremes: (table) => table.groupBy('a').rollup({ min: agg.min('b'), max: agg.max('b') }),
  means: (table) =>
    table.groupBy('a').rollup({ sum: agg.sum('b'), mean: agg.mean('b'), median: agg.median('b') }),
  pairs: (table) => table.rollup({ mean: agg.weightedMean('a', 'b'), corr: agg.corr('a', 'b') }),
  pivot: (table) => table.pivot({ rows: 'a', columns: 'b', values: 'c', how: 'last' }),
  unpivot: (table) => table.unpivot({ columns: ['a'] }),
  forward: (table) => table.fill(['a', 'b'], { how: 'forward' }),
  linear: (table) => table.fill('a', { how: 'linear' }),
  filter: (table) => table.filter(({ a }) => a !== null),
  compute: (table) => table.withColumn('z', ({ a }) => String(a)),
  rank: (table) => table.withColumn('z', windows.rank('a', { ties: 'average' })),
  lag: (table) => table.withColumn('z', windows.lag('a', { by: [{ column: 'b', descending: true }, 'i'] })),
  rolling: (table) => table.withColumn('z', windows.rolling(agg.max('a'), { window: { rows: 3 }, by: 'b' })),
  slice: (table) => table.slice(1, -1),
  describe: (table) => table.describe(),
  concat: (table) => table.concat(table.slice(1, 3)),
  join: (table) => table.join(table.rename({ b: 'd', c: 'e', i: 'j' }), { on: ['a'], how: 'outer' }),
  anti: (table) => table.join(table.slice(1, 4), { on: ['a', 'b'], how: 'anti' }),
};

/** The rows and typed arrays that an operation returns, or the message of the error that it throws. */
function outcome(run: () => Table): unknown {
  try {
    const table = run();
    const arrays = Object.values(frame(table).toColumns()).map(
      ({ type, values }) => type === 'float64' && [...values],
    );
    return [exactRows(table), arrays];
  } catch (error) {
    if (error instanceof ArgumentError) return error.message;
    throw error;
  }
}

const layouts = fc.record({
  batches: fc.array(fc.nat(5), { maxLength: 3 }),
  around: fc.constantFrom(0, 1, 9),
  isForeign: fc.constant(true),
});
const columns = fc.nat(12).chain((length) =>
  fc.tuple(
    ...[0, 1, 2].map(() =>
      fc.constantFrom(...VALUES).chain(([type, values]) =>
        fc
          .array(fc.option(fc.constantFrom(...values), { freq: 3 }), {
            minLength: length,
            maxLength: length,
          })
          .map((cells): Column => ({ type, values, cells })),
      ),
    ),
    fc.constant({ type: new Int32(), values: [7, 0], cells: Array.from({ length }, (_, row) => row) }),
  ),
);

test('every verb, file and query answers alike however a table is stored', async () => {
  await fc.assert(
    fc.asyncProperty(columns, layouts, async (given, layout) => {
      const [plain, stored] = [tableOf(given, PLAIN), tableOf(given, layout)];
      for (const [name, verb] of Object.entries(VERBS))
        expect([name, outcome(() => verb(stored))]).toEqual([name, outcome(() => verb(plain))]);
      const rows = exactRows(plain);
      expect(exactRows(fromArrow(stored.toArrow()))).toEqual(rows);
      expect(exactRows(await sql({ t: stored })`SELECT * FROM t`)).toEqual(rows);
      expect(exactRows(await fromParquet(await stored.toParquet()))).toEqual(rows);
    }),
    { numRuns: countRuns({ quick: 20, all: 1000 }) },
  );
}, 120_000);
