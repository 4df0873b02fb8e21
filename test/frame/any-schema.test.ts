import {
  Binary,
  Bool,
  type Data,
  DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  DenseUnion,
  Dictionary,
  Duration,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int8,
  Int32,
  Int64,
  IntervalDayTime,
  IntervalYearMonth,
  LargeUtf8,
  List,
  Map_,
  makeData,
  Null,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Time,
  Timestamp,
  TimeUnit,
  Uint16,
  Uint64,
  Utf8,
  Utf8View,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { danfoFrame } from '../../src/frame/formats/danfo.js';
import { fromParquet } from '../../src/frame/formats/parquet/read-parquet.js';
import { fromArrow } from '../../src/frame/formats/read-arrow.js';
import { filePieces } from '../../src/frame/formats/write-frame.js';
import { frame } from '../../src/frame/frame.js';
import { agg } from '../../src/frame/groups/agg.js';
import { windows } from '../../src/frame/groups/windows.js';
import { fill } from '../../src/frame/verbs/fill.js';
import { groupBy, rollup, withComputed } from '../../src/frame/verbs/group-by.js';
import { pivot, unpivot } from '../../src/frame/verbs/pivot.js';
import { unique, valueCounts } from '../../src/frame/verbs/rows.js';
import { ArgumentError } from '../../src/model/errors.js';
import { countRuns } from '../endurance.js';
import { exactRows } from './exact-rows.js';

const UNITS = [TimeUnit.SECOND, TimeUnit.MILLISECOND, TimeUnit.MICROSECOND, TimeUnit.NANOSECOND];
const TIMES = UNITS.flatMap((unit) => [
  ...[undefined, 'UTC', 'Europe/Berlin'].map((zone) => new Timestamp(unit, zone)),
  new Duration(unit),
  new Time(unit as TimeUnit.SECOND, (unit <= TimeUnit.MILLISECOND ? 32 : 64) as 32),
]);
const TEXTS = ['', 'a', 'ß', 'a text that no view holds within', '1'];

const anyLeaf: fc.Arbitrary<DataType> = fc.constantFrom<DataType>(
  ...[new Bool(), new Int8(), new Int32(), new Int64(), new Uint16(), new Uint64()],
  ...[new Float16(), new Float32(), new Float64(), new Decimal(2, 20, 128), new Null()],
  ...[new Utf8(), new LargeUtf8(), new Utf8View(), new Binary(), new FixedSizeBinary(3)],
  ...[new DateDay(), new DateMillisecond(), new IntervalDayTime(), new IntervalYearMonth()],
  ...TIMES,
);

const nullable = (name: string, type: DataType) => new Field(name, type, true);
const { anyType } = fc.letrec<{ anyType: DataType }>((tie) => ({
  anyType: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: anyLeaf, weight: 3 },
    {
      arbitrary: fc
        .tuple(anyLeaf, fc.constantFrom(new Int8(), new Int32(), new Uint16()))
        .map(([type, index]) => new Dictionary(type, index)),
      weight: 1,
    },
    { arbitrary: tie('anyType').map((type) => new List(nullable('item', type))), weight: 1 },
    { arbitrary: tie('anyType').map((type) => new FixedSizeList(2, nullable('item', type))), weight: 1 },
    {
      arbitrary: fc
        .array(tie('anyType'), { minLength: 1, maxLength: 2 })
        .map((types) => new Struct(types.map((type, at) => nullable(`f${at}`, type)))),
      weight: 1,
    },
    {
      arbitrary: tie('anyType').map((type) => {
        const entries = new Struct([new Field('key', new Utf8(), false), nullable('value', type)]);
        return new Map_(new Field('entries', entries, false) as never);
      }),
      weight: 1,
    },
    {
      arbitrary: tie('anyType').map(
        (type) => new DenseUnion([0, 1], [nullable('a', type), nullable('b', new Utf8())]),
      ),
      weight: 1,
    },
  ),
}));

