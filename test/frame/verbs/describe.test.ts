import { Decimal, Dictionary, Int32, Int64, makeData, Table, Vector } from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { frame } from '../../../src/frame/frame.js';

test('tells what each column of any type holds', () => {
  const table = fromRows([
    { n: 4, text: 'b', day: new Date('2020-01-02'), big: 2n ** 60n, flag: true, list: [1] },
    { n: 1, text: 'a', day: null, big: 2n ** 60n + 1n, flag: true, list: [1] },
    { n: null, text: 'b', day: new Date('2019-01-02'), big: null, flag: false, list: [2] },
    { n: 2, text: null, day: null, big: null, flag: null, list: null },
  ]);
  const [n, text, day, big, flag, list] = table.describe().toRows();
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
  expect(big).toMatchObject({ type: 'Int64', distinct: 2, mean: 2 ** 60, max: null });
  expect(flag).toMatchObject({ count: 3, distinct: 2, first: 'false', last: 'true' });
  expect(list).toMatchObject({ count: 3, distinct: 2, first: null });
});

const bigIntegers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const smallIntegers = fc.bigInt({ min: -1000n, max: 1000n });

test('the mean of 64-bit integers is exact', () => {
  const [row] = fromRows([2n ** 53n + 1n, 5n, 7n].map((n) => ({ n })))
    .describe()
    .toRows();
  expect(row!.mean).toBe(3002399751580335);
});

test('the first and the last of 64-bit integers and decimals are exact, and no rounded number stands for one', () => {
  const values = fc.oneof(bigIntegers, smallIntegers);
  fc.assert(
    fc.property(
      fc.array(values, { minLength: 1 }),
      fc.constantFrom(0, 3),
      fc.boolean(),
      (integers, scale, isCoded) => {
        const type = scale === 0 ? new Int64() : new Decimal(scale, 38, 128);
        const words = integers.flatMap((one) =>
          scale === 0 ? [one] : [BigInt.asIntN(64, one), one < 0n ? -1n : 0n],
        );
        const data = makeData({ type, data: BigInt64Array.from(words) } as never);
        const dictionary = new Vector([data]);
        const codes = Int32Array.from(integers.keys());
        const coded = { type: new Dictionary(type, new Int32()), data: codes, dictionary };
        const n = isCoded ? new Vector([makeData(coded as never)]) : dictionary;
        const [row] = frame(new Table({ n })).describe().toRows();
        const sorted = [...integers].sort((a, b) => (a < b ? -1 : Number(a > b)));
        const exactly = (text: unknown) => BigInt(String(text).replace('.', ''));
        expect([row!.first, row!.last].map(exactly)).toEqual([sorted[0], sorted.at(-1)]);
        for (const [name, value] of [
          ['min', sorted[0]!],
          ['max', sorted.at(-1)!],
        ] as const) {
          const isHeld =
            value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= -BigInt(Number.MAX_SAFE_INTEGER);
          expect(row![name]).toBe(isHeld ? Number(value) / 10 ** scale : null);
        }
        const sum = integers.reduce((sum, one) => sum + one, 0n);
        const count = BigInt(integers.length);
        const mean = Number(sum / count) + Number(sum % count) / integers.length;
        expect(row!.mean).toBe(mean / 10 ** scale);
      },
    ),
  );
});

test('quartiles lie between neighbours in proportion', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }), (values) => {
      const sorted = [...values].sort((a, b) => a - b);
      const at = 0.25 * (sorted.length - 1);
      const low = sorted[Math.floor(at)]!;
      const wanted = low + (sorted[Math.ceil(at)]! - low) * (at % 1);
      expect(
        fromRows(values.map((n) => ({ n })))
          .describe()
          .toRows()[0]!.q25,
      ).toBeCloseTo(wanted, 9);
    }),
  );
});

test('a column without values has no statistics', () => {
  expect(
    fromRows([{ n: null }])
      .describe()
      .toRows()[0],
  ).toMatchObject({ count: 0, distinct: 0, min: null });
});
