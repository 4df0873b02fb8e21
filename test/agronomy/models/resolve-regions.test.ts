import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { weightsFrame } from '../../../src/agronomy/models/weights-frame.js';
import type { Embedded } from '../../../src/embedded.js';
import { openDemoEmbedded } from '../../journeys/demo-service.js';

let embedded: Embedded;
beforeAll(async () => {
  embedded = await openDemoEmbedded();
});
afterAll(() => embedded?.close());

const byArea = { weighting_crop_name: 'Corn', weighting_metric_name: 'Area harvested' };
const NAMES = ['Washington', 'New York'];

async function withIds(names: readonly string[]) {
  const { client } = embedded;
  return Promise.all(
    names.map(async (name) => ({ id: (await client.searchForEntity('regions', name))!, name })),
  );
}

describe('regions by name', () => {
  it('resolve to the best hit of the search', async () => {
    const { client } = embedded;
    const states = await withIds(NAMES);
    const options = { ...byArea, item_name: 'Corn', metric_name: 'Yield' };
    const byName = await client.computeCropWeightedSeries({ ...options, regions: NAMES });
    const byId = await client.computeCropWeightedSeries({ ...options, regions: states });
    expect(byName.toRows()).toEqual(byId.toRows());
    expect(await client.computeWeights('Corn', 'Area harvested', NAMES)).toEqual(
      await client.computeWeights('Corn', 'Area harvested', states),
    );
    expect(byName.provenance?.request).toMatchObject({ regions: NAMES });
  });

  it('may be ids alone, whose names are looked up', async () => {
    const { client } = embedded;
    const ids = (await withIds(NAMES)).map(({ id }) => id);
    const weights = await client.computeWeights('Corn', 'Area harvested', NAMES);
    expect(await client.computeWeights('Corn', 'Area harvested', ids)).toEqual(weights);
    const regions = ids.map((id) => ({ id }));
    const explained = await client.explainWeights('Corn', 'Area harvested', { regions });
    expect(
      weightsFrame(explained)
        .toRows()
        .map(({ region_name }) => region_name),
    ).toEqual(NAMES);
    await expect(client.computeWeights('Corn', 'Area harvested', [{} as { id: number }])).rejects.toThrow(
      /regions\[0\]\.name: is missing/,
    );
  });

  it('can have a proxy region by name or by id', async () => {
    const { client } = embedded;
    const [seattle] = await withIds(['Seattle']);
    const heat = { ...byArea, item_name: 'Temperature max', metric_name: 'Temperature' };
    const regions = [
      { name: 'Washington', proxy_region: seattle! },
      { name: 'New York', proxy_region: 'New York City' },
    ];
    const average = (await client.computeCropWeightedAverage({ ...heat, regions })).toRows();
    const [washington, newYork] = await client.computeWeights('Corn', 'Area harvested', NAMES);
    expect(average[0]!.value).toBeCloseTo(12.8 * washington! + 10 * newYork!, 9);
  });

  it('are named in the error when they are unknown', async () => {
    await expect(
      embedded.client.computeWeights('Corn', 'Area harvested', ['Washington', 'Qqqqzzzz']),
    ).rejects.toThrow(/regions: no region is called "Qqqqzzzz"/);
  });

  it('become a frame with weight and source, null without data', async () => {
    const explained = await embedded.client.explainWeights('Corn', 'Area harvested', {
      regions: ['Washington', 'Alaska', 'New York'],
    });
    const [washington, alaska, newYork] = weightsFrame(explained).toRows();
    expect(washington).toMatchObject({
      region_name: 'Washington',
      requested: 'Washington',
      weight: explained.weights[0],
    });
    expect(washington!.source_name).toContain('USDA NASS');
    expect(alaska).toMatchObject({ region_name: 'Alaska', weight: 0, source_name: null });
    expect(newYork!.region_name).toBe('New York');
  });
});