/** A chunk of a type; every third row is null where the type has nulls. */
function chunkOf(type: DataType, length: number, seed: number): Data {
  const numbers = Array.from({ length: length + 1 }, (_, row) => (seed * 7 + row * 13) % 100);
  const valid = numbers.slice(0, length).map((_, row) => (row + seed) % 3 !== 0);
  const nullBitmap = new Uint8Array(Math.ceil(length / 8) + 8);
  valid.forEach((is, row) => {
    if (is) nullBitmap[row >> 3]! |= 1 << (row & 7);
  });
  const base = { type, length, nullBitmap, nullCount: valid.filter((is) => !is).length };
  const made = (parts: object) => makeData({ ...base, ...parts } as never) as Data;
  if (DataType.isNull(type)) return makeData({ type, length });
  const isText = DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
  if (isText || DataType.isBinary(type)) {
    const texts = numbers.slice(0, length).map((number, row) => {
      const text = TEXTS[number % TEXTS.length]!;
      return !valid[row] ? null : isText ? text : new TextEncoder().encode(text);
    });
    return vectorFromArray(texts, type as Utf8).data[0]!;
  }
  if (DataType.isBool(type)) return made({ data: Uint8Array.from(nullBitmap, (byte) => byte ^ seed) });
  if (DataType.isDictionary(type)) {
    const dictionary = new Vector([chunkOf(type.dictionary, 4, seed)]);
    const Codes = type.indices.ArrayType as Int32ArrayConstructor;
    return made({ data: Codes.from(numbers.slice(0, length), (number) => number % 4), dictionary });
  }
  const ends = Int32Array.from(numbers, (_, row) => row * (seed % 3));
  const child = (count: number) => chunkOf(type.children[0]!.type, count, seed + 1);
  if (DataType.isList(type)) return made({ valueOffsets: ends, child: child(ends.at(-1)!) });
  if (DataType.isMap(type)) {
    const count = ends.at(-1)!;
    const entries = type.children[0]!.type as Struct;
    const keys = vectorFromArray(Array.from({ length: count }, String), new Utf8()).data[0]!;
    const children = [keys, chunkOf(entries.children[1]!.type, count, seed + 1)];
    return made({
      valueOffsets: ends,
      child: makeData({ type: entries, length: count, nullCount: 0, children }),
    });
  }
  if (DataType.isFixedSizeList(type)) return made({ child: child(length * 2) });
  if (DataType.isStruct(type))
    return made({ children: type.children.map((part, at) => chunkOf(part.type, length, seed + at)) });
  if (DataType.isUnion(type))
    return makeData({
      type,
      length,
      typeIds: Int8Array.from(numbers.slice(0, length), (number) => number % 2),
      valueOffsets: Int32Array.from({ length }, (_, row) => row),
      children: type.children.map((part) => chunkOf(part.type, length, seed + 1)),
    } as never) as Data;
  const Kind = type.ArrayType as Int32ArrayConstructor | BigInt64ArrayConstructor;
  const stride = DataType.isFixedSizeBinary(type)
    ? type.byteWidth
    : DataType.isDecimal(type)
      ? 4
      : DataType.isInterval(type)
        ? type.unit === 1
          ? 2
          : 1
        : 1;
  const data = new Kind(length * stride);
  const isWide = data instanceof BigInt64Array || (data as unknown) instanceof BigUint64Array;
  for (let at = 0; at < data.length; at++) {
    const number = numbers[Math.floor(at / stride)]!;
    data[at] = (isWide ? BigInt(number) * (number % 2 === 0 ? 1n : 86_400_000n) : number) as never;
  }
  if (isWide && data.length > 0 && DataType.isInt(type)) data[0] = (2n ** 53n + 1n) as never;
  return made({ data });
}

const LAYOUTS = [[], [0], [1], [4], [2, 0, 3]];
const anyTable = fc
  .record({
    types: fc.array(anyType, { minLength: 1, maxLength: 3 }),
    lengths: fc.constantFrom(...LAYOUTS),
    seed: fc.nat(50),
  })
  .map(({ types, lengths, seed }) => {
    const all = [new Int32(), ...types];
    const schema = new Schema(all.map((type, at) => nullable(at === 0 ? 'key' : `c${at}`, type)));
    const batches = lengths.map((length, at) => {
      const children = all.map((type, column) => chunkOf(type, length, seed + at + column));
      return new RecordBatch(
        schema,
        makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }),
      );
    });
    return new Table(schema, batches);
  });

/** The rows; the digits of a time below the millisecond depend on the other times of its column. */
function toRows(table: Table): Record<string, unknown>[] {
  const text = JSON.stringify(exactRows(table), (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
  return JSON.parse(text.replace(/(\.\d{3})0+Z/g, '$1Z'));
}

/** Runs a verb; an ArgumentError is an answer, and any other error fails. */
async function outcome<Result>(name: string, run: () => Result): Promise<Awaited<Result> | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ArgumentError) return undefined;
    throw new Error(`${name}: ${String(error)}`, { cause: error });
  }
}

