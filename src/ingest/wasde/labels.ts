import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { ITEMS, itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { readMeanings, readPairs } from '../vocabulary/text-table.js';
import { findUnitId } from '../vocabulary/units.js';

/** Metrics by the label of a row or column in lower case, without its unit. */
const METRICS = readMeanings(`
  Area planted | area planted; planted
  Area harvested | area harvested; harvested
  Yield | yield; yield per harvested acre
  Beginning stocks | beginning stocks
  Production quantity | production
  Imports quantity | imports
  Total supply | supply, total
  Feed and residual use | feed and residual; domestic feed
  Food, seed and industrial use | food, seed & industrial; food seed & industrial
  Ethanol use | ethanol & by-products; ethanol for fuel
  Food use | food
  Seed use | seed
  Residual use | residual
  Crush | crushings; domestic crush
  Domestic use | domestic; domestic, total; domestic total; total domestic; domestic use; domestic disappearance
  Exports quantity | exports; exports, total
  Loss | loss
  Total use | use, total
  Ending stocks | ending stocks
  Average farm price | avg. farm price
  Price | avg. price
`);

/**
 * Items whose price is a simple average of quotations in Decatur, according to the footnotes of their table, even if its
 * label says `Avg. Farm Price`.
 */
const QUOTED_ITEMS: ReadonlySet<number> = new Set(['Soybean oil', 'Soybean meal'].map(itemId));

/** Resolves a label to a metric. If the vocabulary lacks it, adds one for WASDE. */
export function resolveWasdeMetric(label: string, item: number, batch: BatchBuilder): number {
  const name = label
    .replace(/\s*\(.*\)$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const known = METRICS.get(name.toLowerCase());
  const shared = known === 'Average farm price' && QUOTED_ITEMS.has(item) ? 'Price' : known;
  if (shared !== undefined) return metricId(shared);
  const definition = `Supply and use in WASDE: ${name}.`;
  const metric = { name, definition, belongsTo: [metricId('Supply and use')] };
  return batch.addNamedEntity('metrics', `wasde:metric:${name.toLowerCase()}`, metric);
}

const CROPS: ReadonlyMap<number, string> = new Map(ITEMS.map(({ id, name }) => [id, name.toLowerCase()]));

/** Units by the printed text in lower case; `#` is the crop of a bushel. */
const AREA_UNITS = readPairs(`
  million acres = Mac; million hectares = Mha
`);
const QUANTITY_UNITS = readPairs(`
  million metric tons = Mt; million tons = Mt; thousand metric tons = kt; million bushels = million bu (#);
  million pounds = million lb; million hundredweight = million cwt; million 480-pound bales = million bales;
  million 480 pound bales = million bales; million 480-lb. bales = million bales;
  thousand short tons = 1000 short tons
`);
const YIELD_UNITS = readPairs(`
  bushels = bu/ac (#); pounds = lb/ac; metric tons = t/ac
`);
/** Units by the text that a label has in parentheses. */
export const LABEL_UNITS = readPairs(`
  $/bu = USD/bu (#); $/cwt = USD/cwt; $/s.t. = USD/short ton; c/lb = US¢/lb; cents/lb = US¢/lb; mil. acres = Mac;
  bushels/acre = bu/ac (#); pounds/acre = lb/ac; % = %
`);
/** Words in parentheses that are not units. */
export const REMARKS = ['rough equiv.'];

/** The texts that say the unit of a row: its label, and those that its block and its table print outside of labels. */
export type PrintedUnits = Readonly<Record<'attribute' | 'units' | 'subtitle' | 'footer', string>>;

/**
 * The unit of a row: the one in its label; else, of an area, a yield and a quantity, the block's unit of that kind. Only
 * the price of cotton has its unit in a note below the table.
 * @throws RowError when no unit is known
 */
export function findWasdeUnit(
  { attribute: label, units, subtitle, footer }: PrintedUnits,
  item: number,
): number {
  const named = /\(([^()]+)\)$/.exec(label)?.[1]?.toLowerCase();
  const printed = [...units.split('\n'), subtitle].filter((text) => text !== '');
  const unit =
    named !== undefined && !REMARKS.includes(named)
      ? LABEL_UNITS.get(named)
      : /price/i.test(label)
        ? /\bcents per pound\b/i.test(footer) && 'US¢/lb'
        : blockUnit(label, printed);
  const id = unit && findUnitId(unit.replace('#', CROPS.get(item)!));
  if (id) return id;
  throw new RowError(`the unit of "${label}" is unknown (${printed.join('; ') || 'no unit is printed'})`);
}

function blockUnit(label: string, printed: readonly string[]): string | undefined {
  const isArea = /^(area|planted|harvested)\b/i.test(label);
  const table = /^yield/i.test(label) ? YIELD_UNITS : isArea ? AREA_UNITS : QUANTITY_UNITS;
  const units = printed.map((unit) => table.get(unit.replace(/[()]/g, '').trim().toLowerCase()));
  return units.find((unit) => unit !== undefined);
}
