import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

let embedded: Embedded;
let washington: { id: number; name: string };
let newYork: { id: number; name: string };
beforeAll(async () => {
  embedded = await openDemoEmbedded();
  const { client } = embedded;
  const resolve = async (name: string) => ({ id: (await client.searchForEntity('regions', name))!, name });
  [washington, newYork] = await Promise.all([resolve('Washington'), resolve('New York')]);
});
afterAll(() => embedded?.close());

const byArea = { weighting_crop_name: 'Corn', weighting_metric_name: 'Area harvested' };
const cornYield = { item_name: 'Corn', metric_name: 'Yield' };

describe('weights', () => {
  it('sum to 1, in the order of the regions, and list those without data', async () => {
    const { client } = embedded;
    const county = {
      id: (await client.searchForEntity('regions', 'Story County, Iowa'))!,
      name: 'Story County',
    };
    const { weights, without_data, periods, series } = await client.explainWeights('Corn', 'Area harvested', {
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
    const { weights } = await embedded.client.explainWeights('Corn', 'Area harvested', {
      regions: [washington, newYork],
      start_date: '2003-01-01',
      end_date: '2003-12-31',
    });
    expect(weights[0]).toBeCloseTo(70_000 / 510_000, 12);
  });

  it('are refused of a region beside one of its parts, which would count twice', async () => {
    const { client } = embedded;
    const county = (await client.searchForEntity('regions', 'King County, Washington'))!;
    const regions = [newYork.id, washington.id, county];
    const both =
      /Washington contains King County, Washington, which would be counted twice; pass regions of the same level/;
    await expect(client.computeWeights('Corn', 'Area harvested', regions)).rejects.toThrow(both);
    await expect(client.computeCropWeightedAverage({ ...byArea, ...cornYield, regions })).rejects.toThrow(
      both,
    );
  });

  it('are refused without data and without regions', async () => {
    await expect(embedded.client.computeWeights('Wheat', 'Area harvested', [washington])).rejects.toThrow(
      /no series of "Area harvested" for "Wheat" in Washington/,
    );
    await expect(embedded.client.computeWeights('Corn', 'Area harvested', [])).rejects.toThrow(
      /pass at least one region/,
    );
  });
});

describe('weighted series', () => {
  const regions = () => [washington, newYork];
  const weightOf = (year: number): number =>
    ACRES.washington[year]! / (ACRES.washington[year]! + ACRES.newYork[year]!);

  it('are the values times the weight, one series a region', async () => {
    const [w] = await embedded.client.computeWeights('Corn', 'Area harvested', regions());
    const frame = await embedded.client.computeCropWeightedSeries({
      ...byArea,
      ...cornYield,
      regions: regions(),
    });
    const rows = exactRows(frame).filter(({ end_date }) => String(end_date).startsWith('2002'));
    expect(rows.map(({ region_name }) => region_name)).toEqual(['Washington', 'New York']);
    expect(rows[0]!.value).toBeCloseTo(190 * w!, 9);
    expect(rows[1]!.value).toBeCloseTo(97 * (1 - w!), 9);
  });

  it('apply any weighting function', async () => {
    const options = { ...byArea, ...cornYield, regions: regions() };
    const frame = await embedded.client.computeCropWeightedSeries({
      ...options,
      weighting_func: (weight, value) => value + weight,
    });
    const [w] = await embedded.client.computeWeights('Corn', 'Area harvested', regions());
    expect(exactRows(frame)[0]!.value).toBeCloseTo(190 + w!, 9);
    expect(frame.provenance!.request).toMatchObject({ weighting_func: 'a function of the caller' });
  });

  it('can be weighted by each year', async () => {
    const options = {
      ...byArea,
      ...cornYield,
      regions: regions(),
      start_date: '2002-01-01',
      end_date: '2003-12-31',
    };
    const weighted = await embedded.client.computeCropWeightedSeries({ ...options, weights_by: 'year' });
    const rows = exactRows(weighRegions(weighted, { how: 'sum' }));
    expect(rows).toHaveLength(2);
    for (const [year, { value }] of rows.entries()) {
      const w = weightOf(year);
      expect(value).toBeCloseTo(YIELDS.washington[year]! * w + YIELDS.newYork[year]! * (1 - w), 9);
    }
  });

  it('keep regions with the same proxy region apart', async () => {
    const { client } = embedded;
    const station = { id: (await client.searchForEntity('regions', 'Seattle'))!, name: 'Seattle' };
    const both = regions().map((region) => ({ ...region, proxy_region: station }));
    const options = { ...byArea, item_name: 'Temperature max', metric_name: 'Temperature', regions: both };
    const weighted = await client.computeCropWeightedSeries(options);
    expect(weighted.numRows).toBe(2 * 1461);
    const average = await client.computeCropWeightedAverage(options);
    for (const frame of [weighted, average])
      expect(frameSeries(frame)[0]!.names.get('metric_name')).toBe(
        'Temperature, weighted by Area harvested of Corn',
      );
    const { values } = readColumn(average, 'value') as { values: Float64Array };
    expect(values[0]).toBeCloseTo(12.8, 9);
    expect(exactRows(weighRegions(weighted, { how: 'sum' }))[0]!.value).toBeCloseTo(12.8, 9);
  });

  it('carry sources, units, report and the name of the weights', async () => {
    const frame = await embedded.client.computeCropWeightedAverage({
      ...byArea,
      ...cornYield,
      regions: regions(),
    });
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
