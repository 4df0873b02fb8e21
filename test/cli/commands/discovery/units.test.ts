import { describe, expect, it } from 'vitest';
import { asking, quickStatsStore } from '../../stores.js';

const ask = asking(quickStatsStore());
const units = (...argv: string[]) => ask(['units', ...argv]);

describe('units', () => {
  it('lists the units of a metric with their conversion', async () => {
    const { code, stdout } = await units('--metric', 'yield', '--item', 'corn');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\tkg\/ha\tkilogram per hectare\tmass per area\t0\.001\t0\n/);
    const json = JSON.parse((await units('--metric', 'yield', '--json')).stdout);
    expect(json).toContainEqual(
      expect.objectContaining({
        abbreviation: 'kg/ha',
        baseConvFactor: { factor: 0.001 },
        dimension: 'mass per area',
      }),
    );
  });

  it('warns of a guess', async () => {
    const { code, stderr } = await units('--metric', 'yeild', '--item', 'maize');
    expect([code, stderr]).toEqual([0, 'warning: "Yield" was used for the metric "yeild"\n']);
  });

  it('lists every unit without a metric', async () => {
    const { code, stdout } = await units();
    expect(code).toBe(0);
    for (const line of [
      '1\t°C\tdegree Celsius\ttemperature\t1\t0',
      '130\tUSD\tUS dollar\tmoney\tnot convertible\t0',
    ])
      expect(stdout.split('\n')).toContain(line);
  });

  it('reports that nothing is found', async () => {
    expect(await units('--metric', 'zzzzzz')).toMatchObject({ code: 3 });
    expect(await units('--item', 'corn')).toMatchObject({ code: 2 });
  });
});
