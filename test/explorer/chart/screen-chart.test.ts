import { describe, expect, it } from 'vitest';
import { climatologyOf } from '../../../src/agronomy/degree-days/climatology.js';
import { degreeDays } from '../../../src/agronomy/degree-days/degree-days.js';
import { plotAccumulatedDegreeDays } from '../../../src/charts/accumulated-degree-days.js';
import { legendColumns } from '../../../src/explorer/chart/screen-chart.js';

const WIDTH = 358;

const columnsOf = (width: unknown, texts: readonly string[]) => legendColumns(width, texts).columns;

describe('a legend above a narrow chart', () => {
  it('has columns as wide as its labels need', () => {
    expect(columnsOf(WIDTH, ['2012', '2013', '2014'])).toBe(4);
    expect(columnsOf(WIDTH, ['2012', 'Seattle'])).toBe(1);
    expect(columnsOf(500, ['Iowa', 'Seattle'])).toBe(2);
    expect(columnsOf(860, ['Iowa', 'Seattle'])).toBeUndefined();
    expect(columnsOf('container', ['Iowa'])).toBeUndefined();
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
    const { figure } = plotAccumulatedDegreeDays(seasons, { climatology, width: WIDTH });
    expect(figure.bands.length).toBeGreaterThan(1);
    expect(columnsOf(WIDTH, figure.bands)).toBe(1);
  });
});
