import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_AVAILABLE_DATE } from '../../src/columns/point-columns.js';
import { RegionMeans, WeightedPeriods, type WeightingMethod } from '../../src/compute/area-weighting.js';

const YEAR = 365n * 86_400_000n;

/** One series a region with a value, null or nothing a year; regions in rows, years in columns. */
function columnsOf(values: readonly (readonly (number | null)[])[]) {
  const cells = values.flatMap((years, series) => years.map((value, year) => ({ series, year, value })));
  const { length } = cells;
  const dates = (offset: bigint) => BigInt64Array.from(cells, ({ year }) => BigInt(year) * YEAR + offset);
  return {
    length,
    series: Uint32Array.from(cells, ({ series }) => series),
    start_date: dates(0n),
    end_date: dates(YEAR - 1n),
    value: Float64Array.from(cells, ({ value }) => value ?? Number.NaN),
    value_valid: null,
    unit_id: new Int32Array(length),
    reporting_date: new BigInt64Array(length),
    reporting_valid: null,
    available_date: new BigInt64Array(length).fill(NO_AVAILABLE_DATE),
  };
}

function weigh(values: readonly (readonly (number | null)[])[], weights: number[], method: WeightingMethod) {
  const periods = new WeightedPeriods(Float64Array.from(weights), method);
  periods.add(
    columnsOf(values),
    values.map((_, region) => region),
  );
  return periods.periods();
}

describe('weighted periods', () => {
  const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  const weight = fc.double({ min: 0.001, max: 1000, noNaN: true });
  const region = fc.record({ values: fc.array(fc.option(number), { minLength: 3, maxLength: 3 }), weight });
  const regions = fc.array(region, { minLength: 1, maxLength: 8 });

  it('have a sum exactly where every region has a value', () => {
    fc.assert(
      fc.property(regions, (given) => {
        const periods = weigh(
          given.map(({ values }) => values),
          given.map((one) => one.weight),
          'sum',
        );
        periods.forEach(({ value, weightPresent }, year) => {
          const isWhole = given.every(({ values }) => values[year] !== null);
          expect([value !== null, weightPresent === 1]).toEqual([isWhole, isWhole]);
        });
      }),
    );
  });

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
    const available = 4n * YEAR;
    const cells = [
      { region: 0, start: 2n, end: 3n, value: 5, available },
      { region: 1, start: 2n, end: 3n, value: 7, available: available + 9n },
      { region: 0, start: 1n, end: 3n, value: 1, available },
      { region: 0, start: 0n, end: 1n, value: Number.NaN, available },
      { region: 0, start: 9n, end: 10n, value: 2, available: available + 1n },
    ];
    const dates = (read: (cell: (typeof cells)[number]) => bigint) => BigInt64Array.from(cells, read);
    const periods = new WeightedPeriods(Float64Array.of(3, 1), 'normalize');
    periods.add(
      {
        ...columnsOf([]),
        length: cells.length,
        series: Uint32Array.from(cells, ({ region }) => region),
        start_date: dates(({ start }) => start),
        end_date: dates(({ end }) => end),
        value: Float64Array.from(cells, ({ value }) => value),
        available_date: dates((cell) => cell.available),
      },
      [0, 1],
    );
    const availableMs = Number(available);
    expect(periods.periods()).toEqual([
      { startMs: 0, endMs: 1, value: null, weightPresent: 0, availableMs: null },
      { startMs: 1, endMs: 3, value: 1, weightPresent: 0.75, availableMs },
      { startMs: 2, endMs: 3, value: 5.5, weightPresent: 1, availableMs: availableMs + 9 },
      { startMs: 9, endMs: 10, value: 2, weightPresent: 0.75, availableMs: availableMs + 1 },
    ]);
  });

  it('have weights of exactly 1 where every region has a value, however the weights add up', () => {
    const periods = new WeightedPeriods(Float64Array.of(0.1, 0.2, 0.3), 'sum');
    periods.add(columnsOf([[1], [1], [1]]), [2, 1, 0]);
    expect(periods.periods()).toMatchObject([{ weightPresent: 1 }]);
  });

  it('ignore regions of weight 0', () => {
    expect(weigh([[2], [null], [5]], [3, 0, 0], 'sum')).toMatchObject([{ value: 6, weightPresent: 1 }]);
  });
});

it('means skip nulls, and are NaN without a value', () => {
  const means = new RegionMeans(3);
  means.add(columnsOf([[1, null, 3], [null]]), [0, 1]);
  means.add(columnsOf([[8]]), [0]);
  expect([...means.means()]).toEqual([4, Number.NaN, Number.NaN]);
});
