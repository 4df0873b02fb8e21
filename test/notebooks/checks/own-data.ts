import { join } from 'node:path';
import { expect } from 'vitest';
import { type Check, drawnPoints, queryRows, shownBy, shownCells, shownRows, WEATHER } from '../executed.js';

/** The trial and the rain by week, by DuckDB from the files. */
export const checkOwnData: Check = async (executed) => {
  const trial = `(SELECT plot, strptime(date, '%d.%m.%Y')::DATE AS monday,
      try_cast(replace(moisture, ',', '.') AS DOUBLE) AS moisture, replace(height, ',', '.')::DOUBLE AS height
    FROM read_csv('${join(executed.folder, 'data', 'field-trial.csv')}', delim = ';', all_varchar = true))`;
  const weeks = await queryRows(`
    WITH rain AS (SELECT date_trunc('week', date) AS monday, sum(precipitation) AS rain
      FROM '${WEATHER}' WHERE location = 'Seattle' GROUP BY 1)
    SELECT (a.monday + 6)::VARCHAR AS sunday, a.moisture AS am, a.height AS ah, b.moisture AS bm,
      CASE WHEN b.height = 149.9 THEN 151.4 ELSE b.height END AS bh, round(rain, 6) AS rain
    FROM ${trial} AS a JOIN ${trial} AS b USING (monday) JOIN rain USING (monday)
    WHERE a.plot = 'Plot A' AND b.plot = 'Plot B' ORDER BY 1`);
  expect(weeks).toHaveLength(13);
  const texts = weeks.map((week) => Object.values(week).map((value) => String(value)));
  expect(shownCells(executed, 'beside')).toEqual(texts);
  const [counts] = await queryRows(
    `SELECT count(moisture) + count(height) AS points, 2 * count(*) AS added FROM ${trial}`,
  );
  expect(shownRows(executed, 'fix')).toEqual([
    expect.objectContaining({
      points: String(counts!.points),
      added: String(counts!.added),
      rejectedRows: '0',
    }),
  ]);
  expect(shownBy(executed, 'mapping')).toContain(
    'line 15 of field-trial.csv: the moisture "sensor?" is not a number',
  );
  const values = drawnPoints(executed, 'look').flatMap(({ v }) => (v === null ? [] : [v]));
  const known = ['am', 'ah', 'bm', 'bh'].flatMap((name) =>
    weeks.flatMap((week) => (week[name] === null ? [] : [week[name]])),
  );
  expect(values.sort()).toEqual(known.sort());
};
