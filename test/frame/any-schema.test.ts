import {
  type Data,
  type DataType,
  Dictionary,
  Duration,
  Field,
  FixedSizeList,
  Int8,
  Int32,
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
  Utf8,
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
import { asOther } from '../../src/frame/table/columns.js';
import { takeColumn } from '../../src/frame/table/take-rows.js';
import { fill } from '../../src/frame/verbs/fill.js';
import { groupBy, rollup, withComputed } from '../../src/frame/verbs/group-by.js';
import { pivot, unpivot } from '../../src/frame/verbs/pivot.js';
import { unique, valueCounts } from '../../src/frame/verbs/rows.js';
import { ArgumentError } from '../../src/model/errors.js';
import { countRuns } from '../endurance.js';
import { exactRows } from './exact-rows.js';
import { EXAMPLES } from './formats/arrow-tables.js';

const UNITS = [TimeUnit.SECOND, TimeUnit.MILLISECOND, TimeUnit.MICROSECOND, TimeUnit.NANOSECOND];
const TIMES = UNITS.flatMap((unit) => [
  ...[undefined, 'UTC', 'Europe/Berlin'].map((zone) => new Timestamp(unit, zone)),
  new Duration(unit),
  new Time(unit as TimeUnit.SECOND, (unit <= TimeUnit.MILLISECOND ? 32 : 64) as 32),
]);

/** A column of three rows, of which the second is null where the type has nulls. */
function columnOf(type: DataType, parts: object): Vector {
  return new Vector([
    makeData({ type, length: 3, nullCount: 1, nullBitmap: Uint8Array.of(0b101), ...parts } as never),
  ]);
}

function timesOf(type: DataType): Vector {
  const Values = type.ArrayType as Int32ArrayConstructor;
  const values = [7, 0, 86_399].map((value) =>
    new Values(1).BYTES_PER_ELEMENT === 8 ? BigInt(value) : value,
  );
  return columnOf(type, { data: Values.from(values as number[]) });
}

const rowsOf = (vector: Vector, rows: readonly number[]): Data =>
  takeColumn(asOther(vector), Int32Array.from(rows)).values.data[0]!;
const nullable = (name: string, type: DataType) => new Field(name, type, true);
const texts = vectorFromArray(['', null, 'a text that no view holds within'], new Utf8());
const keys = vectorFromArray(['a', 'b', 'c'], new Utf8());

const leaf = fc.constantFrom<Vector>(
  ...Object.values(EXAMPLES).map(({ vector }) => vector),
  ...TIMES.map(timesOf),
  ...[texts, new Vector([makeData({ type: new Null(), length: 3 })])],
);

const { anyColumn } = fc.letrec<{ anyColumn: Vector }>((tie) => {
  const of = (make: (inner: Vector) => Vector) => tie('anyColumn').map(make);
  return {
    anyColumn: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { arbitrary: leaf, weight: 3 },
      fc.tuple(leaf, fc.constantFrom(new Int8(), new Int32(), new Uint16())).map(([dictionary, index]) => {
        const data = (index.ArrayType as Int32ArrayConstructor).of(2, 0, 1);
        return columnOf(new Dictionary(dictionary.type, index), { data, dictionary });
      }),
      of((inner) =>
        columnOf(new List(nullable('item', inner.type)), {
          valueOffsets: Int32Array.of(0, 2, 2, 3),
          child: rowsOf(inner, [0, 1, 2]),
        }),
      ),
      of((inner) =>
        columnOf(new FixedSizeList(2, nullable('item', inner.type)), {
          child: rowsOf(inner, [0, 1, 2, 2, 1, 0]),
        }),
      ),
      fc.tuple(tie('anyColumn'), leaf).map((parts) =>
        columnOf(new Struct(parts.map(({ type }, at) => nullable(`f${at}`, type))), {
          children: parts.map((part) => rowsOf(part, [0, 1, 2])),
        }),
      ),
      of((inner) => {
        const type = new Struct([new Field('key', new Utf8(), false), nullable('value', inner.type)]);
        const children = [keys.data[0]!, rowsOf(inner, [0, 1, 2])];
        return columnOf(new Map_(new Field('entries', type, false) as never), {
          valueOffsets: Int32Array.of(0, 1, 1, 3),
          child: makeData({ type, length: 3, nullCount: 0, children }),
        });
      }),
    ),
  };
});

const LAYOUTS = [[], [0], [1], [4], [2, 0, 3]];
const anyTable = fc
  .record({
    vectors: fc.array(anyColumn, { minLength: 1, maxLength: 3 }),
    lengths: fc.constantFrom(...LAYOUTS),
    seed: fc.nat(50),
  })
  .map(({ vectors, lengths, seed }) => {
    const all = [vectorFromArray([3, null, 5], new Int32()), ...vectors];
    const chunks = lengths.map((length, batch) =>
      all.map((vector, at) =>
        rowsOf(
          vector,
          Array.from({ length }, (_, row) => (row * 2 + seed + batch + at) % 3),
        ),
      ),
    );
    const types = all.map(({ type }, at) => chunks[0]?.[at]?.type ?? type);
    const schema = new Schema(types.map((type, at) => nullable(at === 0 ? 'key' : `c${at}`, type)));
    const batches = chunks.map((children, at) => {
      const type = new Struct(schema.fields);
      return new RecordBatch(schema, makeData({ type, length: lengths[at]!, nullCount: 0, children }));
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
        const others = names.slice(1).reverse();
        expect(toRows(frame(one).select(others))).toEqual(
          own.map((row) => Object.fromEntries(others.map((name) => [name, row[name]]))),
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
