import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/create-client.js';
import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { itemId, metricId, SOURCES } from '../../src/ingest/vocabulary/entities.js';
import { ArgumentError } from '../../src/model/errors.js';
import type { Store } from '../../src/store/store.js';
import { exactRows } from '../frame/exact-rows.js';
import { fillWithCounties, IOWA_COUNTY } from './county-store.js';
import { useDemoService } from './demo-service.js';

const nass = documentImporter('nass');

const AREA = { metric_id: metricId('Area harvested'), item_id: itemId('Corn') };
const TEMPERATURE = { metric_id: metricId('Temperature'), item_id: itemId('Temperature max') };

describe('rolling counties up', () => {
  const service = useDemoService(fillWithCounties);
  let client: Client;
  beforeAll(async () => {
    client = service.client();
  });

  const framed = async (selection: object, options = {}) => {
    const saving = service.client();
    for (const series of await client.getDataSeries(selection)) saving.addSingleDataSeries(series);
    return saving.getDf({ include_names: true, ...options });
  };

  it('takes two counties for no whole state, unless asked to', async () => {
    const counties = await framed(AREA);
    const whole = await client.rollUp(counties, { to: 'province', how: 'sum' });
    expect(exactRows(whole)).toMatchObject([
      { region_name: 'Wisconsin', end_date: '2002-12-31T00:00:00.000Z', value: null },
      { region_name: 'Wisconsin', end_date: '2003-12-31T00:00:00.000Z', value: null },
    ]);
    expect(whole.provenance?.report.at(-1)).toMatchObject({ rows: 2, below_coverage: 2 });

    const some = await client.rollUp(counties, { to: 'province', how: 'sum', min_weight_present: 2 / 72 });
    expect(exactRows(some).map(({ value }) => value)).toEqual([3000, 3000]);
    expect(exactRows(some)[0]).toMatchObject({ metric_name: 'Area harvested, sum of regions' });
    expect(some.provenance?.report.at(-1)).toMatchObject({ rows: 2, below_coverage: 0 });
    const fewer = await client.rollUp(counties, { to: 'province', how: 'sum', min_weight_present: 3 / 72 });
    expect(exactRows(fewer).map(({ value }) => value)).toEqual([null, null]);
  });

  it('keeps a wide frame wide, and weighs', async () => {
    const counties = await framed(TEMPERATURE, { compress_format: true });
    const weights = [{ id: IOWA_COUNTY, weight: 5 }];
    const country = await client.rollUp(counties, { to: 'country', how: 'mean', weights });
    expect(country.schema.fields.map(({ name }) => name)).toEqual([
      'end_date',
      expect.stringMatching(/^Temperature, weighted mean of regions \| .*United States/),
    ]);
    expect([...country.getChildAt(1)!]).toEqual(new Array(10).fill(20));
    expect(country.summary().derived.at(-1)).toContain('"weights":"of 1 regions"');
    const short = await framed(TEMPERATURE, { compress_format: true, names: 'short' });
    const named = await client.rollUp(short, { to: 'country', how: 'mean', weights });
    expect(named.schema.fields.map(({ name }) => name)).toEqual([
      'end_date',
      'Temperature max · United States',
    ]);
  });

  it.each([
    [
      'the sum of a rate',
      TEMPERATURE,
      { how: 'sum' },
      /how: values in °C cannot be summed across regions; choose "mean"/,
    ],
    ['a sum by weight', AREA, { how: 'sum', weights: [] }, /a sum cannot be weighted; choose how: "mean"/],
    [
      'weights of other regions',
      AREA,
      { how: 'mean', weights: [{ id: 1, weight: 1 }] },
      /no region in Wisconsin has a weight above 0/,
    ],
    [
      'a district where none is known',
      AREA,
      { to: 'agricultural-district', how: 'sum' },
      /County, Wisconsin is not in any agricultural-district known to the service/,
    ],
    ['an unknown kind', AREA, { to: 'state', how: 'sum' }, /to: "state" is unknown/],
  ])('refuses %s', async (_, selection, options, message) => {
    const table = await framed(selection);
    const call = client.rollUp(table, { to: 'province', ...options } as Parameters<Client['rollUp']>[1]);
    await expect(call).rejects.toThrow(ArgumentError);
    await expect(
      client.rollUp(table, { to: 'province', ...options } as Parameters<Client['rollUp']>[1]),
    ).rejects.toThrow(message);
  });

  it('refuses columns that it would lose', async () => {
    const table = (await framed(AREA)).withColumn('twice', ({ value }) => value * 2);
    await expect(client.rollUp(table, { to: 'province', how: 'sum' })).rejects.toThrow(/would lose "twice"/);
  });
});

