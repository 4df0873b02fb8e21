import { describe, expect, it } from 'vitest';
import { climatologyOf } from '../../../src/agronomy/degree-days/climatology.js';
import { degreeDays } from '../../../src/agronomy/degree-days/degree-days.js';
import { plotAccumulatedDegreeDays } from '../../../src/charts/accumulated-degree-days.js';
import { withNarrowLegends } from '../../../src/explorer/chart/narrow-legends.js';

const WIDTH = 358;

function columnsOf(spec: object, labels: readonly string[] = []): number | undefined {
  const narrow = withNarrowLegends(
    spec,
    labels.map((label) => ({ label })),
  ) as { config?: { legend?: { columns?: number } } };
  return narrow.config?.legend?.columns;
}

describe('a legend above a narrow chart', () => {
  it('has columns as wide as its labels need', () => {
    expect(columnsOf({ width: WIDTH }, ['2012', '2013', '2014'])).toBe(4);
    expect(columnsOf({ width: WIDTH }, ['2012', 'Seattle'])).toBe(1);
    expect(columnsOf({ width: 500 }, ['Iowa', 'Seattle'])).toBe(2);
    expect(columnsOf({ width: 860 }, ['Iowa', 'Seattle'])).toBeUndefined();
    expect(columnsOf({ width: 'container' }, ['Iowa'])).toBeUndefined();
  });

  it('names each band of a climatology in a row of its own', () => {
    const seasons = [2019, 2020].map((year, i) => {
      const tmin = new Float64Array(153).fill(10 + i);
      const tmax = new Float64Array(153).fill(20 + i);
      return degreeDays({ tmin, tmax, base: 10, method: 'average', start: `${year}-05-01` });
    });
    const climatology = climatologyOf(
      seasons.map(({ interval, accumulated }) => ({ start: interval!.start_date, values: accumulated })),
    );
    const { spec } = plotAccumulatedDegreeDays(seasons, { climatology, width: WIDTH });
    expect(columnsOf(spec)).toBe(1);
  });
});
