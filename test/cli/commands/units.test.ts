import { describe, expect, it } from 'vitest';
import { runCommand } from '../capture.js';
import { quickStatsStore } from '../stores.js';

const { store } = quickStatsStore();
const units = (...argv: string[]) => runCommand(['units', ...argv, '--store', store]);

describe('units', () => {
  it('lists the units of a metric with their conversion', async () => {
    const { code, stdout } = await units('--metric', 'yield', '--item', 'corn');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\tkg\/ha\tkilogram per hectare\t0\.001\t0\n/);
    const json = JSON.parse((await units('--metric', 'yield', '--json')).stdout);
    expect(json).toContainEqual(
      expect.objectContaining({ abbreviation: 'kg/ha', baseConvFactor: { factor: 0.001 } }),
    );
  });

  it('reports that nothing is found', async () => {
    expect(await units('--metric', 'zzzzzz')).toMatchObject({ code: 3 });
    expect(await units()).toMatchObject({ code: 2 });
  });
});
