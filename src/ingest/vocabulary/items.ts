import type { NewEntity } from '../../store/store.js';
import { readEntities } from './text-table.js';

/** The items that importers share, so that corn of every source is one item; ids never change. */
export const ITEMS: readonly NewEntity<'items'>[] = readEntities(`
  1 | Weather variables | | Reports of weather stations and weather models.
  2 | Temperature max | 1 | The highest air temperature of the period. | maximum temperature; tmax; daily high
  3 | Temperature min | 1 | The lowest air temperature of the period. | minimum temperature; tmin; daily low
  4 | Temperature mean | 1 | The mean air temperature of the period. | average temperature; tavg; mean temperature
  5 | Precipitation | 1 | Rain, and snow and hail as melted water. | rain; rainfall; prcp
  6 | Snowfall | 1 | Snow that falls. | fresh snow
  7 | Snow on the ground | 1 | Snow that lies. | snowpack
  8 | Wind | 1 | Moving air near the ground.
  9 | Sunlight | 1 | Radiation of the sun at the surface. | solar; shortwave radiation
  10 | Air | 1 | The air near the ground. | atmosphere
  11 | Temperature at observation | 1 | The air temperature when the observer read the instruments. | tobs
  12 | Soil | 1 | The ground that plants root in. | root zone
  20 | Drought categories | 1 | The categories of the US Drought Monitor, from none to D4.
  21 | No drought | 20 | Neither drought nor abnormally dry.
  22 | Abnormally dry (D0) | 20 | Abnormally dry, and in no category of drought. | D0; abnormally dry
  23 | Moderate drought (D1) | 20 | Moderate drought, and no worse. | D1; moderate drought
  24 | Severe drought (D2) | 20 | Severe drought, and no worse. | D2; severe drought
  25 | Extreme drought (D3) | 20 | Extreme drought, and no worse. | D3; extreme drought
  26 | Exceptional drought (D4) | 20 | Exceptional drought, the worst category. | D4; exceptional drought
  27 | Abnormally dry or worse (D0-D4) | 20 | Abnormally dry, or any drought. | D0-D4
  28 | Moderate drought or worse (D1-D4) | 20 | Drought of any category. | D1-D4; in drought
  29 | Severe drought or worse (D2-D4) | 20 | Severe, extreme or exceptional drought. | D2-D4
  30 | Extreme drought or worse (D3-D4) | 20 | Extreme or exceptional drought. | D3-D4
  100 | Crops | | Plants that are grown for use.
  101 | Cereals | 100 | Grasses grown for their grain. | grains
  102 | Oilseeds | 100 | Crops grown for the oil in their seeds. | oil crops
  103 | Oilseed products | | Oil and meal made from oilseeds.
  104 | Feed grains | 101 | Corn, sorghum, barley and oats together.
  105 | Coarse grains | 101 | Corn, sorghum, barley, oats, rye, millet and mixed grains together. | coarse grain
  110 | Corn | 101 | Zea mays harvested as grain. | maize; maize (corn); corn, grain; corn grain
  111 | Wheat | 101 | Wheat of every kind: winter and spring, bread and durum.
  112 | Rice | 101 | Rice, as milled or rough as the unit and source say. | paddy; rice, paddy; rice, milled
  113 | Barley | 101 | Barley harvested as grain.
  114 | Sorghum | 101 | Sorghum harvested as grain. | milo; grain sorghum; sorghum, grain
  115 | Oats | 101 | Oats harvested as grain.
  116 | Rye | 101 | Rye harvested as grain.
  117 | Millet | 101 | Millet of every kind, harvested as grain. | proso millet
  118 | Winter wheat | 111 | Wheat sown in autumn and harvested the next summer.
  119 | Spring wheat | 111 | Wheat sown in spring, durum left out. | other spring wheat
  120 | Durum wheat | 111 | Wheat of the durum kind. | durum
  121 | Soybeans | 102 | Glycine max harvested as beans. | soya beans; soya; soybean; soy; oilseed, soybean
  122 | Sunflower seed | 102 | Seed of sunflowers. | sunflower; oilseed, sunflowerseed; sunflowerseed
  123 | Rapeseed | 102 | Seed of rape; canola is included except where a source reports it apart. | rape or colza seed; oilseed, rapeseed; rapeseed and canola
  124 | Cottonseed | 102 | Seed of cotton. | cotton seed; oilseed, cottonseed
  125 | Peanuts | 102 | Peanuts in their shells. | groundnuts; groundnuts, excluding shelled; oilseed, peanut
  143 | Canola | 123 | Rapeseed low in erucic acid, where a source reports it apart. | canola seed
  130 | Cotton | 100 | Cotton lint. | cotton lint; cotton lint, ginned
  131 | Sugar cane | 100 | Cane grown for sugar. | sugarcane
  132 | Sugar beets | 100 | Beets grown for sugar. | sugar beet; sugarbeets
  133 | Potatoes | 100 | Tubers of the potato. | potato
  134 | Hay | 100 | Grass and legumes cut and dried for feed.
  135 | Corn silage | 100 | Zea mays harvested whole, chopped and fermented for feed. | corn, silage; maize silage
  136 | Beans, dry | 100 | Beans harvested dry. | dry beans; dry edible beans; beans, dry edible
  137 | Tobacco | 100 | Leaves of tobacco. | unmanufactured tobacco
  139 | Sugar | | Sugar from cane and beets. | sugar, centrifugal; centrifugal sugar
  138 | Coffee | 100 | Beans of coffee. | coffee, green; green coffee
  141 | Soybean meal | 103 | The rest of soybeans after the oil is pressed out. | meal, soybean
  142 | Soybean oil | 103 | Oil of soybeans. | oil, soybean; soya bean oil
  200 | Labour | | Work done for pay. | labor; work
  300 | Livestock | | Animals that are kept for use. | farm animals
`);

const ID_BY_NAME: ReadonlyMap<string, number> = new Map(
  ITEMS.flatMap((item) =>
    [item.name, ...(item.aliases ?? [])].map((name) => [name.toLowerCase(), item.id] as const),
  ),
);

/**
 * The shared items by the names of one data set, in lower case: an item's own name, unless the data set has other names for
 * it. An alias is no name of a data set: two of its names would become one series.
 * @param own the data set's names by item; several where the data set has renamed it
 * @throws RangeError when a name means two items, which is an error in the code and not in the data
 */
export function itemsByName(
  own: Readonly<Record<string, readonly string[]>>,
): (name: string) => number | undefined {
  const ids = new Map<string, number>();
  for (const { id, name } of ITEMS) {
    for (const text of Object.hasOwn(own, name) ? own[name]! : [name]) {
      const key = text.toLowerCase();
      if (ids.has(key)) throw new RangeError(`"${text}" means two items`);
      ids.set(key, id);
    }
  }
  return (name) => ids.get(name.trim().toLowerCase());
}

/** The id of a shared item by its name or an alias, in any case; undefined when there is none. */
export function findItemId(name: string): number | undefined {
  return ID_BY_NAME.get(name.trim().toLowerCase());
}

/**
 * The id of a shared item by its name or an alias.
 * @throws RangeError when there is none, which is an error in the code and not in the data
 */
export function itemId(name: string): number {
  const id = findItemId(name);
  if (id === undefined) throw new RangeError(`there is no item "${name}"`);
  return id;
}
