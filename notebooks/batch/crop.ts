import type { Client } from 'cropframe';
import type { RegionWeight } from 'cropframe/agronomy';

/** The regions after the folder, each with the station whose weather stands for it: `Iowa="Ames 8 WSW"`. */
const given = process.argv.slice(4).map((text) => text.split('=') as [region: string, station?: string]);
const STATIONS = new Map(given.map(([region, station = region]) => [region, station]));

/** What is modelled: change this for regions, crop and thresholds of your own. */
export const REGIONS =
  given.length > 0
    ? given.map(([region]) => region)
    : ['Iowa', 'Illinois', 'Indiana', 'Nebraska', 'Minnesota', 'Ohio'];
const CROP = 'Corn';
const AREA = 'Area harvested';
export const RULE = { base_temperature: 10, upper_temperature_cap: 30 };
/** The units of all weather, whatever those of the store are; the thresholds are in the first. */
export const UNITS = { temperature: '°C', rain: 'mm' };

/** Where the weather of a region is from, for results to say. */
export interface Place {
  readonly id: number;
  readonly text: string;
}

/**
 * Saves the series of these items in every region, or at its station. @returns where each region's weather is from
 * @throws Error that names the region that lacks one
 */
export async function saveItems(client: Client, items: readonly string[]): Promise<Place[]> {
  const places: Place[] = [];
  for (const region of REGIONS)
    for (const item of items) {
      const place = STATIONS.get(region) ?? region;
      const series = await client.addDataSeries({ item, region: place });
      if (series === null)
        throw new Error(
          `${place} has no ${item}; name a station that has it: ${region}=STATION, or import it`,
        );
      const { region_id: id, region_name = String(id) } = series;
      if (items[0] === item)
        places.push({ id, text: region === region_name ? region : `${region}: ${region_name}` });
      if (series.matched?.region !== undefined)
        console.log(`${series.matched.region.name} was used for ${place}, for its ${item}`);
    }
  return places;
}

/**
 * The weight of the weather of each region, in the order of `REGIONS`: its mean area, as known at a time; today's without one.
 * @param places where the weather is from, of `saveItems`
 */
export async function areaWeights(
  client: Client,
  places: readonly Place[],
  at_time?: string,
): Promise<RegionWeight[]> {
  const { weights } = await client.explainWeights(CROP, AREA, { regions: REGIONS, at_time });
  return places.map(({ id }, i) => ({ id, weight: weights[i]! }));
}

/** Yields by year, weighted by area, as known at a time; today's without one. */
export async function yieldsByYear(client: Client, at_time?: string): Promise<Map<number, number>> {
  const weighting = { weighting_crop_name: CROP, weighting_metric_name: AREA, regions: REGIONS };
  const names = { item_name: CROP, metric_name: 'Yield' };
  const table = await client.computeCropWeightedAverage({ ...weighting, ...names, at_time });
  const rows = table.toRows().filter(({ value }) => value !== null);
  return new Map(rows.map(({ end_date, value }) => [end_date.getUTCFullYear(), Number(value)]));
}
