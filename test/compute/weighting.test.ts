import { describe, expect, it } from 'vitest';
import { packRows } from '../../src/columns/packed-points.js';
import {
  type RegionRun,
  regionRun,
  WeightedPeriods,
  type WeightingRule,
  weightRun,
} from '../../src/compute/weighting.js';

const NAN = Number.NaN;
const YEAR = 365 * 86_400_000;
const POINT = { unitId: 1, reportingMs: null, availableMs: 0 };

/** The values of regions, null where missing, by years from the first on. */
function runsOf(values: readonly (readonly (number | null)[])[]): RegionRun[] {
  return values.map((years, region) => {
    const rows = years.map((value, year) => ({
      ...POINT,
      startMs: year * YEAR,
      endMs: (year + 1) * YEAR - 1,
      value,
    }));
    return regionRun(packRows(0, rows), region);
  });
}

function weightsOf(weights: readonly number[]) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { of: (region: number) => weights[region]!, varies: false, total };
}

/** The value and the weight of each period. */
function weigh(
  values: readonly (readonly (number | null)[])[],
  { weights, rests, ...rule }: { weights: readonly number[]; rests?: Map<number, number[]> } & WeightingRule,
) {
  const periods = new WeightedPeriods(weightsOf(weights), rule, rests);
  for (const run of runsOf(values)) periods.add(run);
  return periods.periods().map(({ value, weight_present }) => [value, weight_present]);
}

/** Three years of two regions: the first has a null, the second lacks the last year. */
const YIELDS = [
  [100, null, 120],
  [80, 60],
];
const SHARES = [0.75, 0.25];

describe('weighted periods', () => {
  it('have no value where no region of positive weight has one, whatever suffices', () => {
    for (const how of ['sum', 'mean'] as const)
      expect(weigh(YIELDS, { weights: [1, 0], how, min_weight_present: 0 })).toEqual([
        [100, 1],
        [NAN, 0],
        [120, 1],
      ]);
  });

  it('take weights that round to their total for all of it', () => {
    const weights = new Array(10).fill(0.1);
    expect(
      weigh(
        weights.map(() => [7]),
        { weights, how: 'mean' },
      ),
    ).toEqual([[expect.closeTo(7, 12), 1]]);
  });

  it('take a region without a weight in the period for one without a value', () => {
    const of = (region: number, startMs: number) => (region === 1 && startMs > 0 ? NAN : SHARES[region]!);
    const weights = { of, varies: true, total: 1 };
    const periods = new WeightedPeriods(weights, { how: 'mean', min_weight_present: 0 });
    const runs = runsOf([
      [100, 100],
      [80, 80],
    ]);
    for (const run of runs) periods.add(run);
    expect(periods.periods().map(({ value, weight_present }) => [value, weight_present])).toEqual([
      [95, 1],
      [100, 0.75],
    ]);
    expect(weightRun(runs[1]!, weights, undefined)).toEqual(Float64Array.of(20, NAN));
  });

  it('are completed by the value of a rest, in the periods and for the regions that have none', () => {
    const weights = [1, 1, 1, 0, 0];
    const sum = { weights, how: 'sum', weighting_func: (_: number, value: number) => value } as const;
    const members = [[1, 2, 3], [10, null, null], []];
    const rest = (values: (number | null)[], others: number[]) =>
      weigh([...members, values], { ...sum, rests: new Map([[3, others]]) });
    expect(rest([null, 5, 6], [1, 2])).toEqual([
      [NAN, 2 / 3],
      [7, 1],
      [9, 1],
    ]);
    expect(rest([4, 5, null], [2]).map(([value]) => value)).toEqual([15, NAN, NAN]);
    const twice = new Map([
      [3, [1, 2]],
      [4, [1, 2]],
    ]);
    expect(weigh([...members, [4, 5, 6], [1, 1, 1]], { ...sum, rests: twice })).toEqual([
      [16, 1],
      [8, 1],
      [10, 1],
    ]);
  });

  it('are ordered by end and start, and as recent as their latest value, with its remarks', () => {
    const available = 4 * YEAR;
    const periods = new WeightedPeriods(weightsOf([3, 1]), { how: 'mean', min_weight_present: 0 });
    const point = { ...POINT, availableMs: available };
    const run = (region: number, rows: object[], remarks?: string[]) =>
      periods.add({
        ...regionRun(packRows(0, rows.map((row) => ({ ...point, ...row })) as never), region),
        remarks,
      });
    run(0, [{ startMs: 2, endMs: 3, value: 5 }], ['{"flag":"E"}']);
    run(1, [{ startMs: 2, endMs: 3, value: 7, availableMs: available + 9 }], ['{"flag":"F"}']);
    run(0, [
      { startMs: 1, endMs: 3, value: 1 },
      { startMs: 0, endMs: 1, value: NAN },
      { startMs: 9, endMs: 10, value: 2, availableMs: available + 1 },
    ]);
    expect(periods.periods()).toEqual([
      { start: 0, end: 1, value: NAN, weight_present: 0, available: NAN, remarks: new Set() },
      { start: 1, end: 3, value: 1, weight_present: 0.75, available, remarks: new Set() },
      {
        ...{ start: 2, end: 3, value: 5.5, weight_present: 1, available: available + 9 },
        remarks: new Set(['{"flag":"E"}', '{"flag":"F"}']),
      },
      { start: 9, end: 10, value: 2, weight_present: 0.75, available: available + 1, remarks: new Set() },
    ]);
  });

  it('have no available date if that of one value is unknown, whichever value comes first', () => {
    for (const dates of [
      [100, NAN, 50],
      [NAN, 100, 50],
      [50, 100, NAN],
    ]) {
      const periods = new WeightedPeriods(weightsOf([1, 1, 1]), { how: 'mean' });
      for (const [region, available] of dates.entries()) {
        const dated = {
          start_date: Float64Array.of(0),
          end_date: Float64Array.of(1),
          value: Float64Array.of(2),
        };
        periods.add({ region, ...dated, available_date: Float64Array.of(available) });
      }
      expect(periods.periods()).toMatchObject([{ value: 2, available: NAN }]);
    }
  });
});
