import { expect, it, vi } from 'vitest';
import { resolveUnits, type UnitClient } from '../../src/saved/unit-choice.js';

it('asks once for the units of a metric and an item, however many series have them', async () => {
  const unit = {
    id: 5,
    name: 'tonne',
    namePlural: 'tonnes',
    abbreviation: 't',
    baseConvFactor: { factor: 1 },
  };
  const getAllowedUnits = vi.fn(async () => [5]);
  const client = { getAllowedUnits, lookup: async () => ({ 5: unit }) } as unknown as UnitClient;
  const key = { metric_id: 1, partner_region_id: 0, frequency_id: 9, source_id: 4 };
  const series = [2, 2, 2, 3].map((item_id, at) => ({ ...key, item_id, region_id: at }));
  expect(await resolveUnits(client, 't', { series })).toBe(5);
  expect(getAllowedUnits.mock.calls).toEqual([
    [1, 2, { signal: undefined }],
    [1, 3, { signal: undefined }],
  ]);
});
