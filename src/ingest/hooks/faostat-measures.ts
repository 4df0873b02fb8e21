import type { BatchBuilder } from '../batch/batch-builder.js';
import { foldName } from '../regions/names.js';
import { itemsByName } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { sourceUnit, unitDimension, unitId } from '../vocabulary/units.js';
import vocabulary from './faostat-vocabulary.json' with { type: 'json' };

/**
 * The shared metrics by lower-case element, each with its dimension. Figures in units of a different dimension get a
 * different metric.
 */
const METRICS = new Map(
  Object.entries(vocabulary.metrics).map(([element, { metric, dimension }]) => [
    element,
    { id: metricId(metric), dimension },
  ]),
);

const UNITS = new Map(Object.entries(vocabulary.units).map(([text, name]) => [text, unitId(name)]));

/**
 * The current names of units that were renamed in 2022, and names for the units of temperature changes, which have no
 * offset: a change in °F is not shifted by 32.
 */
const RENAMED_UNITS: ReadonlyMap<string, string> = new Map(Object.entries(vocabulary.renamedUnits));

/** Resolves a row's unit. If it is not in the vocabulary, adds a FAOSTAT unit, which cannot be converted. */
export function resolveFaoUnit(written: string, batch: BatchBuilder): FaoUnit {
  const text = RENAMED_UNITS.get(written) ?? written;
  const name = text === '' ? 'no unit' : text;
  const shared = UNITS.get(name.toLowerCase());
  const id = shared ?? batch.addNamedEntity('units', `faostat:unit:${name}`, sourceUnit(name));
  return { id, text };
}

interface FaoUnit {
  readonly id: number;
  readonly text: string;
}

/** Resolves an element to a metric. If it is not in the vocabulary, adds a FAOSTAT metric. */
export function resolveFaoMetric(element: string, unit: FaoUnit, batch: BatchBuilder): number {
  const shared = METRICS.get(element.toLowerCase());
  if (shared !== undefined && unitDimension(unit.id) === shared.dimension) return shared.id;
  // Some elements have figures in different units, such as eggs by number and by weight.
  const name = shared === undefined ? element : `${element}, ${unit.text}`;
  const definition = `Element of FAOSTAT: ${name}.`;
  const belongsTo = shared === undefined ? [] : [shared.id];
  return batch.addNamedEntity('metrics', `faostat:metric:${name}`, { name, definition, belongsTo });
}

/**
 * Resolves a row's item. If it is not in the vocabulary, adds a FAOSTAT item. Items are identified by name, because
 * bulk files and web exports have different codes. Semicolons and commas are interchangeable.
 * @param balance the balance that the row belongs to, if any. Balances have items of their own, because their figures
 *   are adjusted. Food balances also round figures and aggregate products by primary crop, so their production of
 *   "Oats" is a different figure.
 */
export function resolveFaoItem(text: string, batch: BatchBuilder, balance: FaoBalance | null = null): number {
  const name = text.trim().replaceAll(';', ',');
  const shared = findFaoItem(name);
  if (balance === null && shared !== undefined) return shared;
  const own = balance === null ? name : `${name} (${balance})`;
  const definition = `Item of FAOSTAT: ${own}.`;
  const item = { name: own, definition, belongsTo: shared === undefined ? [] : [shared] };
  return batch.addNamedEntity('items', `faostat:item:${foldName(own)}`, item);
}

/** FAOSTAT's balances. Historic food balances end in 2013 and were calculated by a different method. */
export type FaoBalance = 'food balances' | 'historic food balances' | 'supply utilization accounts';

/**
 * Finds a shared item by its name in the production and trade data sets. FAOSTAT adopted the names of the Central
 * Product Classification, so "Rice, paddy" has become "Rice"; "Rice, milled" is a different item. "Livestock" is a
 * FAOSTAT index, which keeps the separate item that it had before the vocabulary had livestock.
 */
const findFaoItem = itemsByName(vocabulary.items);
