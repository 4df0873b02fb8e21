import { join } from 'node:path';
import { expect } from 'vitest';
import { type Check, drawnPoints, queryRows, shownBy, shownCells, shownRows } from '../executed.js';

/** What is known when, by DuckDB from the reports. */
export const checkRevisions: Check = async (executed) => {
  const table = `'${join(executed.folder, 'data', 'wasde-corn.csv')}'`;
  const texts = async (sql: string) =>
    (await queryRows(sql)).map((row) => Object.values(row).map((value) => String(value)));
  expect(shownBy(executed, 'import')).toContain('495 figures, of which 480 revise');

  const last = (metric: string, until = '9999-12-31') =>
    `arg_max(value, released) FILTER (metric = '${metric}' AND released <= '${until}')`;
  const measures = ['Production quantity', 'Ending stocks', 'Price'];
  expect(shownCells(executed, 'latest').slice(0, 5)).toEqual(
    await texts(`SELECT ends::VARCHAR, ${measures.map((metric) => last(metric)).join(', ')}
      FROM ${table} GROUP BY ends ORDER BY ends`),
  );
  for (const { morning, reported, ...figures } of shownRows(executed, 'known'))
    expect([[reported, ...Object.values(figures)]]).toEqual(
      await texts(`SELECT max(released) FILTER (released <= '${morning}')::VARCHAR,
        ${measures.map((metric) => last(metric, morning)).join(', ')}
        FROM ${table} WHERE marketing_year = '2012/13'`),
    );

  const drawn = drawnPoints(executed, 'fan').map(({ t, v }) => [new Date(t).toISOString().slice(0, 10), v]);
  const reports = await texts(`SELECT released::VARCHAR, value FROM ${table}
    WHERE metric = 'Production quantity' ORDER BY starts, released`);
  expect(drawn.map(([day, value]) => [day, String(value)])).toEqual(reports);

  const errors = await queryRows(`
    WITH harvests AS (FROM ${table} WHERE metric = 'Production quantity'),
      final AS (SELECT starts, arg_max(value, released) AS last FROM harvests GROUP BY starts)
    SELECT strftime(released, '%m') AS month, count(*)::INT AS harvests,
      avg(abs(value / last - 1)) * 100 AS mean, max(abs(value / last - 1)) * 100 AS max
    FROM harvests JOIN final USING (starts)
    WHERE year(released) = year(starts) AND month(released) < 12 GROUP BY month ORDER BY month`);
  const months = shownRows(executed, 'error');
  expect(months.map(({ month, harvests }) => [month, Number(harvests)])).toEqual(
    errors.map(({ month, harvests }) => [month, harvests]),
  );
  for (const [at, { mean_percent, max_percent }] of months.entries()) {
    expect(Number(mean_percent)).toBeCloseTo(Number(errors[at]!.mean), 4);
    expect(Number(max_percent)).toBeCloseTo(Number(errors[at]!.max), 4);
  }
  expect(shownCells(executed, 'news')).toEqual(
    await texts(`SELECT starts::VARCHAR, ends::VARCHAR, released::VARCHAR, value FROM ${table}
      WHERE metric = 'Production quantity' AND released >= '2015-09-01' ORDER BY starts, released`),
  );
};
