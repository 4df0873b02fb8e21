import {
  DateDay,
  LargeUtf8,
  makeData,
  Table,
  TimestampNanosecond,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { frame } from '../../../src/frame/frame.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { exactRows } from '../exact-rows.js';
import { PROVENANCE } from '../points.js';
import { annual, endsAndValues, longOf } from '../verbs.js';

const table = fromRows([
  { farm: 'b', n: 2, big: 2n ** 60n + 1n, day: new Date('2020-01-02'), list: [1] },
  { farm: 'a', n: null, big: 2n ** 60n, day: new Date('2020-01-03'), list: [] },
  { farm: 'b', n: 1, big: -1n, day: new Date('2020-01-01'), list: [2] },
]);
const long = longOf([{}, annual(2000, [3, null, 1])]).withProvenance(PROVENANCE);

test.each([
  ['n', [2, 0, 1]],
  [{ column: 'n', descending: true }, [0, 2, 1]],
  [
    ['farm', { column: 'day' }],
    [1, 2, 0],
  ],
  ['big', [2, 1, 0]],
])('sorts by %j', (by, order) => {
  const rows = exactRows(table);
  expect(exactRows(table.sortBy(by as never))).toEqual(order.map((at) => rows[at]));
});

test('keeps equal rows in order, and every row', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 3 })), { minLength: 1 }), (values) => {
      const rows = values.map((value, at) => ({ value, at }));
      const wanted = [...rows].sort((a, b) => (a.value ?? 9) - (b.value ?? 9) || a.at - b.at);
      expect(exactRows(fromRows(rows).sortBy('value'))).toEqual(wanted);
    }),
  );
});

test('a sorted frame keeps its series, sources and steps', () => {
  const sorted = long.sortBy('value');
  expect(endsAndValues(sorted).map(([, value]) => value)).toEqual([1, 3, null]);
  expect(sorted.provenance!.sources).toEqual(PROVENANCE.sources);
  expect(derivationSteps(sorted.head(1))).toEqual(['sortBy("value")', 'head(1)']);
});

test('takes the first rows', () => {
  expect(table.head(2).numRows).toBe(2);
  expect(exactRows(table.head())).toEqual(exactRows(table));
  expect(table.head(0).schema.fields).toHaveLength(5);
});

test('takes rows at random, repeatably, each once and in order', () => {
  const numbers = new Table({ n: vectorFromArray(Int32Array.from({ length: 1000 }, (_, n) => n)) });
  const taken = (seed?: number) =>
    exactRows(frame(numbers).sample(100, { seed })).map(({ n }) => n as number);
  expect(taken(7)).toEqual(taken(7));
  expect(taken(7)).not.toEqual(taken());
  expect(new Set(taken())).toHaveProperty('size', 100);
  expect(taken()).toEqual([...taken()].sort((a, b) => a - b));
  expect(frame(numbers).sample(2000).numRows).toBe(1000);
});

test('selects and renames columns, with the metadata of a frame', () => {
  expect(exactRows(table.select(['n', 'farm']).rename({ n: 'number' }))[0]).toEqual({ number: 2, farm: 'b' });
  const renamed = long.rename({ reporting_date: 'reported' });
  expect(derivationSteps(renamed)).toEqual(['rename({"reporting_date":"reported"})']);
  expect(long.select(['value']).provenance!.sources).toEqual(PROVENANCE.sources);
});

test.each([
  [() => table.sortBy('list'), /by: column "list" cannot be sorted/],
  [() => table.sortBy('x' as never), /by: the frame has no column "x"/],
  [() => table.sortBy({ column: 'n', desc: true } as never), /by/],
  [() => table.select(['n', 'n']), /columns: two columns would be called "n"/],
  [() => table.select(['x' as never]), /columns: the frame has no column "x"/],
  [() => table.rename({ n: 'farm' }), /names: two columns would be called "farm"/],
  [() => table.rename({ x: 'y' } as never), /names: the frame has no column "x"/],
  [() => table.head(-1), /rows: -1 is not a whole number/],
  [() => table.sample(1, { seed: 0.5 }), /seed: 0.5 is not a whole number/],
])('refuses %s', (call, reason) => {
  expect(call).toThrow(reason);
});

test('rows keep the types of their columns', () => {
  const types = [new DateDay(), new TimestampNanosecond(), new LargeUtf8()];
  const [days, times, texts] = types;
  const other = new Table({
    day: vectorFromArray(
      [0, 86_400_000].map((ms) => new Date(ms)),
      days!,
    ),
    time: new Vector([
      makeData({
        type: times as TimestampNanosecond,
        length: 2,
        data: BigInt64Array.of(5_000_000n, 7_000_000n),
      }),
    ]),
    text: vectorFromArray(['a', 'b'], texts!),
  });
  const typesOf = ({ schema }: Table) => schema.fields.map(({ type }) => String(type));
  const second = frame(other).filter(({ text }) => text === 'b');
  for (const taken of [second, frame(other).head(0), frame(other).select(['day', 'time', 'text'])])
    expect(typesOf(taken)).toEqual(types.map(String));
  expect(exactRows(frame(other).concat(second)).map(({ day }) => day)).toEqual(
    ['1970-01-01', '1970-01-02', '1970-01-02'].map((day) => expect.stringContaining(day)),
  );
});

test('a name that two columns have is refused, and others are read', () => {
  const twice = fromCsv('a,a,b\n1,2,3\n');
  expect(exactRows(twice.select(['b']))).toEqual([{ b: 3 }]);
  for (const read of [
    () => twice.select(['a']),
    () => twice.withColumn('c', ({ a }) => a),
    () => twice.sortBy('a'),
    () => twice.concat(twice),
    () => twice.filter(() => true),
    () => twice.describe(),
  ])
    expect(read).toThrow(/two columns are called "a"; rename one of them at its source/);
});
