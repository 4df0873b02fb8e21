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
import { concat } from '../../../src/frame/combine/concat.js';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { toRows } from '../../../src/frame/formats/rows.js';
import { derivationSteps, readProvenance, withProvenance } from '../../../src/frame/table/provenance.js';
import { rename, select } from '../../../src/frame/verbs/columns.js';
import { describe } from '../../../src/frame/verbs/describe.js';
import { filter } from '../../../src/frame/verbs/filter.js';
import { head, sample, sortBy } from '../../../src/frame/verbs/rows.js';
import { withColumn } from '../../../src/frame/verbs/with-column.js';
import { PROVENANCE } from '../points.js';
import { annual, endsAndValues, longOf } from '../verbs.js';

const table = fromRows([
  { farm: 'b', n: 2, big: 2n ** 60n + 1n, day: new Date('2020-01-02'), list: [1] },
  { farm: 'a', n: null, big: 2n ** 60n, day: new Date('2020-01-03'), list: [] },
  { farm: 'b', n: 1, big: -1n, day: new Date('2020-01-01'), list: [2] },
]);
const long = withProvenance(longOf([{}, annual(2000, [3, null, 1])]), PROVENANCE);

test.each([
  ['n', [2, 0, 1]],
  [{ column: 'n', descending: true }, [0, 2, 1]],
  [
    ['farm', { column: 'day' }],
    [1, 2, 0],
  ],
  ['big', [2, 1, 0]],
])('sorts by %j', (by, order) => {
  const rows = toRows(table);
  expect(toRows(sortBy(table, by))).toEqual(order.map((at) => rows[at]));
});

test('keeps equal rows in order, and every row', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 3 })), { minLength: 1 }), (values) => {
      const rows = values.map((value, at) => ({ value, at }));
      const wanted = [...rows].sort((a, b) => (a.value ?? 9) - (b.value ?? 9) || a.at - b.at);
      expect(toRows(sortBy(fromRows(rows), 'value'))).toEqual(wanted);
    }),
  );
});

test('a sorted frame keeps its series, sources and steps', () => {
  const sorted = sortBy(long, 'value');
  expect(endsAndValues(sorted).map(([, value]) => value)).toEqual([1, 3, null]);
  expect(readProvenance(sorted)!.sources).toEqual(PROVENANCE.sources);
  expect(derivationSteps(head(sorted, 1))).toEqual(['sortBy("value")', 'head(1)']);
});

test('takes the first rows', () => {
  expect(head(table, 2).numRows).toBe(2);
  expect(toRows(head(table))).toEqual(toRows(table));
  expect(head(table, 0).schema.fields).toHaveLength(5);
});

test('takes rows at random, repeatably, each once and in order', () => {
  const numbers = new Table({ n: vectorFromArray(Int32Array.from({ length: 1000 }, (_, n) => n)) });
  const taken = (seed?: number) => toRows(sample(numbers, 100, { seed })).map(({ n }) => n as number);
  expect(taken(7)).toEqual(taken(7));
  expect(taken(7)).not.toEqual(taken());
  expect(new Set(taken())).toHaveProperty('size', 100);
  expect(taken()).toEqual([...taken()].sort((a, b) => a - b));
  expect(sample(numbers, 2000).numRows).toBe(1000);
});

test('selects and renames columns, with the metadata of a frame', () => {
  expect(toRows(rename(select(table, ['n', 'farm']), { n: 'number' }))[0]).toEqual({ number: 2, farm: 'b' });
  const renamed = rename(long, { reporting_date: 'reported' });
  expect(derivationSteps(renamed)).toEqual(['rename({"reporting_date":"reported"})']);
  expect(readProvenance(select(long, ['value']))!.sources).toEqual(PROVENANCE.sources);
});

test.each([
  [() => sortBy(table, 'list'), /by: column "list" has no order/],
  [() => sortBy(table, 'x'), /by: the frame has no "x"/],
  [() => sortBy(table, { column: 'n', desc: true } as never), /by/],
  [() => select(table, ['n', 'n']), /columns: two columns would be "n"/],
  [() => select(table, ['x']), /columns: the frame has no "x"/],
  [() => rename(table, { n: 'farm' }), /names: two columns would be "farm"/],
  [() => rename(table, { x: 'y' }), /names: the frame has no "x"/],
  [() => head(table, -1), /rows: -1 is not a whole number/],
  [() => sample(table, 1, { seed: 0.5 }), /seed: 0.5 is not a whole number/],
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
  const second = filter(other, { where: ({ text }) => text === 'b' });
  for (const taken of [second, head(other, 0), select(other, ['day', 'time', 'text'])])
    expect(typesOf(taken)).toEqual(types.map(String));
  expect(toRows(concat([other, second])).map(({ day }) => day)).toEqual(
    ['1970-01-01', '1970-01-02', '1970-01-02'].map((day) => expect.stringContaining(day)),
  );
});

test('a name that two columns have is refused, and others are read', () => {
  const twice = fromCsv('a,a,b\n1,2,3\n');
  expect(toRows(select(twice, ['b']))).toEqual([{ b: 3 }]);
  for (const read of [
    () => select(twice, ['a']),
    () => withColumn(twice, 'c', ({ a }) => a),
    () => sortBy(twice, 'a'),
    () => concat([twice, twice]),
    () => filter(twice, { where: () => true }),
    () => describe(twice),
  ])
    expect(read).toThrow(/two columns are called "a"; give each another name/);
});
