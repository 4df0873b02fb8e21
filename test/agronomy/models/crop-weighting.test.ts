import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { weightsFrame } from '../../../src/agronomy/models/weights-frame.js';
import { weighRegions } from '../../../src/agronomy/weighting/weigh-regions.js';
import type { Embedded } from '../../../src/embedded.js';
import { readColumn } from '../../../src/frame/table/columns.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { frameSeries } from '../../../src/frame/table/series-view.js';
import { formatDay } from '../../../src/model/time.js';
import { exactRows } from '../../frame/exact-rows.js';
import { openDemoEmbedded } from '../../journeys/demo-service.js';

/** USDA NASS, corn: acres harvested and bushels an acre of two states, 2002 and 2003 (agridat, nass.corn). */
const ACRES = { washington: [70_000, 70_000], newYork: [460_000, 440_000] };
const YIELDS = { washington: [190, 195], newYork: [97, 121] };
const NAMES = ['Washington', 'New York'];

let embedded: Embedded;
let client: Embedded['client'];
let washington: { id: number; name: string };
let newYork: { id: number; name: string };
let seattle: { id: number; name: string };
const resolve = async (name: string) => ({ id: (await client.searchForEntity('regions', name))!, name });
beforeAll(async () => {
  embedded = await openDemoEmbedded();
  client = embedded.client;
  [washington, newYork, seattle] = await Promise.all([
    resolve('Washington'),
    resolve('New York'),
    resolve('Seattle'),
  ]);
});
afterAll(() => embedded?.close());

const weigh = (regions: Parameters<typeof client.computeWeights>[2]) =>
  client.computeWeights('Corn', 'Area harvested', regions);
const explain = (options: Parameters<typeof client.explainWeights>[2]) =>
  client.explainWeights('Corn', 'Area harvested', options);
const byArea = { weighting_crop_name: 'Corn', weighting_metric_name: 'Area harvested' };
const cornYield = { ...byArea, item_name: 'Corn', metric_name: 'Yield' };
const heat = { ...byArea, item_name: 'Temperature max', metric_name: 'Temperature' };

describe('weights', () => {
  it('sum to 1, in the order of the regions, and list those without data', async () => {
    const county = { ...(await resolve('Story County, Iowa')), name: 'Story County' };
    const { weights, without_data, periods, series } = await explain({
      regions: [newYork, county, washington],
    });
    expect(weights[0]! + weights[2]!).toBeCloseTo(1, 12);
    expect(weights[1]).toBe(0);
    expect(without_data).toEqual([county]);
    expect(periods.map((period) => period && [formatDay(period.startMs), formatDay(period.endMs)])).toEqual([
      ['2002-01-01', '2011-12-31'],
      null,
      ['2002-01-01', '2011-12-31'],
    ]);
    expect(series.map((one) => one?.region_name ?? null)).toEqual(['New York', null, 'Washington']);
  });

  it('can be those of one year', async () => {
    const year = { start_date: '2003-01-01', end_date: '2003-12-31' };
    const { weights } = await explain({ regions: [washington, newYork], ...year });
    expect(weights[0]).toBeCloseTo(70_000 / 510_000, 12);
  });

  it('are refused of a region beside one of its parts, which would count twice', async () => {
    const county = (await resolve('King County, Washington')).id;
    const regions = [newYork.id, washington.id, county];
    const both =
      /Washington contains King County, Washington, which would be counted twice; pass regions of the same level/;
    await expect(weigh(regions)).rejects.toThrow(both);
    await expect(client.computeCropWeightedAverage({ ...cornYield, regions })).rejects.toThrow(both);
  });

  it('are refused of a region that is listed twice, also under two names', async () => {
    const regions = ['Washington', newYork.id, washington.id];
    const twice = /^regions: Washington is listed twice; list each region once/;
    await expect(weigh(regions)).rejects.toThrow(twice);
    await expect(client.computeCropWeightedSeries({ ...cornYield, regions })).rejects.toThrow(twice);
  });

  it('are refused without data, without regions, and of unknown regions', async () => {
    await expect(client.computeWeights('Wheat', 'Area harvested', [washington])).rejects.toThrow(
      /no series of "Area harvested" for "Wheat" in Washington/,
    );
    const named = { problem: 'there is no series of "Area harvested" for "Wheat" in Washington' };
    await expect(client.computeWeights('Wheat', 'Area harvested', [washington])).rejects.toMatchObject(named);
    await expect(weigh([])).rejects.toThrow(/pass at least one region/);
    await expect(weigh(['Washington', 'Qqqqzzzz'])).rejects.toThrow(/no region is called "Qqqqzzzz"/);
    await expect(weigh([{} as { id: number }])).rejects.toThrow(/regions\[0\]\.name: is missing/);
  });

  it('are the same for regions by name and by id, whose names are looked up', async () => {
    const ids = [washington.id, newYork.id];
    const weights = await weigh(NAMES);
    expect(await weigh([washington, newYork])).toEqual(weights);
    expect(await weigh(ids)).toEqual(weights);
    const rows = weightsFrame(await explain({ regions: ids.map((id) => ({ id })) })).toRows();
    expect(rows.map(({ region_name }) => region_name)).toEqual(NAMES);
  });

  it('become a frame with weight and source, null without data', async () => {
    const explained = await explain({ regions: ['Washington', 'Alaska', 'New York'] });
    const rows = weightsFrame(explained).toRows();
    expect(rows).toMatchObject([
      { region_name: 'Washington', requested: 'Washington', weight: explained.weights[0] },
      { region_name: 'Alaska', weight: 0, source_name: null },
      { region_name: 'New York' },
    ]);
    expect(rows[0]!.source_name).toContain('USDA NASS');
  });
});

