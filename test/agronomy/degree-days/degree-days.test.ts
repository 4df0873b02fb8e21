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

/** Degree days above 10, unless the rule says otherwise. */
function above10(
  tmin: DegreeDaysOptions['tmin'],
  tmax: DegreeDaysOptions['tmax'],
  rule: Partial<DegreeDaysOptions> = {},
) {
  return degreeDays({ tmin, tmax, base_temperature: 10, ...rule });
}
const LOWS = [10, 12, 14];
const HIGHS = [20, 24, 26];

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

describe('degreeDays', () => {
  it("follows the specification's rule by default: the mean, capped, above the base", () => {
    const result = above10(LOWS, HIGHS, { upper_temperature_cap: 19, start_date: '2020-02-28' });
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
    const { total, notes } = above10([30], [52.78], { base_temperature: 50 });
    const note =
      "no day's mean is above the base of 50 °C: the highest temperature is 52.78 °C; if the base is in °F, set temperature_unit (--unit) to fahrenheit";
    expect([total, notes]).toEqual([0, [note]]);
  });

  it.each<Partial<DegreeDaysOptions>>([
    {},
    { upper_temperature_cap: 12, cutoff: 'none' },
    { upper_temperature_cap: Number.POSITIVE_INFINITY },
  ])('has a null cap and a null interval without cap and start: %j', (rule) => {
    const none = { cutoff: 'none', upper_temperature_cap: null, interval: null, total: 5 + 8 + 10 };
    expect(above10(LOWS, HIGHS, rule)).toMatchObject(none);
  });

  it('agrees with numerical integration of the day, by every method and cut-off', () => {
    fc.assert(
      fc.property(days, thresholds, method, cutoff, temperature, (...drawn) => {
        const [{ tmin, tmax }, rule, method, cutoff, next_tmin] = drawn;
        const { base_temperature: base, upper_temperature_cap: cap } = rule;
        // The vertical rate is discontinuous at the cap.
        fc.pre(method !== 'mcmaster-wilhelm-2' || cutoff !== 'vertical' || !tmax.includes(cap));
        const { daily } = degreeDays({ tmin, tmax, ...rule, method, cutoff, next_tmin });
        daily.forEach((value, i) => {
          const day = [tmin[i]!, tmax[i]!, tmin[i + 1] ?? next_tmin] as const;
          expect(Math.abs(value - integratedDay(method, day, { base, cap, cutoff }))).toBeLessThan(1e-4);
        });
      }),
      { numRuns: countRuns({ quick: 25, all: 400 }) },
    );
  });

  it('adds up: the parts of a season sum to the whole, wherever it is split', () => {
    const missing = fc.subarray(Array.from({ length: 12 }, (_, day) => day));
    fc.assert(
      fc.property(days, missing, thresholds, method, cutoff, fc.nat(), temperature, (...drawn) => {
        const [{ tmin, tmax }, gaps, thresholds, method, cutoff, at, next_tmin] = drawn;
        const low = tmin.map((value, day) => (gaps.includes(day) ? NAN : value));
        const split = 1 + (at % tmin.length);
        fc.pre(split < tmin.length);
        const part = (from: number, to: number, next_tmin: number) => {
          const columns = { tmin: low.subarray(from, to), tmax: tmax.subarray(from, to), next_tmin };
          return degreeDays({ ...columns, ...thresholds, method, cutoff, min_temporal_coverage: 0 });
        };
        const whole = part(0, tmin.length, next_tmin);
        const [first, second] = [part(0, split, low[split]!), part(split, tmin.length, next_tmin)];
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
        const rule = { upper_temperature_cap: 30, cutoff: 'vertical' } as const;
        expect(above10([low], [high], { ...rule, method: 'mcmaster-wilhelm-2' }).total).toBe(expected);
      }),
    );
  });

  it('counts a mean exactly at the cap as not above it, by the vertical cut-off', () => {
    const rule = { base_temperature: 46, upper_temperature_cap: 86, cutoff: 'vertical' } as const;
    const { daily } = above10([60, 70], [80, 102], { ...rule, temperature_unit: 'fahrenheit' });
    expect([...daily]).toEqual([24, 40]);
  });

  it('uses the same minimum twice on the last day and before a missing minimum', () => {
    const single = (low: number, high: number) => above10([low], [high], { method: 'single-sine' }).total;
    const rule = { method: 'double-sine', min_temporal_coverage: 0.6 } as const;
    const { daily, days_counted } = above10([5, NAN, 8], [20, 22, 24], rule);
    expect([...daily]).toEqual([single(5, 20), 0, single(8, 24)]);
    expect(days_counted).toBe(2);
  });

  it.each(METHODS)('changes a minimum above its maximum with it, and counts the day, by %s', (method) => {
    const right = above10([8], [25], { upper_temperature_cap: 22, method });
    const inverted = above10([25], [8], { upper_temperature_cap: 22, method, next_tmin: 8 });
    expect([right.days_inverted, inverted.days_inverted]).toEqual([0, 1]);
    if (!method.startsWith('double')) expect(inverted.total).toBe(right.total);
  });

  it('is not clipped at zero under the intermediate cut-off, and 0 above the cap under the vertical', () => {
    for (const method of METHODS) {
      const hot = { upper_temperature_cap: 25, method };
      expect(above10([40], [44], { ...hot, cutoff: 'intermediate' }).total).toBeCloseTo(15 - 17, 12);
      expect(above10([40], [44], { ...hot, cutoff: 'vertical' }).total).toBe(0);
      expect(above10([40], [44], hot).total).toBe(15);
    }
  });

  it('counts 0 for every day with a cap at or below the base, by every method and cut-off', () => {
    const cutoff = fc.constantFrom('horizontal', 'intermediate', 'vertical');
    fc.assert(
      fc.property(method, cutoff, fc.integer({ min: -60, max: 10 }), (method, cutoff, cap) => {
        const rule = { upper_temperature_cap: cap, min_temporal_coverage: 0.75, method, cutoff };
        expect(above10([-40, 8, 12, NAN], [-10, 30, 45, 20], rule)).toMatchObject({
          daily: new Float64Array(4),
          total: 0,
          base_temperature: 10,
          upper_temperature_cap: cap,
          days_counted: 3,
        });
      }),
    );
  });
});

