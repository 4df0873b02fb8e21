import { Float64, tableFromArrays, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DegreeDaysOptions,
  dateOfThreshold,
  degreeDays,
} from '../../../src/agronomy/degree-days/degree-days.js';
import { CUTOFFS, DEGREE_DAY_METHODS, type DegreeDayMethod } from '../../../src/agronomy/degree-days/plan.js';
import { ArgumentError, CoverageError } from '../../../src/model/errors.js';
import { countRuns } from '../../endurance.js';
import { integratedDay } from './integrated-day.js';

const METHODS = Object.keys(DEGREE_DAY_METHODS) as DegreeDayMethod[];

const NAN = Number.NaN;
const BASE = { tmin: Float64Array.of(10, 12, 14), tmax: Float64Array.of(20, 24, 26), base_temperature: 10 };

const temperature = fc.double({ min: -30, max: 50, noNaN: true });
const days = fc
  .array(fc.tuple(temperature, fc.double({ min: 0, max: 30, noNaN: true })), { minLength: 1, maxLength: 12 })
  .map((pairs) => ({
    tmin: Float64Array.from(pairs, ([low]) => low),
    tmax: Float64Array.from(pairs, ([low, range]) => low + range),
  }));
const thresholds = fc
  .tuple(fc.double({ min: -5, max: 20, noNaN: true }), fc.double({ min: 1, max: 30, noNaN: true }))
  .map(([base, span]) => ({ base_temperature: base, upper_temperature_cap: base + span }));
const method = fc.constantFrom(...METHODS);
const cutoff = fc.constantFrom(...CUTOFFS);

function total(options: DegreeDaysOptions): number {
  return degreeDays(options).total;
}

