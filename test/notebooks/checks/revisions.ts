import { join } from 'node:path';
import { expect } from 'vitest';
import { type Check, drawnPoints, queryRows, shownBy, shownCells, shownRows } from '../executed.js';

/** What is known when, by DuckDB from the table that the notebook wrote. */
export const checkRevisions: Check = async (executed) => {
  const table = `'${join(executed.folder, 'output', 'reports.csv')}'`;
  const texts = async (sql: string) =>
    (await queryRows(sql)).map((row) => Object.values(row).map((value) => String(value)));
  expect(shownBy(executed, 'import')).toContain('108 figures, of which 102 revise');

  const latest = `SELECT starts::VARCHAR, any_value(ends)::VARCHAR, max(reported)::VARCHAR, arg_max(production, reported)
    FROM ${table} GROUP BY starts ORDER BY starts`;
  expect(shownCells(executed, 'latest')).toEqual(await texts(latest));

  for (const { morning, million_tonnes, reported } of shownRows(executed, 'known'))
    expect([[million_tonnes, reported]]).toEqual(
      await texts(`SELECT arg_max(production, reported), max(reported)::VARCHAR FROM ${table}
        WHERE starts = '2012-09-01' AND reported <= '${morning}'`),
    );

  const drawn = drawnPoints(executed, 'fan').map(({ t, v }) => [new Date(t).toISOString().slice(0, 10), v]);
  const reports = await texts(`SELECT reported::VARCHAR, production FROM ${table} ORDER BY starts, reported`);
  expect(drawn.map(([day, value]) => [day, String(value)])).toEqual(reports);

  const errors = await queryRows(`
    WITH final AS (SELECT starts, arg_max(production, reported) AS value FROM ${table} GROUP BY starts)
    SELECT strftime(reported, '%m') AS month, count(*)::INT AS harvests,
      avg(abs(production / value - 1)) * 100 AS mean, max(abs(production / value - 1)) * 100 AS max
    FROM ${table} JOIN final USING (starts)
    WHERE year(starts) <> 2012 AND year(reported) = year(starts) GROUP BY month ORDER BY month`);
  const months = shownRows(executed, 'error');
  expect(months.map(({ month, harvests }) => [month, Number(harvests)])).toEqual(
    errors.map(({ month, harvests }) => [month, harvests]),
  );
  for (const [at, { mean_percent, max_percent }] of months.entries()) {
    expect(Number(mean_percent)).toBeCloseTo(Number(errors[at]!.mean), 5);
    expect(Number(max_percent)).toBeCloseTo(Number(errors[at]!.max), 5);
  }
  const news = `SELECT starts::VARCHAR, ends::VARCHAR, reported::VARCHAR, production FROM ${table}
    WHERE reported >= '2015-09-01' ORDER BY reported`;
  expect(shownCells(executed, 'news')).toEqual(await texts(news));
};
