import { join } from 'node:path';
import { expect } from 'vitest';
import { type Check, drawnPoints, queryRows, shownBy, shownRows } from '../executed.js';

/** States, means and weights by DuckDB from the rows of the counties; the states also as NASS publishes them. */
export const checkCropWeights: Check = async (executed) => {
  const counties = `(
    SELECT State AS state, Year AS year, "Ag District Code" AS district, County AS county,
      any_value(amount) FILTER ("Data Item" LIKE '%ACRES%') AS acres,
      any_value(amount) FILTER ("Data Item" LIKE '%YIELD%') AS yield
    FROM (SELECT *, replace(Value, ',', '')::DOUBLE AS amount
      FROM read_csv('${join(executed.folder, 'data', 'county-corn.csv.gz')}', all_varchar = true))
    GROUP BY ALL)`;
  const states = await queryRows(`SELECT state, year, sum(acres * yield) / sum(acres) AS yield
    FROM ${counties} GROUP BY ALL ORDER BY state, year`);
  const drawn = drawnPoints(executed, 'chart').map(({ v }) => v);
  expect(drawn).toEqual(states.map((row) => expect.closeTo(Number(row.yield), 6)));
  const published = { Illinois: 105, Indiana: 99, Iowa: 137, Minnesota: 165, Nebraska: 142 };
  const [drought] = shownRows(executed, 'states');
  for (const [state, bushels] of Object.entries(published))
    expect(Math.round(Number(drought![state]))).toBe(bushels);

  const plain = await queryRows(`SELECT year, count(yield)::VARCHAR AS counties, avg(yield) AS mean
    FROM ${counties} WHERE state = 'NEBRASKA' AND county NOT LIKE 'OTHER%' GROUP BY year ORDER BY year`);
  const rows = shownRows(executed, 'plain');
  expect(rows.map(({ year, counties: count }) => [year, count])).toEqual(
    plain.map(({ year, counties: count }) => [year, count]),
  );
  for (const [at, row] of rows.entries())
    expect(Number(row['plain mean'])).toBeCloseTo(Number(plain[at]!.mean), 3);

  const [wright] = await queryRows(`
    WITH means AS (SELECT district, county, avg(acres) AS acres FROM ${counties} WHERE state = 'IOWA' GROUP BY ALL)
    SELECT acres / (SELECT sum(acres) FROM means) AS weight FROM means WHERE county = 'WRIGHT'`);
  const weight = shownRows(executed, 'weights').find((row) => row.region_name === 'Wright County, Iowa')!;
  expect(Number(weight.weight)).toBeCloseTo(Number(wright!.weight), 8);

  const [{ low, high, n }] = (await queryRows(`
    WITH usual AS (SELECT state, district, county, avg(yield) AS usual FROM ${counties}
      WHERE year BETWEEN '2013' AND '2017' AND county NOT LIKE 'OTHER%' GROUP BY ALL)
    SELECT min(100 * (yield / usual - 1)) AS low, max(100 * (yield / usual - 1)) AS high, count(*)::INT AS n
    FROM ${counties} JOIN usual USING (state, district, county) WHERE year = '2012'`)) as [
    Record<string, number>,
  ];
  const said = /Values of (\d+) regions from (\S+) to (\S+)\./.exec(shownBy(executed, 'drought'))!;
  expect(said.slice(1).map(Number)).toEqual([n, expect.closeTo(low!, 6), expect.closeTo(high!, 6)]);

  const good = await queryRows(`SELECT state,
      100 * (any_value(yield) FILTER (year = '2021') / avg(yield) FILTER (year BETWEEN '2016' AND '2020') - 1) AS percent
    FROM (SELECT state, year, sum(acres * yield) / sum(acres) AS yield FROM ${counties} GROUP BY ALL)
    GROUP BY state ORDER BY state`);
  const bars = drawnPoints(executed, 'picture').map((bar) => Number((bar as unknown as { y: number }).y));
  expect(bars).toEqual(good.map(({ percent }) => expect.closeTo(Number(percent), 6)));
};