describe('missing days', () => {
  const GAPS = [
    [10, NAN, 14, NAN, NAN, 20],
    [20, 22, 24, 26, NAN, 30],
  ] as const;
  const half = { min_temporal_coverage: 0.5 };

  it('count as 0 and lower the coverage, whichever value is missing', () => {
    expect(above10(...GAPS, half)).toMatchObject({
      days: 6,
      days_counted: 3,
      coverage: 0.5,
      total: 5 + 9 + 15,
      missing: 'zero',
      daily: Float64Array.of(5, 0, 9, 0, 0, 15),
      accumulated: Float64Array.of(5, 5, 14, 14, 14, 29),
    });
  });

  it('are interpolated across gaps up to the maximum, in a copy, and never count as data', () => {
    const [tmin, tmax] = GAPS.map((values) => Float64Array.from(values)) as [Float64Array, Float64Array];
    const interpolated = (interpolate: number) => above10(tmin, tmax, { ...half, missing: { interpolate } });
    expect(interpolated(1)).toMatchObject({
      daily: Float64Array.of(5, 7, 9, 0, 0, 15),
      days_counted: 3,
      days_interpolated: 1,
      coverage: 0.5,
    });
    expect(interpolated(2)).toMatchObject({
      daily: Float64Array.of(5, 7, 9, 11, 13, 15),
      days_counted: 3,
      days_interpolated: 3,
      coverage: 0.5,
    });
    expect([[...tmin], [...tmax]]).toEqual(GAPS);
    const equal = above10([15, 12, 16], [15, NAN, 20], { ...half, missing: { interpolate: 2 } });
    expect(equal).toMatchObject({ days_inverted: 0, days_interpolated: 1 });
  });

  it('are null in a list, as NaN in an array', () => {
    const arrays = [Float64Array.of(10, NAN, 12), Float64Array.of(20, 25, 22)] as const;
    expect(above10([10, null, 12], [20, 25, 22], half)).toEqual(above10(...arrays, half));
  });

  it('remain missing at either end', () => {
    const ends = above10([NAN, 10, NAN], [20, 20, 20], {
      missing: { interpolate: 5 },
      min_temporal_coverage: 0,
    });
    expect(ends).toMatchObject({ total: 5, days_interpolated: 0 });
  });

  it('are those without two finite extremes', () => {
    const infinite = [
      [Number.NEGATIVE_INFINITY, 12],
      [20, 24],
    ] as const;
    expect(() => above10(...infinite)).toThrow(/^only 50\.0% .* \(first missing: day 1\)/);
    expect(above10(...infinite, half)).toMatchObject({ total: 8, days_counted: 1 });
  });

  it('are refused by default, and where the coverage is below the required share, naming the first', () => {
    expect(() => above10(...GAPS)).toThrow(CoverageError);
    expect(() => above10(...GAPS, { start_date: '2021-06-30' })).toThrow(
      /^only 50\.0% of the days have both temperatures, but 100\.0% are required \(first missing: 2021-07-01\)/,
    );
    expect(() => above10(...GAPS, { missing: { interpolate: 2 } })).toThrow(/first missing: day 2\)/);
    expect(() => above10(...GAPS, { min_temporal_coverage: 0.75 })).toThrow(/but 75\.0% are required/);
    expect(() => above10(new Array(3000).fill(10), [null, ...new Array(2999).fill(20)])).toThrow(
      /^only 99\.9% .* but 100\.0% are required/,
    );
    expect(() => above10(...GAPS, { min_temporal_coverage: 1.5 })).toThrow(ArgumentError);
  });
});