describe('degreeDays', () => {
  it("follows the specification's rule by default: the mean, capped, above the base", () => {
    const result = degreeDays({ ...BASE, upper_temperature_cap: 19, start_date: '2020-02-28' });
    expect(result).toEqual({
      method: 'average',
      cutoff: 'horizontal',
      base_temperature: 10,
      upper_temperature_cap: 19,
      temperature_unit: 'celsius',
      daily: Float64Array.of(5, 8, 9),
      accumulated: Float64Array.of(5, 13, 22),
      total: 22,
      days: 3,
      days_counted: 3,
      days_interpolated: 0,
      days_inverted: 0,
      coverage: 1,
      missing: 'zero',
      notes: [],
      interval: { start_date: '2020-02-28', end_date: '2020-03-01' },
    });
  });

  it('notes a hot base that only a maximum is above, since no mean is', () => {
    const { total, notes } = degreeDays({
      tmin: Float64Array.of(30),
      tmax: Float64Array.of(52.78),
      base_temperature: 50,
      upper_temperature_cap: null,
    });
    expect([total, notes]).toEqual([
      0,
      [
        "no day's mean is above the base of 50 °C: the highest temperature is 52.78 °C; if the base is in °F, set temperature_unit (--unit) to fahrenheit",
      ],
    ]);
  });

  it('has a null cap and a null interval without cap and start', () => {
    expect(degreeDays(BASE)).toMatchObject({
      cutoff: 'none',
      upper_temperature_cap: null,
      interval: null,
      total: 5 + 8 + 10,
    });
    expect(degreeDays({ ...BASE, upper_temperature_cap: 12, cutoff: 'none' })).toMatchObject({
      cutoff: 'none',
      upper_temperature_cap: null,
      total: 23,
    });
    expect(degreeDays({ ...BASE, upper_temperature_cap: Number.POSITIVE_INFINITY })).toMatchObject({
      cutoff: 'none',
      upper_temperature_cap: null,
    });
  });

  it('agrees with numerical integration of the day, by every method and cut-off', () => {
    fc.assert(
      fc.property(
        days,
        thresholds,
        method,
        cutoff,
        temperature,
        (
          { tmin, tmax },
          { base_temperature: base, upper_temperature_cap: cap },
          method,
          cutoff,
          next_tmin,
        ) => {
          // The vertical rate is discontinuous at the cap.
          fc.pre(method !== 'mcmaster-wilhelm-2' || cutoff !== 'vertical' || !tmax.includes(cap));
          const { daily } = degreeDays({
            tmin,
            tmax,
            base_temperature: base,
            upper_temperature_cap: cap,
            method,
            cutoff,
            next_tmin,
          });
          daily.forEach((value, i) => {
            const day = [tmin[i]!, tmax[i]!, tmin[i + 1] ?? next_tmin] as const;
            expect(Math.abs(value - integratedDay(method, day, { base, cap, cutoff }))).toBeLessThan(1e-4);
          });
        },
      ),
      { numRuns: countRuns({ quick: 25, all: 400 }) },
    );
  });

  it('adds up: the parts of a season sum to the whole, wherever it is split', () => {
    const missing = fc.subarray(Array.from({ length: 12 }, (_, day) => day));
    fc.assert(
      fc.property(days, missing, thresholds, method, cutoff, fc.nat(), temperature, (...drawn) => {
        const [
          { tmin, tmax },
          gaps,
          { base_temperature: base, upper_temperature_cap: cap },
          method,
          cutoff,
          at,
          next_tmin,
        ] = drawn;
        const low = tmin.map((value, day) => (gaps.includes(day) ? NAN : value));
        const split = 1 + (at % tmin.length);
        fc.pre(split < tmin.length);
        const thresholds = { base_temperature: base, upper_temperature_cap: cap };
        const rule = { ...thresholds, method, cutoff, min_temporal_coverage: 0 };
        const whole = degreeDays({ tmin: low, tmax, next_tmin, ...rule });
        const first = degreeDays({
          tmin: low.subarray(0, split),
          tmax: tmax.subarray(0, split),
          next_tmin: low[split],
          ...rule,
        });
        const second = degreeDays({
          tmin: low.subarray(split),
          tmax: tmax.subarray(split),
          next_tmin,
          ...rule,
        });
        expect(Float64Array.of(...first.daily, ...second.daily)).toEqual(whole.daily);
        expect(first.total + second.total).toBeCloseTo(whole.total, 8);
      }),
    );
  });

  it('follows A(L) − A(U) − (U − L)·f by the vertical cut-off of half days at the extremes', () => {
    const whole = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(whole, whole, (one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const above = (threshold: number) =>
          (Math.max(low - threshold, 0) + Math.max(high - threshold, 0)) / 2;
        const expected = low >= 30 ? 0 : above(10) - above(30) - (high > 30 ? 20 * 0.5 : 0);
        const day = { tmin: Float64Array.of(low), tmax: Float64Array.of(high) };
        const rule = {
          base_temperature: 10,
          upper_temperature_cap: 30,
          method: 'mcmaster-wilhelm-2',
          cutoff: 'vertical',
        } as const;
        expect(total({ ...day, ...rule })).toBe(expected);
      }),
    );
  });

  it('uses the same minimum twice on the last day and before a missing minimum', () => {
    const rule = { base_temperature: 10, method: 'double-sine' as const, min_temporal_coverage: 0.6 };
    const single = (low: number, high: number) =>
      total({
        tmin: Float64Array.of(low),
        tmax: Float64Array.of(high),
        base_temperature: 10,
        method: 'single-sine',
      });
    const { daily, days_counted } = degreeDays({
      tmin: Float64Array.of(5, NAN, 8),
      tmax: Float64Array.of(20, 22, 24),
      ...rule,
    });
    expect([...daily]).toEqual([single(5, 20), 0, single(8, 24)]);
    expect(days_counted).toBe(2);
  });

  it.each(METHODS)('changes a minimum above its maximum with it, and counts the day, by %s', (method) => {
    const rule = { base_temperature: 10, upper_temperature_cap: 22, method };
    const right = degreeDays({ tmin: Float64Array.of(8), tmax: Float64Array.of(25), ...rule });
    const inverted = degreeDays({
      tmin: Float64Array.of(25),
      tmax: Float64Array.of(8),
      next_tmin: 8,
      ...rule,
    });
    expect(right.days_inverted).toBe(0);
    expect(inverted.days_inverted).toBe(1);
    if (!method.startsWith('double')) expect(inverted.total).toBe(right.total);
  });

  it('is not clipped at zero under the intermediate cut-off, and 0 above the cap under the vertical', () => {
    const hot = {
      tmin: Float64Array.of(40),
      tmax: Float64Array.of(44),
      base_temperature: 10,
      upper_temperature_cap: 25,
    };
    for (const method of METHODS) {
      expect(total({ ...hot, method, cutoff: 'intermediate' })).toBeCloseTo(15 - 17, 12);
      expect(total({ ...hot, method, cutoff: 'vertical' })).toBe(0);
      expect(total({ ...hot, method })).toBe(15);
    }
  });
});

