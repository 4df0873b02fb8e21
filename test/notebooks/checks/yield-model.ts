import { join } from 'node:path';
import { expect } from 'vitest';
import { type Check, queryRows, shownCells } from '../executed.js';

/**
 * The years by DuckDB from the tables that the notebook wrote; the regression by the closed form for two predictors; the
 * errors of left-out years by the leverages of the whole fit, without fitting again: residual ÷ (1 − leverage).
 */
export const checkYieldModel: Check = async (executed) => {
  const table = (name: string) => `'${join(executed.folder, 'output', name)}'`;
  const years = `(
    WITH weights AS (SELECT state, avg(area) / sum(avg(area)) OVER () AS w FROM ${table('corn.csv')} GROUP BY state),
      weather AS (SELECT year(day) AS year, sum(w * greatest(0, least((low + high) / 2, 30) - 10)) AS h, sum(w * rain) AS r
        FROM ${table('weather.csv')} JOIN weights USING (state) GROUP BY 1)
    SELECT year, h, r, sum(w * yield) AS y
    FROM ${table('corn.csv')} JOIN weights USING (state) JOIN weather USING (year) GROUP BY ALL)`;
  const rows = await queryRows(`FROM ${years} ORDER BY year`);
  const shown = (id: string) => shownCells(executed, id).map((row) => row.slice(1).map(Number));
  expect(shown('seasons')).toEqual(
    rows.map(({ h, r, y }) => [
      expect.closeTo(Number(h), 3),
      expect.closeTo(Number(r), 3),
      expect.closeTo(Number(y), 5),
    ]),
  );

  const [model] = await queryRows(`
    WITH sums AS (SELECT count(*) AS n, avg(h) AS mh, avg(r) AS mr, avg(y) AS my, var_pop(h) * n AS hh,
        var_pop(r) * n AS rr, covar_pop(h, r) * n AS hr, covar_pop(h, y) * n AS hy, covar_pop(r, y) * n AS ry,
        hh * rr - hr * hr AS d FROM ${years}),
      fit AS (SELECT *, (hy * rr - ry * hr) / d AS bh, (ry * hh - hy * hr) / d AS br, my - bh * mh - br * mr AS base FROM sums),
      points AS (SELECT *, base + bh * h + br * r - y AS residual,
        1 / n + ((h - mh) ^ 2 * rr - 2 * (h - mh) * (r - mr) * hr + (r - mr) ^ 2 * hh) / d AS leverage FROM ${years}, fit)
    SELECT any_value(base) AS base, any_value(1 / bh) AS heat, any_value(1 / br) AS rain, sqrt(avg(residual ^ 2)) AS seen,
      sqrt(avg((residual / (1 - leverage)) ^ 2)) AS unseen, sqrt(avg(((y - my) * n / (n - 1)) ^ 2)) AS plain
    FROM points`);
  const { base, heat, rain, seen, unseen, plain } = model as Record<string, number>;
  const last = (id: string, at: number) => shownCells(executed, id).map((row) => Number(row.at(at)));
  expect(last('fit', -2)).toEqual([base, heat, rain].map((value) => expect.closeTo(value!, 3)));
  expect(last('leave', -1)).toEqual([seen, unseen, plain].map((value) => expect.closeTo(value!, 6)));
};
