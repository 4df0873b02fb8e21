import type { BatchBuilder } from '../batch/batch-builder.js';
import { foldName } from '../regions/names.js';
import { itemsByName } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { sourceUnit, unitDimension, unitId } from '../vocabulary/units.js';
import vocabulary from './faostat-vocabulary.json' with { type: 'json' };

/**
 * The shared metrics by lower-case element, each with its dimension. Figures in units of another dimension have another
 * metric.
 */
const METRICS = new Map(
  Object.entries(vocabulary.metrics).map(([element, { metric, dimension }]) => [
    element,
    { id: metricId(metric), dimension },
  ]),
);

const UNITS = new Map(Object.entries(vocabulary.units).map(([text, name]) => [text, unitId(name)]));

/**
 * The current names of units that were renamed in 2022, and of units of temperature change. A change in °F has no
 * offset of 32.
 */
const RENAMED_UNITS: ReadonlyMap<string, string> = new Map(Object.entries(vocabulary.renamedUnits));

/** Resolves the unit of a row. If the vocabulary lacks it, adds one for FAOSTAT, which cannot be converted. */
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

/** Resolves an element to a metric. If the vocabulary lacks it, adds one for FAOSTAT. */
export function resolveFaoMetric(element: string, unit: FaoUnit, batch: BatchBuilder): number {
  const shared = METRICS.get(element.toLowerCase());
  if (shared !== undefined && unitDimension(unit.id) === shared.dimension) return shared.id;
  // Some elements measure several things in different units: eggs by number and by weight.
  const name = shared === undefined ? element : `${element}, ${unit.text}`;
  const definition = `Element of FAOSTAT: ${name}.`;
  const belongsTo = shared === undefined ? [] : [shared.id];
  return batch.addNamedEntity('metrics', `faostat:metric:${name}`, { name, definition, belongsTo });
}

/**
 * Resolves the item of a row. If the vocabulary lacks it, adds one for FAOSTAT. Items are identified by name, because
 * bulk files and web exports have different codes. Semicolons and commas are interchangeable.
 * @param balance the balance that the row belongs to. Balances have items of their own, because their figures are
 *   adjusted. Food balances also aggregate products by primary crop and round, so their production of "Oats" is another
 *   figure.
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

/** The balances of FAOSTAT. The historic ones, up to 2013, calculate the same years by another method. */
export type FaoBalance = 'food balances' | 'historic food balances' | 'supply utilization accounts';

/**
 * Finds a shared item by its name in the data sets of production and trade. FAOSTAT adopted the names of the Central
 * Product Classification: "Rice, paddy" has become "Rice". "Rice, milled" is another item. "Livestock" is an index of
 * FAOSTAT, which had a separate item before the vocabulary had livestock.
 */
const findFaoItem = itemsByName(vocabulary.items);