class DataFrame {
  constructor(readonly rows: unknown[][]) {}
}

test('every verb and writer takes a table of any schema with any rows, or refuses it by an ArgumentError', async () => {
  await fc.assert(
    fc.asyncProperty(anyTable, async (table) => {
      const rows = toRows(table);
      const names = table.schema.fields.map(({ name }) => name);
      expect(toRows(frame(table).head(2))).toEqual(rows.slice(0, 2));
      expect(toRows(frame(table).head(0))).toEqual([]);
      expect(frame(table).sample(2).numRows).toBe(Math.min(2, rows.length));
      expect(toRows(frame(table).filter(() => true))).toEqual(rows);
      const none = frame(table).filter(() => false);
      expect(toRows(none)).toEqual([]);
      for (const one of [table, none, frame(table).head(1)]) {
        const own = toRows(one);
        expect(toRows(frame(one).concat(table))).toEqual([...own, ...rows]);
        expect(toRows(frame(table).concat(one))).toEqual([...rows, ...own]);
        expect(toRows(frame(one).select(names.slice(1).reverse()))).toEqual(
          own.map((row) =>
            Object.fromEntries(
              names
                .slice(1)
                .reverse()
                .map((name) => [name, row[name]]),
            ),
          ),
        );
        expect(frame(one).rename({ key: 'k' }).numRows).toBe(own.length);
        expect(frame(one).withColumn('new', (row: Record<string, unknown>) => String(row.c1)).numRows).toBe(
          own.length,
        );
        expect(frame(one).describe().numRows).toBe(names.length);
        expect(frame(one).toText()).toContain('row');
        expect(frame(one).toHtml()).toContain('table');
        for (const name of names) {
          const distinct = new Set(own.map((row) => JSON.stringify(row[name]))).size;
          expect(unique(one, [name]).numRows).toBe(distinct);
          const statistics = rollup(groupBy(one, [name]), {
            ...{ n: agg.count(), values: agg.count(name), distinct: agg.countDistinct(name) },
            ...{ first: agg.first(name), last: agg.last(name), min: agg.min('key'), max: agg.max('key') },
          });
          expect(toRows(statistics).map((row) => row[name])).toEqual(
            toRows(unique(one, [name])).map((row) => row[name]),
          );
          expect(toRows(statistics).map(({ first }) => first)).toEqual(
            toRows(statistics).map(({ last }) => last),
          );
          expect(valueCounts(one, [name]).numRows).toBeLessThanOrEqual(distinct);
          expect(fill(one, name, { how: 'forward' }).numRows).toBe(own.length);
          expect(unpivot(one, { columns: [name], names: 'of', values: 'is' }).numRows).toBe(own.length);
          await outcome(`pivot ${name}`, () =>
            pivot(one, { rows: 'key', columns: name, values: name, how: 'first' }),
          );
          for (const window of [windows.rank(name), windows.lag(name), windows.cumulative(agg.max(name))])
            await outcome(`${window.window} ${name}`, () => withComputed(one, { window }));
          for (const how of ['sum', 'median', 'std'] as const)
            await outcome(`${how} ${name}`, () => rollup(one, { result: agg[how](name) }));
          expect(
            (await outcome(`sortBy ${name}`, () => frame(one).sortBy(name)))?.numRows ?? own.length,
          ).toBe(own.length);
          for (const how of ['inner', 'left', 'outer', 'semi', 'anti'] as const) {
            const joined = await outcome(`${how} join ${name}`, () =>
              frame(one).join(table, { on: [name], how, suffix: ' 2' }),
            );
            if (joined !== undefined) toRows(joined);
          }
        }
        expect(toRows(fromArrow(frame(one).toArrow()))).toEqual(own);
        expect(toRows(fromArrow(frame(one).toArrow({ format: 'stream' })))).toEqual(own);
        const parquet = await outcome('toParquet', () => frame(one).toParquet());
        if (parquet !== undefined) {
          const read = await outcome('fromParquet', () => fromParquet(parquet));
          if (read !== undefined) expect(read.numRows).toBe(own.length);
        }
        await outcome('toCsv', () => frame(one).toCsv());
        await outcome('danfo', () => danfoFrame(one, { danfo: { DataFrame } as never }));
        for (const format of ['json', 'xlsx'] as const)
          await outcome(format, async () => {
            for await (const piece of filePieces(one, format)) expect(piece.length).toBeGreaterThan(0);
          });
      }
    }),
    { numRuns: countRuns({ quick: 3, all: 200 }) },
  );
}, 600_000);
