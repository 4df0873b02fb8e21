import { join } from 'node:path';
import { expect } from 'vitest';
import { type Check, queryRows, shownBy, shownRows } from '../executed.js';

/** Method 2 of McMaster and Wilhelm, its climatology and its dates, by DuckDB from the days of the station. */
export const checkDegreeDays: Check = async (executed) => {
  const days = `(FROM '${join(executed.folder, 'data', 'iowa-stations.csv.gz')}'
    WHERE station = 'IA0200' AND month(day) BETWEEN 5 AND 9)`;
  const heat = `(
    SELECT year(day) AS season, day, strftime(day, '%m-%d') AS monthday,
      sum((least(greatest(low, 50), 86) + least(greatest(high, 50), 86)) / 2 - 50)
        OVER (PARTITION BY year(day) ORDER BY day) AS accumulated
    FROM ${days})`;
  const totals = await queryRows(
    `SELECT season, arg_max(accumulated, day) AS total FROM ${heat} GROUP BY season ORDER BY season`,
  );
  const shown = shownRows(executed, 'seasons').map(({ season, total }) => [Number(season), Number(total)]);
  expect(shown).toEqual(
    [...totals.slice(0, 5), ...totals.slice(-5)].map(({ season, total }) => [
      season,
      expect.closeTo(Number(total), 2),
    ]),
  );

  const ranks = await queryRows(`
    WITH now AS (SELECT monthday, accumulated FROM ${heat} WHERE season = 2012)
    SELECT monthday AS day, now.accumulated, median(other.accumulated) AS median,
      100 * avg(CASE WHEN other.accumulated <= now.accumulated THEN 1 ELSE 0 END) AS percentile,
      (now.accumulated - avg(other.accumulated)) / stddev_samp(other.accumulated) AS z
    FROM now JOIN ${heat} AS other USING (monthday)
    WHERE other.season <> 2012 AND monthday IN ('05-31', '06-30', '07-31', '08-31', '09-30')
    GROUP BY monthday, now.accumulated ORDER BY day`);
  for (const [at, row] of shownRows(executed, 'rank').entries()) {
    const { day, ...numbers } = ranks[at]!;
    expect(row.day).toBe(day);
    for (const [name, value] of Object.entries(numbers))
      expect(Number(row[name])).toBeCloseTo(Number(value), 3);
  }

  const silking =
    await queryRows(`SELECT season, min(day)::VARCHAR AS date, (min(day) - make_date(season, 5, 1) + 1)::INT AS days
    FROM ${heat} WHERE accumulated >= 1400 - 1e-9 GROUP BY season ORDER BY season`);
  const { date, days: early } = silking.find(({ season }) => season === 2012)!;
  const usual = silking
    .filter(({ season }) => season !== 2012)
    .map((one) => Number(one.days))
    .sort((a, b) => a - b)[14]!;
  expect(shownBy(executed, 'silking')).toContain(
    `2012: ${date}, day ${early} of the season; the median of the others is day ${usual}: ${usual - Number(early)} days early`,
  );

  const methods = new Map(shownRows(executed, 'methods').map(({ method, total }) => [method, Number(total)]));
  expect(methods.get('mcmaster-wilhelm-2')).toBeCloseTo(
    Number(totals.find(({ season }) => season === 2012)!.total),
    2,
  );
  const [average] = await queryRows(`SELECT sum(greatest(0, least((low + high) / 2, 86) - 50)) AS total
    FROM ${days} WHERE year(day) = 2012`);
  expect(methods.get('average')).toBeCloseTo(Number(average!.total), 2);
  // The sine of the day, by its mean over 20,000 moments.
  const [sine] = await queryRows(`SELECT sum(heat) AS total FROM (
    SELECT day, avg(greatest(0, least((low + high) / 2 + (high - low) / 2 * sin(2 * pi() * (i + 0.5) / 20000), 86) - 50)) AS heat
    FROM ${days}, range(20000) AS moments(i) WHERE year(day) = 2012 GROUP BY day)`);
  expect(methods.get('single-sine')).toBeCloseTo(Number(sine!.total), 2);
};
