import { expect } from 'vitest';
import { type Check, drawnPoints, queryRows, shownBy, shownRows, WEATHER } from '../executed.js';

/** Counts and monthly means by DuckDB, from the published file. */
export const checkExplore: Check = async (executed) => {
  const [{ days }] = (await queryRows(
    `SELECT count(*)::INT AS days FROM '${WEATHER}' WHERE location = 'Seattle'`,
  )) as [{ days: number }];
  // The share is of whole periods: a leap day decides nothing.
  expect(shownRows(executed, 'why')).toEqual([
    expect.objectContaining({ points: String(days), share: '1' }),
    { source: 'Made-up thermometer', points: '329', share: (329 / (4 * 365)).toPrecision(7) },
  ]);
  const monthly = (how: string) =>
    queryRows(`
      SELECT ${how}(temp_max)::DOUBLE AS v, epoch_ms(date_trunc('month', date))::DOUBLE AS t, location = 'New York' AS s
      FROM '${WEATHER}' GROUP BY ALL ORDER BY s, t`);
  const means = await monthly('avg');
  const drawn = drawnPoints(executed, 'look');
  expect(drawn.map(({ s, t }) => [s, t])).toEqual(means.map(({ s, t }) => [Number(s), t]));
  for (const [at, { v }] of drawn.entries()) expect(v).toBeCloseTo(Number(means[at]!.v), 9);
  const hottest = (await monthly('max')).map(({ v }) => v);
  expect(drawnPoints(executed, 'years').map(({ v }) => v)).toEqual(hottest);
  expect(shownBy(executed, 'places')).toContain('King County, Washington → Washington → United States');
};
