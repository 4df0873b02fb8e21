import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexPeriods } from '../../../src/agronomy/weighting/period-index.js';

describe('indexPeriods', () => {
  it('finds each period once, ascending by end and then start, before and after 1970', () => {
    const start = BigInt64Array.of(10n, -50n, 10n, 0n, -50n);
    const end = BigInt64Array.of(20n, -40n, 30n, 20n, -40n);
    expect(indexPeriods(start, end)).toEqual({
      period: Uint32Array.of(2, 0, 3, 1, 0),
      start_date: BigInt64Array.of(-50n, 0n, 10n, 10n),
      end_date: BigInt64Array.of(-40n, 20n, 20n, 30n),
    });
  });

  it("gives back every row's own period, for rows in any order", () => {
    const time = fc.bigInt({ min: -5n, max: 5n }).map((day) => day * 86_400_000n);
    fc.assert(
      fc.property(fc.array(fc.tuple(time, time), { maxLength: 60, size: 'max' }), (rows) => {
        const start = BigInt64Array.from(rows, ([from]) => from);
        const end = BigInt64Array.from(rows, ([, to]) => to);
        const index = indexPeriods(start, end);
        const texts = Array.from(index.start_date, (from, i) => `${from}/${index.end_date[i]}`);
        expect(new Set(texts).size).toBe(texts.length);
        const order = [...index.end_date.keys()].sort(
          (a, b) =>
            Number(index.end_date[a]! - index.end_date[b]!) ||
            Number(index.start_date[a]! - index.start_date[b]!),
        );
        expect(order).toEqual([...order.keys()]);
        rows.forEach(([from, to], row) => {
          expect(texts[index.period[row]!]).toBe(`${from}/${to}`);
        });
      }),
    );
  });
});
