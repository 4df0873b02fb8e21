import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromRows, toRows } from '../../../src/frame/formats/rows.js';
import { describe } from '../../../src/frame/verbs/describe.js';

test('tells what each column of any type holds', () => {
  const table = fromRows([
    { n: 4, text: 'b', day: new Date('2020-01-02'), big: 2n ** 60n, flag: true, list: [1] },
    { n: 1, text: 'a', day: null, big: 2n ** 60n + 1n, flag: true, list: [1] },
    { n: null, text: 'b', day: new Date('2019-01-02'), big: null, flag: false, list: [2] },
    { n: 2, text: null, day: null, big: null, flag: null, list: null },
  ]);
  const [n, text, day, big, flag, list] = toRows(describe(table));
  expect(n).toEqual({
    column: 'n',
    type: 'Float64',
    count: 3,
    nulls: 1,
    distinct: 3,
    mean: 7 / 3,
    min: 1,
    q25: 1.5,
    median: 2,
    q75: 3,
    max: 4,
    first: null,
    last: null,
  });
  expect(text).toMatchObject({ count: 3, distinct: 2, first: 'a', last: 'b', min: null });
  const [first, last] = ['2019-01-02T00:00:00.000Z', '2020-01-02T00:00:00.000Z'];
  expect(day).toMatchObject({ type: 'Timestamp<MILLISECOND, UTC>', nulls: 2, first, last });
  expect(big).toMatchObject({ type: 'Int64', distinct: 2, max: 2 ** 60 });
  expect(flag).toMatchObject({ count: 3, distinct: 2, first: 'false', last: 'true' });
  expect(list).toMatchObject({ count: 3, distinct: 2, first: null });
});

test('quartiles lie between neighbours in proportion', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }), (values) => {
      const sorted = [...values].sort((a, b) => a - b);
      const at = 0.25 * (sorted.length - 1);
      const low = sorted[Math.floor(at)]!;
      const wanted = low + (sorted[Math.ceil(at)]! - low) * (at % 1);
      expect(toRows(describe(fromRows(values.map((n) => ({ n })))))[0]!.q25).toBeCloseTo(wanted, 9);
    }),
  );
});

test('a column without values has no statistics', () => {
  expect(toRows(describe(fromRows([{ n: null }])))[0]).toMatchObject({ count: 0, distinct: 0, min: null });
});
