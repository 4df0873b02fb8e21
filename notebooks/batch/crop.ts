import { type Client, toRows } from 'cropframe';
import type { RegionWeight } from 'cropframe/agronomy';

/** What is modelled: change this for regions, crop and thresholds of your own. */
export const REGIONS = ['Iowa', 'Illinois', 'Indiana', 'Nebraska', 'Minnesota', 'Ohio'];
const CROP = 'Corn';
const AREA = 'Area harvested';
export const RULE = { base: 10, cap: 30 };

/** Saves the series of these items in every region. @throws Error that names the region that lacks one */
export async function saveItems(client: Client, items: readonly string[]): Promise<void> {
  for (const region of REGIONS)
    for (const item of items)
      if ((await client.addDataSeries({ item, region })) === null)
        throw new Error(`${region} has no ${item}; leave it out of REGIONS, or import it`);
}

/** The weight of each region, in the order of `REGIONS`: its mean area, as known at a time; today's without one. */
export async function areaWeights(client: Client, at_time?: string): Promise<RegionWeight[]> {
  const { regions, weights } = await client.explainWeights(CROP, AREA, { regions: REGIONS, at_time });
  return regions.map(({ id }, i) => ({ id, weight: weights[i]! }));
}

/** Yields by year, weighted by area, as known at a time; today's without one. */
export async function yieldsByYear(client: Client, at_time?: string): Promise<Map<number, number>> {
  const weighting = { weighting_crop_name: CROP, weighting_metric_name: AREA, regions: REGIONS };
  const names = { item_name: CROP, metric_name: 'Yield' };
  const table = await client.computeCropWeightedAverage({ ...weighting, ...names, at_time });
  const rows = toRows(table).filter(({ value }) => value !== null);
  return new Map(rows.map(({ end_date, value }) => [Number(String(end_date).slice(0, 4)), Number(value)]));
}
