import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AreaSeries } from '../../src/contract/requests/area-weighting.js';
import { type Client, createClient } from '../../src/create-client.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { parseTime } from '../../src/model/time.js';
import { singleTokenAuthorizer } from '../../src/service/access/auth.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { NewPointsBuilder } from '../new-points.js';
import { openServedStore } from './serving-store.js';

const TOKEN = 'token-of-the-tests';
const [IOWA, ILLINOIS, NEBRASKA, KANSAS] = [10_019, 10_017, 10_031, 10_020] as const;

let store: Store;
let service: (request: Request) => Promise<Response>;
let client: Client;
let item_id: number;
let units: Record<string, number>;

/** Metrics of the test by what they measure here. */
const METRICS = { yield: 901, area: 902, share: 903, nothing: 904, negative: 905, mixed: 906 };
const at = (date: string): number => parseTime(date, 'test');
const seconds = (date: string): number => at(date) / 1000;

beforeAll(async () => {
  const opened = await openServedStore();
  store = opened.store;
  item_id = opened.known.revised.item_id;
  units = Object.fromEntries(
    (await store.lookup('units', null, { limit: 10_000 })).map(({ name, id }) => [name, id]),
  );
  await importDataset(store, {
    dataset: 'test',
    summary: 'yields and areas of four states',
    needsFiles: false,
    async *read() {
      const metrics = Object.entries(METRICS).map(([name, id]) => ({
        id,
        name,
        definition: '',
        belongsTo: [],
      }));
      yield { entities: { metrics }, points: somePoints().take() };
    },
  });
  service = createService(store, { authorize: singleTokenAuthorizer(TOKEN) });
  client = createClient({ api_host: 'http://service.invalid', access_token: TOKEN, fetch: service });
});
afterAll(() => store?.close());

function somePoints(): NewPointsBuilder {
  const points = new NewPointsBuilder();
  const add = (
    metric: keyof typeof METRICS,
    region_id: number,
    year: number,
    value: number | null,
    unit: string,
  ) =>
    points.add(
      {
        metric_id: METRICS[metric],
        item_id,
        region_id,
        partner_region_id: 0,
        source_id: 22,
        frequency_id: 9,
      },
      {
        startMs: at(`${year}-01-01`),
        endMs: at(`${year}-12-31`),
        value,
        unitId: units[unit]!,
        reportingMs: null,
        // Between two seconds: the answer has the second of which it is known.
        availableMs: at(region_id === ILLINOIS ? `${year + 1}-02-01` : `${year + 1}-01-11`) - 444,
        metadata: null,
      },
    );
  add('area', IOWA, 2010, 100, 'hectare');
  add('area', IOWA, 2011, 200, 'hectare');
  add('area', ILLINOIS, 2010, 50, 'hectare');
  add('area', ILLINOIS, 2011, null, 'hectare');
  add('area', KANSAS, 2010, 40, 'hectare');
  add('share', IOWA, 2010, 2, 'hectare');
  add('share', ILLINOIS, 2010, 4, 'hectare');
  add('yield', IOWA, 2012, 10, 'tonne');
  add('yield', IOWA, 2013, 12, 'tonne');
  add('yield', IOWA, 2014, null, 'tonne');
  add('yield', ILLINOIS, 2012, 8000, 'kilogram');
  add('yield', ILLINOIS, 2014, null, 'kilogram');
  add('yield', NEBRASKA, 2012, 100, 'tonne');
  add('negative', IOWA, 2010, -1, 'hectare');
  add('mixed', IOWA, 2012, 1, 'tonne');
  add('mixed', ILLINOIS, 2012, 1, 'hectare');
  return points;
}

const described = (metric: keyof typeof METRICS): AreaSeries => ({
  item_id,
  metric_id: METRICS[metric],
  frequency_id: 9,
  source_id: 22,
});

/** The yields of these regions weighted by area. */
const byArea = (region_ids: number[], options: object = {}) =>
  client.getAreaWeightedSeries({
    series: described('yield'),
    weights: [described('area')],
    region_ids,
    ...options,
  });