describe('missing days', () => {
  const gaps = {
    min_temporal_coverage: 0.5,
    tmin: Float64Array.of(10, NAN, 14, NAN, NAN, 20),
    tmax: Float64Array.of(20, 22, 24, 26, NAN, 30),
    base_temperature: 10,
  };

  it('count as 0 and lower the coverage, whichever value is missing', () => {
    const result = degreeDays(gaps);
    expect(result).toMatchObject({
      days: 6,
      days_counted: 3,
      coverage: 0.5,
      total: 5 + 9 + 15,
      missing: 'zero',
    });
    expect([...result.daily]).toEqual([5, 0, 9, 0, 0, 15]);
    expect([...result.accumulated]).toEqual([5, 5, 14, 14, 14, 29]);
  });

  it('are interpolated across gaps up to the maximum, and never count as data', () => {
    const short = degreeDays({ ...gaps, missing: { interpolate: 1 } });
    expect([...short.daily]).toEqual([5, 7, 9, 0, 0, 15]);
    expect(short).toMatchObject({ days_counted: 3, days_interpolated: 1, coverage: 0.5 });
    const long = degreeDays({ ...gaps, missing: { interpolate: 2 } });
    expect(long.daily).toEqual(Float64Array.of(5, 7, 9, 11, 13, 15));
    expect(long).toMatchObject({ days_counted: 3, days_interpolated: 3, coverage: 0.5 });
    expect(gaps.tmin[1]).toBeNaN();
  });

  it('are null in a list, as NaN in an array', () => {
    const rule = { base_temperature: 10, min_temporal_coverage: 0.5 };
    const lists = { ...rule, tmin: [10, null, 12], tmax: [20, 25, 22] };
    const arrays = { ...lists, tmin: Float64Array.of(10, NAN, 12), tmax: Float64Array.of(20, 25, 22) };
    expect(degreeDays(lists)).toEqual(degreeDays(arrays));
  });

  it('remain missing at either end', () => {
    const ends = { tmin: Float64Array.of(NAN, 10, NAN), tmax: Float64Array.of(20, 20, 20) };
    const rule = { base_temperature: 10, missing: { interpolate: 5 }, min_temporal_coverage: 0 };
    expect(degreeDays({ ...ends, ...rule })).toMatchObject({
      total: 5,
      days_interpolated: 0,
    });
  });

  it('are refused by default, and where the coverage is below the required share, naming the first', () => {
    const { min_temporal_coverage: _, ...whole } = gaps;
    expect(() => degreeDays(whole)).toThrow(CoverageError);
    expect(() => degreeDays({ ...whole, start_date: '2021-06-30' })).toThrow(
      /^only 50\.0% of the days have both temperatures, but 100\.0% are required \(first missing: 2021-07-01\)/,
    );
    expect(() => degreeDays({ ...whole, missing: { interpolate: 2 } })).toThrow(/first missing: day 2\)/);
    expect(() => degreeDays({ ...gaps, min_temporal_coverage: 0.75 })).toThrow(/but 75\.0% are required/);
    const days = { tmin: new Array(3000).fill(10), tmax: [null, ...new Array(2999).fill(20)] };
    expect(() => degreeDays({ ...days, base_temperature: 10 })).toThrow(
      /^only 99\.9% .* but 100\.0% are required/,
    );
    expect(degreeDays(gaps).total).toBe(29);
    expect(() => degreeDays({ ...gaps, min_temporal_coverage: 1.5 })).toThrow(ArgumentError);
  });
});

