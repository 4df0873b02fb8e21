import type { NewEntity } from '../../store/store.js';
import { readEntities } from './text-table.js';

/** The metrics that importers share; ids never change. Importers add the metrics that only their data set has. */
export const METRICS: readonly NewEntity<'metrics'>[] = readEntities(`
  1 | Weather | | Everything that describes the state of the atmosphere and the ground at a place. | climate
  2 | Temperature | 1 | How warm the air near the ground is. | air temperature
  3 | Precipitation quantity | 1 | Depth of water that falls on a surface during the period, melted snow included. | rainfall quantity; rainfall; precipitation
  4 | Snowfall quantity | 1 | Depth of fresh snow that falls during the period.
  5 | Snow depth | 1 | Depth of the snow that lies on the ground.
  6 | Wind speed | 1 | Mean speed of the wind over the period.
  7 | Solar radiation | 1 | Energy of sunlight that reaches a horizontal surface during the period. | irradiation; insolation
  8 | Relative humidity | 1 | Water vapour in the air as a share of what the air could hold. | humidity
  9 | Air pressure | 1 | Pressure of the air at the surface.
  10 | Drought | 1 | How much of a place is in a category of drought. | drought extent
  11 | Drought area | 10 | Land that is in a category of drought.
  12 | Drought area share | 10 | Land that is in a category of drought, as a share of all land.
  13 | Drought population | 10 | People who live where there is a category of drought.
  14 | Drought population share | 10 | People who live where there is a category of drought, as a share of all people.
  15 | Soil moisture | 1 | Water in the soil, as a share of its volume or as a depth. | soil water
  20 | Area | | Land in a use. | acreage
  21 | Area harvested | 20 | Land from which the crop was gathered; land sown but lost is left out. | harvested area; acres harvested; acreage harvested
  22 | Area planted | 20 | Land sown or planted with the crop, whether or not it was harvested. | planted area; acres planted; sown area
  30 | Yield | | Quantity harvested from one unit of harvested area. | productivity
  31 | Production quantity | | Quantity produced during the period. | production; output; harvest
  32 | Production value | | Worth of the production of the period, in money.
  33 | Sales value | | Money received for the sales of the period. | sales
  34 | Sales quantity | | Quantity sold during the period.
  35 | Operations | | Number of farm operations that grow or keep the item. | farms; number of operations
  36 | Livestock count | | Number of animals alive at a point in time. | inventory; stocks of animals; herd
  40 | Supply and use | | The balance of a commodity: where it comes from and where it goes. | balance sheet
  41 | Beginning stocks | 40 | Quantity in store when the marketing year begins. | opening stocks; carry-in
  42 | Ending stocks | 40 | Quantity in store when the marketing year ends. | closing stocks; carryover
  43 | Imports quantity | 40 | Quantity brought into the country during the period. | imports; import quantity
  44 | Exports quantity | 40 | Quantity sent out of the country during the period. | exports; export quantity
  45 | Domestic use | 40 | Quantity used inside the country during the period, for any purpose. | domestic consumption; domestic total
  46 | Feed and residual use | 40 | Quantity fed to animals, and the rest that no other use accounts for. | feed use; feed and residual; feed dom. consumption
  47 | Food, seed and industrial use | 40 | Quantity eaten, sown or processed. | fsi consumption
  48 | Ethanol use | 47 | Quantity made into ethanol and its by-products. | ethanol and by-products
  49 | Total supply | 40 | Beginning stocks, production and imports together. | supply, total; supply
  50 | Total use | 40 | Domestic use and exports together. | use, total; total distribution
  51 | Crush | 40 | Quantity of oilseeds crushed for oil and meal. | crushings
  52 | Seed use | 47 | Quantity sown. | seed
  53 | Food use | 47 | Quantity eaten by people. | food
  54 | Residual use | 40 | Quantity that no other use accounts for. | residual
  60 | Price | | Money paid for one unit of the item. | prices
  61 | Average farm price | 60 | Price that farmers receive, averaged over the season and weighted by quantity. | price received; season-average farm price
  63 | Exchange rate | | Quantity of a currency that one unit of another buys. | fx rate; exchange rates
  62 | Wage | | Money paid for labour over a stretch of time. | wages; pay
  70 | Crop progress | | Share of a crop that has reached a stage of its growth or work. | progress
  71 | Crop condition | | Share of a crop that is judged to be in a condition. | condition
  72 | Stocks | 40 | Quantity in store at a point in time. | grain stocks
  73 | Share | | A part of a whole, as a percentage. | percentage
  80 | Futures positions | | Who holds how many contracts of futures and options. | commitments of traders; COT; positioning
  81 | Open interest | 80 | Contracts that are open at the end of the day.
`);

const ID_BY_NAME: ReadonlyMap<string, number> = new Map(METRICS.map((metric) => [metric.name, metric.id]));

/**
 * The id of a shared metric by its name.
 * @throws RangeError when there is none, which is an error in the code and not in the data
 */
export function metricId(name: string): number {
  const id = ID_BY_NAME.get(name);
  if (id === undefined) throw new RangeError(`there is no metric "${name}"`);
  return id;
}
