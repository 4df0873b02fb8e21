import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { ITEMS } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { findUnitId } from '../vocabulary/units.js';

/** Metrics by the label of a row or column in lower case, without its unit. */
const METRICS: Readonly<Record<string, string>> = {
  'area planted': 'Area planted',
  'area harvested': 'Area harvested',
  'yield per harvested acre': 'Yield',
  'beginning stocks': 'Beginning stocks',
  production: 'Production quantity',
  imports: 'Imports quantity',
  'supply, total': 'Total supply',
  'feed and residual': 'Feed and residual use',
  'domestic feed': 'Feed and residual use',
  'food, seed & industrial': 'Food, seed and industrial use',
  'ethanol & by-products': 'Ethanol use',
  'ethanol for fuel': 'Ethanol use',
  food: 'Food use',
  seed: 'Seed use',
  residual: 'Residual use',
  crushings: 'Crush',
  'domestic crush': 'Crush',
  'domestic, total': 'Domestic use',
  'domestic total': 'Domestic use',
  'domestic use': 'Domestic use',
  'domestic disappearance': 'Domestic use',
  exports: 'Exports quantity',
  'exports, total': 'Exports quantity',
  'use, total': 'Total use',
  'ending stocks': 'Ending stocks',
  'avg. farm price': 'Average farm price',
  'avg. price': 'Price',
};

/** The metric of a label; adds one of WASDE when the vocabulary has none. */
export function resolveWasdeMetric(label: string, batch: BatchBuilder): number {
  const name = label.replace(/\s*\(.*\)$/, '').trim();
  const shared = METRICS[name.toLowerCase()];
  if (shared !== undefined) return metricId(shared);
  const definition = `Supply and use in WASDE: ${name}.`;
  const metric = { name, definition, belongsTo: [metricId('Supply and use')], aliases: [] };
  return batch.addNamedEntity('metrics', `wasde:metric:${name.toLowerCase()}`, metric);
}

const CROPS: ReadonlyMap<number, string> = new Map(ITEMS.map(({ id, name }) => [id, name.toLowerCase()]));

/** Units by the printed text in lower case; `#` is the crop of a bushel. */
const UNITS: Readonly<Record<string, string>> = {
  'million acres': 'Mac',
  'million hectares': 'Mha',
  'million metric tons': 'Mt',
  'million tons': 'Mt',
  'thousand metric tons': 'kt',
  'million bushels': 'million bu (#)',
  'million pounds': 'million lb',
  'million hundredweight': 'million cwt',
  'million 480-pound bales': 'million bales',
  'million 480 pound bales': 'million bales',
  'million 480-lb. bales': 'million bales',
  'thousand short tons': '1000 short tons',
};
const YIELD_UNITS: Readonly<Record<string, string>> = {
  bushels: 'bu/ac (#)',
  pounds: 'lb/ac',
  'metric tons': 't/ac',
};
const PRICE_UNITS: Readonly<Record<string, string>> = {
  '$/bu': 'USD/bu (#)',
  '$/cwt': 'USD/cwt',
  '$/s.t.': 'USD/short ton',
  'c/lb': 'US¢/lb',
  'cents/lb': 'US¢/lb',
};

/**
 * The unit of a row: prices have it in their label, areas and yields use the block's units of area and yield, and all
 * else uses the block's other unit.
 * @throws RowError when no unit is known
 */
export function findWasdeUnit(label: string, itemId: number, printed: readonly string[]): number {
  const crop = CROPS.get(itemId)!;
  const units = printed.map((unit) => unit.replace(/[()]/g, '').trim().toLowerCase());
  const known = (table: Readonly<Record<string, string>>, texts: readonly string[]): number | undefined => {
    const text = texts.find((unit) => table[unit] !== undefined);
    return text === undefined ? undefined : findUnitId(table[text]!.replace('#', crop));
  };
  const price = /price.*\((.+)\)/i.exec(label);
  const isArea = /^area/i.test(label);
  const id = price
    ? known(PRICE_UNITS, [price[1]!.toLowerCase()])
    : /^yield/i.test(label)
      ? known(YIELD_UNITS, units)
      : known(
          UNITS,
          units.filter((unit) => /acres|hectares/.test(unit) === isArea),
        );
  if (id === undefined)
    throw new RowError(`the unit of "${label}" is unknown (${printed.join('; ') || 'no unit is printed'})`);
  return id;
}