describe('columns', () => {
  it('may be Arrow vectors, with nulls, sliced and in chunks', () => {
    const low = [10, null, 14, 16];
    const high = [20, 22, 24, 26];
    const rule = { base_temperature: 10, min_temporal_coverage: 0.75 };
    const plain = degreeDays({
      tmin: Float64Array.of(10, NAN, 14, 16),
      tmax: Float64Array.from(high),
      ...rule,
    });
    const tmin = vectorFromArray(low, new Float64());
    const tmax = tableFromArrays({ tmax: Float64Array.from(high) }).getChild('tmax')!;
    expect(degreeDays({ tmin, tmax, ...rule })).toEqual(plain);

    const padded = vectorFromArray([1, null, ...low, null, 3], new Float64()).slice(2, 6);
    const chunked = vectorFromArray(high.slice(0, 1), new Float64()).concat(
      vectorFromArray(high.slice(1), new Float64()),
    );
    expect(chunked.data.length).toBe(2);
    expect(degreeDays({ tmin: padded, tmax: chunked, ...rule })).toEqual(plain);
  });
});

it('counts 0 for every day with a cap at or below the base, by every method and cut-off', () => {
  const temperatures = { tmin: Float64Array.of(-40, 8, 12, NAN), tmax: Float64Array.of(-10, 30, 45, 20) };
  fc.assert(
    fc.property(
      fc.constantFrom(...METHODS),
      fc.constantFrom('horizontal' as const, 'intermediate' as const, 'vertical' as const),
      fc.integer({ min: -60, max: 10 }),
      (method, cutoff, cap) => {
        const days = degreeDays({
          ...temperatures,
          base_temperature: 10,
          upper_temperature_cap: cap,
          min_temporal_coverage: 0.75,
          method,
          cutoff,
        });
        expect([...days.daily]).toEqual([0, 0, 0, 0]);
        expect(days).toMatchObject({
          total: 0,
          base_temperature: 10,
          upper_temperature_cap: cap,
          days_counted: 3,
        });
      },
    ),
  );
});

