import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, rankByCoverage } from '../../src/compute/ranking.js';
import { DAY_MS } from '../../src/model/time.js';

const daily = (id: number, first: number, last: number, more: Partial<Candidate> = {}): Candidate => ({
  id,
  startMs: first * DAY_MS,
  endMs: last * DAY_MS,
  pointCount: last - first + 1,
  periodDays: 1,
  ...more,
});

const order = (
  candidates: readonly Candidate[],
  startDay: number | null = null,
  endDay: number | null = null,
) =>
  rankByCoverage(candidates, {
    startMs: startDay === null ? null : startDay * DAY_MS,
    endMs: endDay === null ? null : endDay * DAY_MS,
  }).map(({ id }) => id);

describe('rankByCoverage', () => {
  it('ranks the larger share of the wanted period first; open dates mean all that exists', () => {
    const candidates = [daily(1, 0, 99), daily(2, 50, 149), daily(3, 0, 149)];
    expect(order(candidates)).toEqual([3, 2, 1]);
    expect(order(candidates, 0, 49)).toEqual([3, 1, 2]);
    expect(order(candidates, 120, 149)).toEqual([3, 2, 1]);
  });

  it('counts gaps as missing data', () => {
    expect(order([daily(1, 0, 99, { pointCount: 40 }), daily(2, 20, 79)])).toEqual([2, 1]);
    const [full] = rankByCoverage([daily(1, 0, 99, { pointCount: 25 })]);
    expect(full!.coverage.share).toBeCloseTo(0.25, 12);
  });

  it('breaks ties by points, then recency, then finer frequency, then id', () => {
    const weekly = { periodDays: 7, pointCount: 10 };
    expect(order([daily(1, 0, 69, weekly), daily(2, 0, 69)])).toEqual([2, 1]);
    expect(order([daily(1, 0, 9), daily(2, 10, 19)], 100, 200)).toEqual([2, 1]);
    const ended = { pointCount: 5 };
    expect(
      order(
        [daily(1, 0, 9, { ...ended, periodDays: 30 }), daily(2, 0, 9, { ...ended, periodDays: 10 })],
        50,
        60,
      ),
    ).toEqual([2, 1]);
    expect(order([daily(5, 0, 9), daily(3, 0, 9), daily(4, 0, 9)])).toEqual([3, 4, 5]);
  });

  it('returns shares from 0 to 1, and one order whatever the order of the candidates', () => {
    const candidate = fc.record({
      startMs: fc.integer({ min: 0, max: 50 }).map((day) => day * DAY_MS),
      endMs: fc.integer({ min: 50, max: 100 }).map((day) => day * DAY_MS),
      pointCount: fc.integer({ min: 1, max: 200 }),
      periodDays: fc.constantFrom(1, 7, 30.436875, 365.2425),
    });
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 20 }), (given) => {
        const candidates = given.map((one, id) => ({ ...one, id }));
        const ranked = rankByCoverage(candidates);
        for (const { coverage } of ranked) {
          expect(coverage.share).toBeGreaterThanOrEqual(0);
          expect(coverage.share).toBeLessThanOrEqual(1);
        }
        expect(rankByCoverage([...candidates].reverse())).toEqual(ranked);
      }),
    );
  });

  it('returns nothing for no candidates', () => {
    expect(rankByCoverage([])).toEqual([]);
  });
});
