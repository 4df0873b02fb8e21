import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PackedPoints, packRows } from '../../src/columns/packed-points.js';
import { RegionMeans, WeightedPeriods, type WeightingMethod } from '../../src/compute/area-weighting.js';

const YEAR = 365 * 86_400_000;

/** One series a region with a value, null or nothing a year; regions in rows, years in columns. */
function runsOf(values: readonly (readonly (number | null)[])[]): PackedPoints[] {
  return values.map((years, series) =>
    packRows(
      series,
      years.map((value, year) => ({ ...POINT, startMs: year * YEAR, endMs: (year + 1) * YEAR - 1, value })),
    ),
  );
}

const POINT = { unitId: 1, reportingMs: null, availableMs: 0 };

function weigh(values: readonly (readonly (number | null)[])[], weights: number[], method: WeightingMethod) {
  const periods = new WeightedPeriods(Float64Array.from(weights), method);
  for (const run of runsOf(values))
    periods.add(
      run,
      values.map((_, region) => region),
    );
  return periods.periods();
}

describe('weighted periods', () => {
  const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  const weight = fc.double({ min: 0.001, max: 1000, noNaN: true });
  const region = fc.record({ values: fc.array(fc.option(number), { minLength: 3, maxLength: 3 }), weight });
  const regions = fc.array(region, { minLength: 1, maxLength: 8 });

  it('are, normalized, within the range of the values', () => {
    fc.assert(
      fc.property(regions, (given) => {
        const periods = weigh(
          given.map(({ values }) => values),
          given.map((one) => one.weight),
          'normalize',
        );
        periods.forEach(({ value }, year) => {
          const present = given.flatMap(({ values }) => values[year] ?? []);
          expect(value === null).toBe(present.length === 0);
          expect(value ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(Math.min(...present) - 1e-6);
          expect(value ?? Number.NEGATIVE_INFINITY).toBeLessThanOrEqual(Math.max(...present) + 1e-6);
        });
      }),
    );
  });

  it('are weighed, ordered by end and start, and as recent as their latest value', () => {
    const availableMs = 4 * YEAR;
    const periods = new WeightedPeriods(Float64Array.of(3, 1), 'normalize');
    const point = { ...POINT, availableMs };
    const runs = [
      packRows(0, [{ ...point, startMs: 2, endMs: 3, value: 5 }]),
      packRows(1, [{ ...point, startMs: 2, endMs: 3, value: 7, availableMs: availableMs + 9 }]),
      packRows(0, [
        { ...point, startMs: 1, endMs: 3, value: 1 },
        { ...point, startMs: 0, endMs: 1, value: Number.NaN },
        { ...point, startMs: 9, endMs: 10, value: 2, availableMs: availableMs + 1 },
      ]),
    ];
    for (const run of runs) periods.add(run, [0, 1]);
    expect(periods.periods()).toEqual([
      { startMs: 0, endMs: 1, value: null, weightPresent: 0, availableMs: null },
      { startMs: 1, endMs: 3, value: 1, weightPresent: 0.75, availableMs },
      { startMs: 2, endMs: 3, value: 5.5, weightPresent: 1, availableMs: availableMs + 9 },
      { startMs: 9, endMs: 10, value: 2, weightPresent: 0.75, availableMs: availableMs + 1 },
    ]);
  });
});

it('means skip nulls, and are NaN without a value', () => {
  const means = new RegionMeans(3);
  for (const run of runsOf([[1, null, 3], [null]])) means.add(run, [0, 1]);
  for (const run of runsOf([[8]])) means.add(run, [0]);
  expect([...means.means()]).toEqual([4, Number.NaN, Number.NaN]);
});
