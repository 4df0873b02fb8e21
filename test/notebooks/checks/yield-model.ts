import { join } from 'node:path';
import { expect } from 'vitest';
import { solve } from '../../linear-equations.js';
import { type Check, queryRows, shownCells, shownRows } from '../executed.js';

/**
 * The years by DuckDB from the days and yields; the errors by the normal equations, and those of left-out years by the
 * leverages of the whole fit, without fitting again: residual ÷ (1 − leverage).
 */
export const checkYieldModel: Check = async (executed) => {
  const data = (name: string) => `'${join(executed.folder, 'data', name)}'`;
  const years = (await queryRows(`
    SELECT corn.year AS year,
      sum((least(greatest(low, 50), 86) + least(greatest(high, 50), 86)) / 2 - 50)
        FILTER (month(day) BETWEEN 5 AND 9) / 3 AS heat,
      sum(precip) FILTER (month(day) IN (7, 8)) / 3 AS rain,
      count(*) FILTER (high > 90 AND month(day) IN (7, 8)) / 3 AS hot, any_value(yield)::DOUBLE AS yield
    FROM ${data('iowa-stations.csv.gz')} JOIN ${data('iowa-corn.csv')} AS corn ON year(day) = corn.year
    GROUP BY corn.year ORDER BY corn.year`)) as unknown as Record<
    'year' | 'heat' | 'rain' | 'hot' | 'yield',
    number
  >[];
  const shown = shownCells(executed, 'years').map((row) => row.map(Number));
  expect(shown).toHaveLength(10);
  for (const row of shown) {
    const { heat, rain, hot, yield: harvested } = years.find(({ year }) => year === row[0])!;
    for (const [at, value] of [heat, rain, hot, harvested].entries())
      expect(row[at + 1]).toBeCloseTo(value, 3);
  }

  type Row = (typeof years)[number];
  const trend = (row: Row) => row.year - 2004.5;
  const rain = (row: Row) => row.rain - 8;
  const heat = (row: Row) => (row.heat - 2900) / 100;
  const models: readonly ((row: Row) => number)[][] = [
    [],
    [trend],
    [trend, heat],
    [trend, rain],
    [trend, (row) => row.hot],
    [trend, rain, (row) => rain(row) ** 2],
    [trend, rain, (row) => rain(row) ** 2, heat],
  ];
  const errors = models.map((predictors) => {
    const matrix = years.map((row) => [1, ...predictors.map((predictor) => predictor(row))]);
    const harvests = years.map((row) => row.yield);
    const normal = matrix[0]!.map((_, i) =>
      matrix[0]!.map((_, j) => matrix.reduce((sum, row) => sum + row[i]! * row[j]!, 0)),
    );
    const by = (right: readonly number[]) => solve(normal, right);
    const slopes = by(
      matrix[0]!.map((_, i) =>
        dot(
          matrix.map((row) => row[i]!),
          harvests,
        ),
      ),
    );
    const residuals = matrix.map((row, at) => dot(row, slopes) - harvests[at]!);
    const left = residuals.map((residual, at) => residual / (1 - dot(matrix[at]!, by(matrix[at]!))));
    return [residuals, left].map((all) => Math.sqrt(dot(all, all) / all.length));
  });
  const trendError = errors[1]![1]!;
  for (const [at, row] of shownRows(executed, 'honest').entries()) {
    const [seen, unseen] = errors[at]!;
    const values = [seen!, unseen!, 1 - (unseen! / trendError) ** 2];
    for (const [column, value] of values.entries())
      expect(Number(Object.values(row)[column + 1])).toBeCloseTo(value, 4);
  }
};

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
