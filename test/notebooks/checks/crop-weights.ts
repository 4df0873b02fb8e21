import { join } from 'node:path';
import { expect } from 'vitest';
import { type Check, drawnPoints, queryRows, shownBy, shownCells } from '../executed.js';

/** Weights, averages and sums by DuckDB from the tables that the notebook wrote. */
export const checkCropWeights: Check = async (executed) => {
  const table = (name: string) => `'${join(executed.folder, 'output', name)}'`;
  const byYear = await queryRows(`
    WITH weights AS (SELECT county, avg(area) / sum(avg(area)) OVER () AS weight FROM ${table('area.csv')} GROUP BY county),
      reported AS (SELECT DISTINCT county FROM (FROM ${table('rain.csv')} LIMIT 850))
    SELECT year::VARCHAR AS year, sum(weight * rain) AS weighted, avg(rain) AS plain, sum(area)::DOUBLE AS acres,
      avg(rain) FILTER (county IN (FROM reported)) AS partly
    FROM ${table('rain.csv')} JOIN weights USING (county) JOIN ${table('area.csv')} USING (county, year)
    GROUP BY year ORDER BY year`);
  expect(byYear).toHaveLength(10);
  const close = (value: unknown) => expect.closeTo(Number(value), 3);
  const numbers = (cell: string) => shownCells(executed, cell).map((row) => row.map(Number));
  expect(numbers('average').map((row) => row.slice(-3))).toEqual(
    byYear.map(({ weighted }) => [close(weighted), 1, expect.any(Number)]),
  );
  expect(numbers('state').map((row) => row.slice(1))).toEqual(
    byYear.map(({ year, acres, weighted }) => [Number(year), acres, close(weighted)]),
  );
  expect(shownCells(executed, 'partial')).toEqual(
    byYear.map(({ year, partly }) => [year, 'null', String(Number(Number(partly).toPrecision(7)))]),
  );
  const lines = drawnPoints(executed, 'compare').map(({ s, v }) => [s, v]);
  expect(lines).toEqual([
    ...byYear.map(({ weighted }) => [0, close(weighted)]),
    ...byYear.map(({ plain }) => [1, close(plain)]),
  ]);
  const heaviest = await queryRows(`SELECT county, avg(area) / sum(avg(area)) OVER () AS weight
    FROM ${table('area.csv')} GROUP BY county ORDER BY weight DESC LIMIT 30`);
  const bars = heaviest.map(({ county, weight }) => `${county} ${(100 * Number(weight)).toFixed(1)}%`);
  expect(shownBy(executed, 'weights')).toContain(bars.join(', '));
  const [span] = await queryRows(
    `SELECT min(area) AS low, max(area) AS high FROM ${table('area.csv')} WHERE year = 2019`,
  );
  expect(shownBy(executed, 'map')).toContain(`Values of 99 regions from ${span!.low} to ${span!.high}`);
};