describe('bad input', () => {
  it.each<[what: string, options: object, argument: string, message: RegExp]>([
    [
      'lengths that differ',
      { tmax: Float64Array.of(20) },
      'tmax',
      /tmin and tmax differ in length \(3 and 1\); pass one value/,
    ],
    ['no day', { tmin: new Float64Array(0), tmax: new Float64Array(0) }, 'tmin', /tmin is empty/],
    [
      'a cap that is NaN',
      { upper_temperature_cap: NAN },
      'upper_temperature_cap',
      /upper_temperature_cap: NaN is not a number/,
    ],
    [
      'a base that is NaN',
      { base_temperature: NAN },
      'base_temperature',
      /base_temperature: NaN is not a finite number/,
    ],
    [
      'an unknown method',
      { method: 'sine' },
      'method',
      /"sine" is unknown; did you mean single-sine\? choose one of average, /,
    ],
    [
      'an unknown cut-off',
      { upper_temperature_cap: 20, cutoff: 'sharp' },
      'cutoff',
      /choose one of none, horizontal/,
    ],
    [
      'a cut-off without cap',
      { cutoff: 'vertical' },
      'upper_temperature_cap',
      /cutoff "vertical" requires an upper threshold/,
    ],
    [
      'an unknown unit',
      { temperature_unit: 'kelvin' },
      'temperature_unit',
      /"kelvin" is unknown; choose one of celsius, fahrenheit/,
    ],
    ['a misspelling', { temperature_unit: 'Farenheit' }, 'temperature_unit', /did you mean fahrenheit\?/],
    ['an unknown policy', { missing: 'skip' }, 'missing', /choose "zero" or \{ interpolate/],
    [
      'a gap of no days',
      { missing: { interpolate: 0 } },
      'missing.interpolate',
      /0 is not a whole number of at least 1/,
    ],
    ['a start that is no date', { start_date: 'May 1' }, 'start_date', /is not a date/],
    [
      'an array of texts',
      { tmin: ['1', '2', '3'] },
      'tmin',
      /must be a Float64Array .*, a list of numbers and nulls, or an Arrow Float64 vector/,
    ],
    ['a vector of integers', { tmin: vectorFromArray(Int32Array.of(1, 2, 3)) }, 'tmin', /Float64/],
  ])('%s is an ArgumentError', (_what, options, argument, message) => {
    const attempt = () => degreeDays({ ...BASE, ...options } as DegreeDaysOptions);
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(expect.objectContaining({ argument }));
  });
});

const SEASON = {
  daily: Float64Array.of(5, 0, 7, 3),
  interval: { start_date: '2020-02-27', end_date: '2020-03-01' },
};

describe('dateOfThreshold', () => {
  it('is the first day on which the sum reaches the threshold', () => {
    expect(dateOfThreshold(SEASON, 5)).toEqual({ date: '2020-02-27', days: 1, accumulated: 5 });
    expect(dateOfThreshold(SEASON, 5.1)).toEqual({ date: '2020-02-29', days: 3, accumulated: 12 });
    expect(dateOfThreshold(SEASON, 15)).toEqual({ date: '2020-03-01', days: 4, accumulated: 15 });
    expect(dateOfThreshold(SEASON, 15.1)).toBeNull();
  });

  it('counts from the biofix', () => {
    expect(dateOfThreshold(SEASON, 7, { biofix: '2020-02-28' })).toEqual({
      date: '2020-02-29',
      days: 2,
      accumulated: 7,
    });
  });

  it('is never earlier for a higher threshold', () => {
    const values = fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { minLength: 1, maxLength: 40 });
    const targets = fc.double({ min: 0.1, max: 400, noNaN: true });
    fc.assert(
      fc.property(values, targets, targets, (list, a, b) => {
        const season = { ...SEASON, daily: Float64Array.from(list) };
        const low = dateOfThreshold(season, Math.min(a, b));
        const high = dateOfThreshold(season, Math.max(a, b));
        if (high !== null) expect(high.days).toBeGreaterThanOrEqual(low!.days);
        if (low !== null) expect(low.accumulated).toBeGreaterThanOrEqual(Math.min(a, b));
      }),
    );
  });

  it.each<[what: string, attempt: () => unknown, message: RegExp]>([
    ['no dates', () => dateOfThreshold({ ...SEASON, interval: null }, 5), /pass `start_date` to degreeDays/],
    ['a threshold in words', () => dateOfThreshold(SEASON, '5' as never), /threshold is "5"; pass/],
    ['unknown options', () => dateOfThreshold(SEASON, 5, { from: 'x' } as never), /dateOfThreshold/],
    ['a biofix that is no date', () => dateOfThreshold(SEASON, 5, { biofix: 'soon' }), /biofix/],
    ['a threshold of 0', () => dateOfThreshold(SEASON, 0), /threshold is 0; pass a number above 0/],
    ['a threshold that is NaN', () => dateOfThreshold(SEASON, Number.NaN), /threshold is NaN/],
    [
      'a biofix outside',
      () => dateOfThreshold(SEASON, 5, { biofix: '2020-03-02' }),
      /^biofix 2020-03-02 is outside the 4-day interval/,
    ],
  ])('refuses %s', (_what, attempt, message) => {
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(message);
  });
});
