import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { itemsByName } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { sourceUnit, unitId } from '../vocabulary/units.js';

const METRICS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    'area planted': 'Area planted',
    'area harvested': 'Area harvested',
    'beginning stocks': 'Beginning stocks',
    production: 'Production quantity',
    imports: 'Imports quantity',
    'total supply': 'Total supply',
    exports: 'Exports quantity',
    'domestic consumption': 'Domestic use',
    'total dom. cons.': 'Domestic use',
    'feed dom. consumption': 'Feed and residual use',
    'fsi consumption': 'Food, seed and industrial use',
    'ending stocks': 'Ending stocks',
    'total distribution': 'Total use',
    yield: 'Yield',
    crush: 'Crush',
    'food use dom. cons.': 'Food use',
  }),
);

/** The metric of an attribute; adds one of PSD when the vocabulary has none. */
export function resolvePsdMetric(code: number, description: string, batch: BatchBuilder): number {
  const shared = METRICS.get(description.toLowerCase());
  if (shared !== undefined) return metricId(shared);
  const id = psdEntityId(code);
  const definition = `Attribute ${code} of PSD: ${description}.`;
  const belongsTo = [metricId('Supply and use')];
  batch.addEntity('metrics', { id, name: description, definition, belongsTo, aliases: [] });
  return id;
}

/** The item of a commodity; adds one of PSD when the vocabulary has none. */
export function resolvePsdItem(code: number, description: string, batch: BatchBuilder): number {
  const shared = findPsdItem(description);
  if (shared !== undefined) return shared;
  const id = psdEntityId(code);
  const definition = `Commodity ${code} of PSD: ${description}.`;
  batch.addEntity('items', { id, name: description, definition, belongsTo: [], aliases: [] });
  return id;
}

const findPsdItem = itemsByName({
  Rice: ['Rice, Milled'],
  Soybeans: ['Oilseed, Soybean'],
  'Sunflower seed': ['Oilseed, Sunflowerseed'],
  Rapeseed: ['Oilseed, Rapeseed'],
  Cottonseed: ['Oilseed, Cottonseed'],
  Peanuts: ['Oilseed, Peanut'],
  Sugar: ['Sugar, Centrifugal'],
  Coffee: ['Coffee, Green'],
  'Soybean meal': ['Meal, Soybean'],
  'Soybean oil': ['Oil, Soybean'],
});

/** Units by PSD's text in upper case, without parentheses. */
const UNITS: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    '1000 HA': unitId('kha'),
    HECTARES: unitId('ha'),
    '1000 MT': unitId('kt'),
    MT: unitId('t'),
    'MT/HA': unitId('t/ha'),
    'KG/HA': unitId('kg/ha'),
    '1000 480 LB. BALES': unitId('1000 bales'),
    '1000 60 KG BAGS': unitId('1000 60 kg bags'),
    '1000 HEAD': unitId('1000 head'),
    PERCENT: unitId('%'),
  }),
);

/** Ids of the metrics and items that only PSD has: the first id + PSD's code. */
const PSD_IDS = { first: 10_000_000, last: 19_999_999 };

function psdEntityId(code: number): number {
  const id = PSD_IDS.first + code;
  if (id <= PSD_IDS.last) return id;
  throw new RowError(`the code ${code} is too large`);
}

/** The unit of a row; adds one of PSD, which does not convert, when the vocabulary has none. */
export function resolvePsdUnit(description: string, batch: BatchBuilder): number {
  const text = description
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .trim();
  const shared = UNITS.get(text.toUpperCase());
  if (shared !== undefined) return shared;
  return batch.addNamedEntity('units', `psd:unit:${text.toUpperCase()}`, sourceUnit(text.toLowerCase()));
}