describe('rolling up to agricultural districts', () => {
  const QUICK_STATS = fileURLToPath(new URL('../fixtures/nass/quick-stats.tsv', import.meta.url));
  const service = useDemoService((store: Store) =>
    importDataset(store, nass, { files: [QUICK_STATS], maxRejectedShare: 1 }),
  );

  it('completes counties by those that NASS does not list one by one, which rank among no places', async () => {
    const client = service.client();
    const [other] = await client.search('regions', 'Other counties, Northwest agricultural district, Iowa');
    const [county] = await client.search('regions', 'Buena Vista County, Iowa');
    const both = service.client();
    for (const region_id of [other!.id, county!.id])
      for (const series of await client.getDataSeries({
        ...AREA,
        region_id,
        source_id: SOURCES.nassSurvey.id,
      }))
        both.addSingleDataSeries(series);
    const frame = await both.getDf({ include_names: true });
    const districts = await client.rollUp(frame, { to: 'agricultural-district', how: 'sum' });
    expect(exactRows(districts)).toMatchObject([
      { region_name: 'Northwest agricultural district, Iowa', value: 155_500 + 92_300 },
    ]);
    const state = await client.rollUp(frame, { to: 'province', how: 'sum' });
    expect(exactRows(state)).toMatchObject([{ region_name: 'Iowa', value: null }]);
    await expect(client.rollUp(frame, { to: 'province', how: 'mean' })).rejects.toThrow(
      /Other counties, .* combines several regions, so it cannot be part of an unweighted mean/,
    );

    const [series] = await client.getDataSeries({ ...AREA, region_id: county!.id });
    const { metric_id, item_id, frequency_id, source_id } = series!;
    const top = await client.getTop('regions', {
      ...{ metric_id, item_id, frequency_id, source_id },
      num_results: 5,
    });
    expect(top.length).toBeGreaterThan(3);
    expect(top.map(({ regionId }) => regionId)).not.toContain(other!.id);
  });

  it('adds the counties that each contains, and refuses levels beside each other', async () => {
    const client = service.client();
    const all = await client.getDataSeries({ ...AREA, source_id: SOURCES.nassSurvey.id });
    const levels = await Promise.all(all.map(async ({ region_id }) => client.lookup('regions', region_id)));
    const counties = service.client();
    all.forEach((series, i) => {
      if (levels[i]!.level === 5) counties.addSingleDataSeries(series);
    });
    const frame = await counties.getDf({ include_names: true });
    const districts = await client.rollUp(frame, { to: 'agricultural-district', how: 'sum' });
    expect(new Set(exactRows(districts).map(({ region_name }) => region_name))).toEqual(
      new Set(['Northwest agricultural district, Iowa', 'Black Belt agricultural district, Alabama']),
    );

    const mixed = service.client();
    for (const series of all) mixed.addSingleDataSeries(series);
    const both = await mixed.getDf({ include_names: true });
    await expect(client.rollUp(both, { to: 'country', how: 'sum' })).rejects.toThrow(
      /select regions of the same level, so that none is counted twice/,
    );
  });
});
