import { join } from 'node:path';
import { expect } from 'vitest';
import { type Check, queryRows, shownBy, shownRows, WEATHER } from '../executed.js';

/** Months, the join and the years by DuckDB, from the published weather and the prices that the notebook wrote. */
export const checkJoinExport: Check = async (executed) => {
  const output = (name: string) => `'${join(executed.folder, 'output', name)}'`;
  const model = `(
    WITH months AS (
      SELECT last_day(date)::TIMESTAMP AS end_date, avg(temp_max)::DOUBLE AS high, avg(temp_min)::DOUBLE AS low,
        sum(precipitation)::DOUBLE AS rain
      FROM '${WEATHER}' WHERE location = 'Seattle' GROUP BY 1)
    SELECT end_date, high, low, rain, price::DOUBLE AS price, (high + low) / 2 AS mean, (rain > 100)::DOUBLE AS wet
    FROM months LEFT JOIN ${output('prices.csv')} ON last_day(month) = end_date ORDER BY end_date)`;
  const expected = (await queryRows(`FROM ${model}`)).map((row) => Object.values(row));
  expect(expected).toHaveLength(48);
  for (const file of ['model.parquet', 'model.csv']) {
    const rows = await queryRows(`SELECT * REPLACE (end_date::TIMESTAMP AS end_date) FROM ${output(file)}`);
    expect(rows.map((row) => Object.values(row))).toEqual(
      expected.map((row) =>
        row.map((value) => (typeof value === 'number' ? expect.closeTo(value, 8) : value)),
      ),
    );
  }
  expect(shownBy(executed, 'export')).toContain('48 rows, checksum verified, in °C and mm');
  const years = await queryRows(`SELECT year(end_date)::VARCHAR AS year, round(sum(rain), 1) AS "rain mm",
    count(price)::DOUBLE AS prices, round(avg(price) FILTER (wet = 1), 2) AS "price in wet months",
    round(avg(price) FILTER (wet = 0), 2) AS "price in dry months" FROM ${model} GROUP BY 1 ORDER BY 1`);
  const texts = years.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
  );
  expect(shownRows(executed, 'sql')).toEqual(texts);
};