describe('weighted series', () => {
  const regions = () => [washington, newYork];

  it('are the values times the weight, one series a region', async () => {
    const [w] = await weigh(NAMES);
    const frame = await client.computeCropWeightedSeries({ ...cornYield, regions: regions() });
    const rows = exactRows(frame).filter(({ end_date }) => String(end_date).startsWith('2002'));
    expect(rows.map(({ region_name }) => region_name)).toEqual(NAMES);
    expect(rows[0]!.value).toBeCloseTo(190 * w!, 9);
    expect(rows[1]!.value).toBeCloseTo(97 * (1 - w!), 9);
    const byName = await client.computeCropWeightedSeries({ ...cornYield, regions: NAMES });
    expect(byName.toRows()).toEqual(frame.toRows());
    expect(byName.provenance?.request).toMatchObject({ regions: NAMES });
  });

  it('apply any weighting function', async () => {
    const weighting_func = (weight: number, value: number) => value + weight;
    const frame = await client.computeCropWeightedSeries({
      ...cornYield,
      regions: regions(),
      weighting_func,
    });
    const [w] = await weigh(NAMES);
    expect(exactRows(frame)[0]!.value).toBeCloseTo(190 + w!, 9);
    expect(frame.provenance!.request).toMatchObject({ weighting_func: 'a function of the caller' });
  });

  it('can be weighted by each year', async () => {
    const years = { start_date: '2002-01-01', end_date: '2003-12-31', weights_by: 'year' } as const;
    const weighted = await client.computeCropWeightedSeries({ ...cornYield, ...years, regions: regions() });
    const rows = exactRows(weighRegions(weighted, { how: 'sum' }));
    expect(rows).toHaveLength(2);
    for (const [year, { value }] of rows.entries()) {
      const w = ACRES.washington[year]! / (ACRES.washington[year]! + ACRES.newYork[year]!);
      expect(value).toBeCloseTo(YIELDS.washington[year]! * w + YIELDS.newYork[year]! * (1 - w), 9);
    }
  });

  it('keep regions with the same proxy region apart', async () => {
    const both = regions().map((region) => ({ ...region, proxy_region: seattle }));
    const weighted = await client.computeCropWeightedSeries({ ...heat, regions: both });
    expect(weighted.numRows).toBe(2 * 1461);
    const average = await client.computeCropWeightedAverage({ ...heat, regions: both });
    for (const frame of [weighted, average])
      expect(frameSeries(frame)[0]!.names.get('metric_name')).toBe(
        'Temperature, weighted by Area harvested of Corn',
      );
    const { values } = readColumn(average, 'value') as { values: Float64Array };
    expect(values[0]).toBeCloseTo(12.8, 9);
    expect(exactRows(weighRegions(weighted, { how: 'sum' }))[0]!.value).toBeCloseTo(12.8, 9);
  });

  it('can have a proxy region by name or by id', async () => {
    const regions = [
      { name: 'Washington', proxy_region: seattle },
      { name: 'New York', proxy_region: 'New York City' },
    ];
    const average = (await client.computeCropWeightedAverage({ ...heat, regions })).toRows();
    const [w, y] = await weigh(NAMES);
    expect(average[0]!.value).toBeCloseTo(12.8 * w! + 10 * y!, 9);
  });

  it('carry sources, units, report and the name of the weights', async () => {
    const frame = await client.computeCropWeightedAverage({ ...cornYield, regions: regions() });
    expect(exactRows(frame)[0]).toMatchObject({
      end_date: '2002-12-31T00:00:00.000Z',
      weight_present: 1,
      region_name: 'Washington, New York',
      unit_name: 'bushel of corn per acre',
    });
    const provenance = frame.provenance!;
    expect(provenance.sources[0]!.citation).toContain('USDA');
    expect(provenance.units[0]!.abbreviation).toBe('bu/ac (corn)');
    expect(provenance.report).toHaveLength(2);
    expect(derivationSteps(frame)).toEqual(['weighted by Area harvested of Corn']);
  });
});
