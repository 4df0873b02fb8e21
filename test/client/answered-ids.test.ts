import { describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../src/create-client.js';
import { ContractError } from '../../src/model/errors.js';
import { json } from './answering.js';

const TOP = { metricId: 1, itemId: 2, regionId: 3, frequencyId: 9, sourceId: 5, unitId: 7, value: 1 };
const SERIES = { metric_id: 1, item_id: 2, region_id: 3, source_id: 5, frequency_id: 9 };
const { region_id: _, ...TOP_ASKED } = SERIES;
const DATES = { startDate: '2000-01-01', endDate: '2001-01-01' };
const AREA = { metric_id: 1, item_id: 2, source_id: 5, frequency_id: 9 };

/** An operation, an answer of something else than it asks, and the id that the error names. */
const CASES: [string, (client: Client) => Promise<unknown>, unknown, string][] = [
  [
    'getAvailableTimefrequency',
    (client) => client.getAvailableTimefrequency({ item_id: 2, frequency_id: [9, 6] }),
    [9, 1].map((frequencyId) => ({ ...DATES, frequencyId, name: '' })),
    'timeFrequencies: the answer does not fit the request: it has the frequency_id 1',
  ],
  [
    'getTop',
    (client) => client.getTop('regions', TOP_ASKED),
    [TOP, { ...TOP, itemId: 8 }],
    'it has the item_id 8',
  ],
  ['lookup', (client) => client.lookup('items', 2), { data: { 2: { id: 4 } } }, 'it has the id 4'],
  ['getAncestor', (client) => client.getAncestor('regions', 3), { data: { 4: [1] } }, 'is for 3'],
  [
    'getAreaWeightedSeries, of its weights',
    (client) => client.getAreaWeightedSeries({ series: AREA, weights: [AREA], region_ids: [3] }),
    {
      data_points: [],
      series_description: { ...AREA, unit_id: 7 },
      weights_description: [{ ...AREA, item_id: 8, unit_id: 7 }],
    },
    'answered item_id 8 for 2',
  ],
];

describe('an answer of something else than was asked', () => {
  it.each(CASES)('is refused by %s, at once', async (_, operation, answer, message) => {
    let requests = 0;
    const fetch = async (): Promise<Response> => {
      requests++;
      return json(answer);
    };
    const asked = operation(createClient({ api_host: 'http://service.invalid', access_token: 't', fetch }));
    await expect(asked).rejects.toBeInstanceOf(ContractError);
    await expect(asked).rejects.toThrow(message);
    expect(requests).toBe(1);
  });
});