it('columns may be Arrow vectors, with nulls, sliced and in chunks', () => {
  const [low, high] = [
    [10, null, 14, 16],
    [20, 22, 24, 26],
  ];
  const rule = { min_temporal_coverage: 0.75 };
  const plain = above10(Float64Array.of(10, NAN, 14, 16), Float64Array.from(high), rule);
  const vector = (values: readonly (number | null)[]) => vectorFromArray(values, new Float64());
  const tmax = tableFromArrays({ tmax: Float64Array.from(high) }).getChild('tmax')!;
  expect(above10(vector(low), tmax, rule)).toEqual(plain);

  const padded = vector([1, null, ...low, null, 3]).slice(2, 6);
  const chunked = vector(high.slice(0, 1)).concat(vector(high.slice(1)));
  expect(chunked.data.length).toBe(2);
  expect(above10(padded, chunked, rule)).toEqual(plain);
});

it.each<[what: string, options: object, argument: string, message: RegExp]>([
  [
    'lengths that differ',
    { tmax: [20] },
    'tmax',
    /tmin and tmax differ in length \(3 and 1\); pass one value/,
  ],
  ['no day', { tmin: [], tmax: [] }, 'tmin', /tmin is empty/],
  ['a cap that is NaN', { upper_temperature_cap: NAN }, 'upper_temperature_cap', /NaN is not a number/],
  ['a base that is NaN', { base_temperature: NAN }, 'base_temperature', /NaN is not a finite number/],
  [
    'an unknown method',
    { method: 'sine' },
    'method',
    /"sine" is unknown; did you mean single-sine\? choose one of average, /,
  ],
  ['an unknown cut-off', { cutoff: 'sharp' }, 'cutoff', /choose one of none, horizontal/],
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
    /a whole number of at least 1/,
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
  const attempt = () => above10(LOWS, HIGHS, options);
  expect(attempt).toThrow(ArgumentError);
  expect(attempt).toThrow(message);
  expect(attempt).toThrow(expect.objectContaining({ argument }));
});

const SEASON = {
  daily: Float64Array.of(5, 0, 7, 3),
  interval: { start_date: '2020-02-27', end_date: '2020-03-01' },
};

describe('dateOfThreshold', () => {
  it.each([
    [5, {}, { date: '2020-02-27', days: 1, accumulated: 5 }],
    [5.1, {}, { date: '2020-02-29', days: 3, accumulated: 12 }],
    [15, {}, { date: '2020-03-01', days: 4, accumulated: 15 }],
    [15.1, {}, null],
    [7, { biofix: '2020-02-28' }, { date: '2020-02-29', days: 2, accumulated: 7 }],
  ])('is the first day on which the sum since the biofix reaches %d: %j', (threshold, options, found) => {
    expect(dateOfThreshold(SEASON, threshold, options)).toEqual(found);
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
    ['a threshold that is NaN', () => dateOfThreshold(SEASON, NAN), /threshold is NaN/],
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