describe('area weighting', () => {
  it('sums value × mean weight, where every region has a value', async () => {
    const { data_points, ...rest } = await byArea([IOWA, ILLINOIS]);
    expect(data_points).toEqual([
      {
        // Iowa weighs (100 + 200) ÷ 2, Illinois 50: 150 × 10 t + 50 × 8 t
        value: 1900,
        start_timestamp: seconds('2012-01-01'),
        timestamp: seconds('2012-12-31'),
        available_timestamp: seconds('2013-02-01'),
        weight_present: 1,
      },
      {
        value: null,
        start_timestamp: seconds('2013-01-01'),
        timestamp: seconds('2013-12-31'),
        available_timestamp: seconds('2014-01-11'),
        weight_present: 0.75,
      },
      {
        value: null,
        start_timestamp: seconds('2014-01-01'),
        timestamp: seconds('2014-12-31'),
        available_timestamp: null,
        weight_present: 0,
      },
    ]);
    expect(rest).toEqual({
      series_description: { ...described('yield'), unit_id: units.tonne },
      weights_description: [{ ...described('area'), unit_id: units.hectare }],
      regions_without_data: [],
      regions_without_weight: [],
    });
  });

  it('normalizes by the weights of the regions that have a value', async () => {
    const { data_points } = await byArea([IOWA, ILLINOIS], { method: 'normalize' });
    expect(data_points.map(({ value, weight_present }) => [value, weight_present])).toEqual([
      [1900 / 200, 1],
      [12, 0.75],
      [null, 0],
    ]);
  });

  it('multiplies several weights', async () => {
    const weights = [described('area'), described('share')];
    // 150 × 2 for Iowa, 50 × 4 for Illinois
    const sum = await byArea([IOWA, ILLINOIS], { weights });
    expect(sum.data_points[0]!.value).toBe(300 * 10 + 200 * 8);
    const normal = await byArea([IOWA, ILLINOIS], { weights, method: 'normalize' });
    expect(normal.data_points[0]!.value).toBe(9.2);
    expect(normal.weights_description).toHaveLength(2);
  });

  it('lists a region without a weight, which weighs 0, and one without data', async () => {
    const nebraska = await byArea([IOWA, ILLINOIS, NEBRASKA, ILLINOIS]);
    expect(nebraska.data_points[0]).toMatchObject({ value: 1900, weight_present: 1 });
    expect(nebraska).toMatchObject({ regions_without_weight: [NEBRASKA], regions_without_data: [] });
    const kansas = await byArea([IOWA, ILLINOIS, KANSAS]);
    expect(kansas.data_points.map(({ value }) => value)).toEqual([null, null, null]);
    expect(kansas.data_points[0]!.weight_present).toBeCloseTo(200 / 240, 12);
    expect(kansas).toMatchObject({ regions_without_weight: [], regions_without_data: [KANSAS] });
  });

  it('selects periods by dates, and weighs by all of them', async () => {
    const { data_points } = await byArea([IOWA], { start_date: '2013-01-01', end_date: '2013-06-01' });
    expect(data_points).toMatchObject([{ value: 150 * 12, timestamp: seconds('2013-12-31') }]);
  });

  it.each([
    ['weights of no region', { weights: [described('nothing')] }, 'all weights are 0'],
    ['negative weights', { weights: [described('negative')] }, 'never negative'],
    ['units of several dimensions', { series: described('mixed') }, 'unit'],
    ['dates in the wrong order', { start_date: '2014-01-01', end_date: '2013-01-01' }, 'is after end_date'],
  ])('refuses %s', async (_, options, why) => {
    const lazy = { series: described('yield'), weights: [described('area')], ...withItem(options) };
    const asked = client.getAreaWeightedSeries({ ...lazy, region_ids: [IOWA, ILLINOIS] });
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining(why) });
  });

  it('refuses no weights before any request', async () => {
    const asked = client.getAreaWeightedSeries({
      series: described('yield'),
      weights: [],
      region_ids: [IOWA],
    });
    await expect(asked).rejects.toThrow('weights: the number of items must be at least 1');
  });
});

/** The ids are known only when the store is open: cases of a table are completed here. */
function withItem<Options extends object>(options: Options): Options {
  return JSON.parse(JSON.stringify(options), (_, one) =>
    typeof one === 'object' && one !== null && 'metric_id' in one ? { ...one, item_id } : one,
  ) as Options;
}
