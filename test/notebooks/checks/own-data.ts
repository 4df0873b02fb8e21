import { join } from 'node:path';
import { expect } from 'vitest';
import { type Check, drawnPoints, queryRows, shownBy, shownRows } from '../executed.js';

/** The account and the frosts by DuckDB from the days of the stations. */
export const checkOwnData: Check = async (executed) => {
  const days = `'${join(executed.folder, 'data', 'iowa-stations.csv.gz')}'`;
  const [counts] = await queryRows(`SELECT count(high) + count(low) + count(precip) AS points FROM ${days}`);
  const points = String(counts!.points);
  expect(shownRows(executed, 'fix').map((row) => [row.points, row.added, row.revised])).toEqual([
    [String(Number(points) - 1), points, '0'],
    [points, '1', '1'],
    [points, '0', '0'],
  ]);
  expect(shownBy(executed, 'document')).toContain(
    'line 3 of iowa-stations.csv: the high "M" is not a number',
  );

  const frosts = await queryRows(`
    WITH frosts AS (
      SELECT station, year(day) AS year,
        max(day) FILTER (strftime(day, '%m-%d') < '07-15') AS last,
        min(day) FILTER (strftime(day, '%m-%d') >= '07-15') AS first
      FROM ${days} WHERE low < 32 GROUP BY ALL)
    SELECT station, year, (first - last - 1)::INT AS days FROM frosts ORDER BY station, year`);
  const drawn = (station: number) =>
    drawnPoints(executed, 'picture')
      .filter(({ s }) => s === station)
      .map(({ v }) => v);
  for (const [at, station] of ['IA0200', 'IA1063', 'IA7708'].entries())
    expect(drawn(at)).toEqual(frosts.filter((row) => row.station === station).map((row) => row.days));
};
