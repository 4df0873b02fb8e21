import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedded } from '../../src/embedded.js';
import { fromRows } from '../../src/frame/formats/from-rows.js';
import { openDemoEmbedded } from '../journeys/demo-service.js';

let embedded: Embedded;
beforeAll(async () => {
  embedded = await openDemoEmbedded();
});
afterAll(() => embedded.close());

describe('client.sql', () => {
  it('asks the store by names, with values bound and the sources of the store', async () => {
    const answer = await embedded.client.sql()`
      SELECT region, count(*) AS days FROM data WHERE item = ${'Temperature max'} GROUP BY ALL ORDER BY ALL`;
    expect(answer.toRows()[0]).toEqual({ region: 'New York City weather station', days: 1461n });
    const { sources, derived } = answer.summary();
    expect(sources.map(({ name }) => name)).toContain('NOAA daily weather (vega-datasets)');
    expect(sources.every(({ licence }) => licence !== '')).toBe(true);
    expect(derived[0]).toContain('SELECT region, count(*)');
  });

  it('joins tables of one’s own, and knows the macros', async () => {
    const farms = fromRows([{ farm: 'Hill', region: 'Seattle weather station' }]);
    const [row] = (
      await embedded.client.sql({ farms })`
      SELECT farm, round(max(convert(value, unit, '°F')), 2) AS hottest
      FROM as_of('2030-01-01') JOIN farms USING (region) WHERE item = 'Temperature max' GROUP BY ALL;`
    ).toRows();
    expect(row).toEqual({ farm: 'Hill', hottest: 96.08 });
  });

  it('ends when it is aborted, and the store goes on', async () => {
    const abort = new AbortController();
    const done: number[] = [];
    const endless = embedded.client.sql(
      {},
      {
        signal: abort.signal,
        onProgress: (progress) => {
          done.push(progress.done);
          abort.abort(new Error('enough'));
        },
      },
    )`SELECT sum(a.range * b.range) FROM range(100000000) a, range(1000000) b`;
    await expect(endless).rejects.toThrow('enough');
    expect(done.length).toBeGreaterThan(0);
    expect((await embedded.client.sql()`SELECT 1 AS one`).numRows).toBe(1);
  });
});
