import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, countPeriods, rankByCoverage } from '../../src/compute/ranking.js';
import type { PeriodLength } from '../../src/model/entity.js';
import { FREQUENCIES } from '../../src/model/frequency.js';
import { DAY_MS, utcDay } from '../../src/model/time.js';

const daily = (id: number, first: number, last: number, more: Partial<Candidate> = {}): Candidate => ({
  id,
  startMs: first * DAY_MS,
  endMs: last * DAY_MS,
  pointCount: last - first + 1,
  periodLength: { days: 1 },
  ...more,
});

const YEAR: PeriodLength = { years: 1 };

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
    const shares = (first: number) =>
      rankByCoverage([daily(1, first, first + 9), daily(2, first + 5, first + 9)]).map(
        ({ coverage }) => coverage.share,
      );
    expect([shares(-50), shares(7_300)]).toEqual([
      [1, 0.5],
      [1, 0.5],
    ]);
  });

  it('counts gaps as missing data', () => {
    expect(order([daily(1, 0, 99, { pointCount: 40 }), daily(2, 20, 79)])).toEqual([2, 1]);
    const [full] = rankByCoverage([daily(1, 0, 99, { pointCount: 25 })]);
    expect(full!.coverage.share).toBeCloseTo(0.25, 12);
  });

  it('breaks ties by points, then recency, then finer frequency, then id', () => {
    const weekly = { periodLength: { days: 7 }, pointCount: 10 };
    expect(order([daily(1, 0, 69, weekly), daily(2, 0, 69)])).toEqual([2, 1]);
    expect(order([daily(1, 0, 9), daily(2, 10, 19)], 100, 200)).toEqual([2, 1]);
    const ended = { pointCount: 5 };
    expect(
      order(
        [
          daily(1, 0, 9, { ...ended, periodLength: { months: 1 } }),
          daily(2, 0, 9, { ...ended, periodLength: { days: 10 } }),
        ],
        50,
        60,
      ),
    ).toEqual([2, 1]);
    expect(order([daily(5, 0, 9), daily(3, 0, 9), daily(4, 0, 9)])).toEqual([3, 4, 5]);
  });

  it('prefers what still reports to a longer series that has stopped, unless an end is wanted', () => {
    const years = (id: number, first: number, last: number): Candidate => ({
      id,
      startMs: utcDay(first, 1, 1),
      endMs: utcDay(last, 12, 31),
      pointCount: last - first + 1,
      periodLength: YEAR,
    });
    const candidates = [years(1, 1988, 2000), years(2, 2024, 2027), years(3, 1990, 2024)];
    const ids = (wanted: Parameters<typeof rankByCoverage>[1]) =>
      rankByCoverage(candidates, wanted).map(({ id }) => id);
    expect(ids({ startMs: null, endMs: null })).toEqual([3, 2, 1]);
    expect(ids({ startMs: null, endMs: utcDay(2000, 12, 31) })).toEqual([1, 3, 2]);
  });

  it('decides nothing by a leap day', () => {
    const years = (id: number, first: number, last: number, periodLength = YEAR): Candidate => ({
      id,
      startMs: utcDay(first, 1, 1),
      endMs: utcDay(last, 12, 31),
      pointCount: 3,
      periodLength,
    });
    const wanted = { startMs: utcDay(2001, 1, 1), endMs: utcDay(2009, 12, 31) };
    const ranked = rankByCoverage([years(1, 2004, 2006), years(2, 2001, 2003), years(3, 2007, 2009)], wanted);
    expect(ranked.map(({ id, coverage }) => [id, coverage.share])).toEqual([
      [3, 1 / 3],
      [1, 1 / 3],
      [2, 1 / 3],
    ]);
    const dailyYears = { ...years(4, 2001, 2003, { days: 1 }), pointCount: 1095 };
    expect(rankByCoverage([years(1, 2004, 2006), dailyYears], wanted).map(({ id }) => id)).toEqual([4, 1]);
  });

  it.each([
    [{ days: 1 }, '2012-02-28', '2012-03-01', 2],
    [{ days: 1 }, '2012-01-01', '2012-12-31', 365],
    [{ days: 1 }, '2012-02-29', '2012-02-29', 1],
    [{ days: 7 }, '2012-02-27', '2012-03-11', 2],
    [{ days: 8 }, '2012-01-01', '2013-12-31', 92],
    [{ days: 10 }, '2012-02-21', '2012-03-10', 2],
    [{ months: 1 }, '2012-02-01', '2012-04-30', 3],
    [{ months: 1 }, '2012-01-01', '2012-06-15', 5.5],
    [{ months: 3 }, '2011-10-01', '2012-03-31', 2],
    [{ years: 1 }, '2003-09-01', '2005-08-31', 2],
    [{ years: 5 }, '2000-01-01', '2009-12-31', 2],
    [{ years: 1 }, '2005-01-01', '2004-12-31', 0],
    [{ years: 1 }, '2005-01-01', '2003-12-31', 0],
    [{ days: 1 }, '2005-01-03', '2005-01-01', 0],
    [{ days: 7 }, '2012-02-27', '2012-03-01', 4 / 7],
    [{ days: 10 }, '2012-02-21', '2012-02-25', 5 / 9],
    [{}, '2012-02-27', '2012-03-01', 3],
  ])('counts periods of %j from %s to %s as %d', (length, start, end, count) => {
    expect(countPeriods(length, Date.parse(start), Date.parse(end))).toBeCloseTo(count, 10);
  });

  it('returns shares from 0 to 1, and one order whatever the order of the candidates', () => {
    const candidate = fc.record({
      startMs: fc.integer({ min: 0, max: 50 }).map((day) => day * DAY_MS),
      endMs: fc.integer({ min: 50, max: 100 }).map((day) => day * DAY_MS),
      pointCount: fc.integer({ min: 1, max: 200 }),
      periodLength: fc.constantFrom(...FREQUENCIES.map((one) => one.periodLength)),
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
});
