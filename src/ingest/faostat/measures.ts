import type { Dimension } from '../../model/unit-rows.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { foldName } from '../regions/names.js';
import { itemsByName } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { sourceUnit, unitDimension, unitsByText } from '../vocabulary/units.js';

/** Metrics of elements (lower case) that other data sets have as well; units of another dimension have another metric. */
const METRICS: ReadonlyMap<string, readonly [metric: string, dimension: Dimension]> = new Map(
  Object.entries<readonly [metric: string, dimension: Dimension]>({
    'area harvested': ['Area harvested', 'area'],
    yield: ['Yield', 'mass per area'],
    production: ['Production quantity', 'mass'],
    stocks: ['Livestock count', 'count'],
    'import quantity': ['Imports quantity', 'mass'],
    'export quantity': ['Exports quantity', 'mass'],
    feed: ['Feed and residual use', 'mass'],
    seed: ['Seed use', 'mass'],
    food: ['Food use', 'mass'],
    'domestic supply quantity': ['Domestic use', 'mass'],
  }),
);

const UNITS = unitsByText(`
  ha = ha; 1000 ha = kha; t = t; tonnes = t; 1000 t = kt; 1000 tonnes = kt; kg/ha = kg/ha; hg/ha = hg/ha;
  kg = kg; an = head; head = head; 1000 an = 1000 head; 1000 head = 1000 head; no = number; 1000 no = 1000;
  millions = million; % = %; °c = °C; mm = mm
`);

/** The unit of a row; adds one of FAOSTAT, which does not convert, when the vocabulary has none. */
export function resolveFaoUnit(text: string, batch: BatchBuilder): number {
  const name = text.trim() === '' ? 'no unit' : text.trim();
  const shared = UNITS.get(name.toLowerCase());
  if (shared !== undefined) return shared;
  return batch.addNamedEntity('units', `faostat:unit:${name}`, sourceUnit(name));
}

/** The metric of an element; adds one of FAOSTAT when the vocabulary has none. */
export function resolveFaoMetric(
  element: string,
  unit: { id: number; text: string },
  batch: BatchBuilder,
): number {
  const shared = METRICS.get(element.toLowerCase());
  if (shared !== undefined && unitDimension(unit.id) === shared[1]) return metricId(shared[0]);
  // Some elements measure several things in different units: eggs by number and by weight.
  const name = shared === undefined ? element : `${element}, ${unit.text}`;
  const definition = `Element of FAOSTAT: ${name}.`;
  const belongsTo = shared === undefined ? [] : [metricId(shared[0])];
  return batch.addNamedEntity('metrics', `faostat:metric:${name}`, {
    name,
    definition,
    belongsTo,
    aliases: [],
  });
}

/**
 * The item of a row; adds one of FAOSTAT when the vocabulary has none. Items are identified by name, because bulk files
 * and web exports have different codes; semicolons and commas are equal.
 * @param balance the balance that the row is of: it has items of its own, because it counts products by their primary
 * crop and rounds, so that its production of "Oats" is another figure
 */
export function resolveFaoItem(text: string, batch: BatchBuilder, balance: FaoBalance | null = null): number {
  const name = text.trim().replaceAll(';', ',');
  const shared = findFaoItem(name);
  if (balance === null && shared !== undefined) return shared;
  const own = balance === null ? name : `${name} (${balance})`;
  const definition = `Item of FAOSTAT: ${own}.`;
  const item = { name: own, definition, belongsTo: shared === undefined ? [] : [shared], aliases: [] };
  return batch.addNamedEntity('items', `faostat:item:${foldName(own)}`, item);
}

/** The balances of FAOSTAT; the historic ones, to 2013, have another method for the same years. */
export type FaoBalance = 'food balances' | 'historic food balances';

/**
 * The names of crops in the data sets of production and trade, the present one first. FAOSTAT took over the
 * names of the Central Product Classification: "Rice, paddy" has become "Rice". "Rice, milled" is another item.
 */
const findFaoItem = itemsByName({
  Corn: ['Maize (corn)', 'Maize'],
  Rice: ['Rice', 'Rice, paddy'],
  Soybeans: ['Soya beans', 'Soybeans'],
  Rapeseed: ['Rape or colza seed', 'Rapeseed'],
  Cottonseed: ['Cotton seed', 'Cottonseed'],
  Peanuts: ['Groundnuts, excluding shelled'],
  Cotton: ['Cotton lint, ginned', 'Cotton lint'],
  'Sugar beets': ['Sugar beet'],
  Tobacco: ['Unmanufactured tobacco'],
  Coffee: ['Coffee, green'],
  'Soybean oil': ['Soya bean oil', 'Oil, soybean'],
  // An index of FAOSTAT, which had a separate item before the vocabulary had livestock.
  Livestock: [],
});
