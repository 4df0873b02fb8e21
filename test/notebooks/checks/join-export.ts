import { join } from 'node:path';
import { expect } from 'vitest';
import { type Check, drawnPoints, queryRows, shownBy, shownRows } from '../executed.js';

/** Months, departures, the join and the SQL by DuckDB, from the days of the stations. */
export const checkJoinExport: Check = async (executed) => {
  const data = (name: string) => `'${join(executed.folder, 'data', name)}'`;
  const months = `(SELECT station_name AS station, last_day(day) AS month, sum(precip) * 25.4 AS rain
    FROM ${data('iowa-stations.csv.gz')} GROUP BY ALL)`;
  const departures = await queryRows(`
    WITH usual AS (SELECT station, month(month) AS m, avg(rain) AS rain FROM ${months} GROUP BY ALL)
    SELECT month::VARCHAR AS month, x.station, 100 * (x.rain / usual.rain - 1) AS percent
    FROM ${months} AS x JOIN usual ON x.station = usual.station AND month(month) = m
    WHERE month BETWEEN '2012-04-01' AND '2012-10-31' ORDER BY ALL`);
  const shown = shownRows(executed, 'monthly').slice(0, 7);
  for (const { month, station, percent } of departures)
    expect(Number(shown.find((row) => row.end_date === month)![String(station)])).toBeCloseTo(
      Number(percent),
      3,
    );

  const years = `(SELECT corn.year, acres, yield, sum(rain) / 3 AS rain
    FROM ${data('iowa-corn.csv')} AS corn JOIN ${months} ON year(month) = corn.year GROUP BY ALL)`;
  const expected = await queryRows(`SELECT rain, acres, yield FROM ${years} ORDER BY year`);
  expect(expected).toHaveLength(30);
  for (const file of ['model.parquet', 'model.csv']) {
    const path = join(executed.folder, 'output', file);
    const rows = await queryRows(`SELECT rain, acres, yield FROM '${path}' ORDER BY end_date`);
    for (const [at, row] of rows.entries())
      for (const [name, value] of Object.entries(row))
        expect(Number(value)).toBeCloseTo(Number(expected[at]![name]), 6);
  }
  expect(shownBy(executed, 'export')).toContain('30 rows, checksum verified');
  const answer =
    await queryRows(`SELECT CASE WHEN rain < 750 THEN 0 WHEN rain < 950 THEN 1 ELSE 2 END AS class,
    count(*)::INT AS years, round(avg(yield), 1) AS yield, round(regr_slope(yield, year), 2) AS trend
    FROM ${years} GROUP BY class ORDER BY class`);
  expect(shownRows(executed, 'sql').map((row) => Object.values(row).slice(1).map(Number))).toEqual(
    answer.map((row) => Object.values(row).slice(1)),
  );

  // Without a second implementation of the index: it orders the sums of three months as they are.
  const drawn = drawnPoints(executed, 'index').filter(
    ({ s, t }) => s === 0 && new Date(t).getUTCMonth() === 7,
  );
  const augusts =
    await queryRows(`SELECT year(month) AS year, sum(rain) OVER (ORDER BY month ROWS 2 PRECEDING) AS sum
    FROM ${months} WHERE station = 'AMES-8-WSW' QUALIFY month(month) = 8 AND year(month) BETWEEN 2010 AND 2014 ORDER BY sum`);
  const byIndex = drawn.sort((a, b) => a.v! - b.v!).map(({ t }) => new Date(t).getUTCFullYear());
  expect(byIndex).toEqual(augusts.map(({ year }) => year));
};
