import type { BatchBuilder } from '../batch/batch-builder.js';
import { foldName } from '../regions/names.js';
import { itemsByName } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { sourceUnit, unitDimension, unitId } from '../vocabulary/units.js';
import vocabulary from './faostat-vocabulary.json' with { type: 'json' };

/** Shared metrics, keyed by FAOSTAT element in lower case. Values of another dimension get a metric of their own. */
const METRICS = new Map(
  Object.entries(vocabulary.metrics).map(([element, { metric, dimension }]) => [
    element,
    { id: metricId(metric), dimension },
  ]),
);

const UNITS = new Map(Object.entries(vocabulary.units).map(([text, name]) => [text, unitId(name)]));

/** New names of units. Units of temperature change are renamed, too: a change in °F must not be shifted by 32. */
const RENAMED_UNITS: ReadonlyMap<string, string> = new Map(Object.entries(vocabulary.renamedUnits));

/** Resolves a unit. An unknown unit is added as a unit of FAOSTAT, which cannot be converted. */
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

export function resolveFaoMetric(element: string, unit: FaoUnit, batch: BatchBuilder): number {
  const shared = METRICS.get(element.toLowerCase());
  if (shared !== undefined && unitDimension(unit.id) === shared.dimension) return shared.id;
  // Some elements have values in different units, such as eggs by number and by weight.
  const name = shared === undefined ? element : `${element}, ${unit.text}`;
  const definition = `Element of FAOSTAT: ${name}.`;
  const belongsTo = shared === undefined ? [] : [shared.id];
  return batch.addNamedEntity('metrics', `faostat:metric:${name}`, { name, definition, belongsTo });
}

/**
 * Resolves a row's item. An item that is not in the vocabulary is added as a FAOSTAT item. Items are identified by name
 * because their codes differ between bulk files and exports from the website. Semicolons and commas are
 * interchangeable.
 * @param balance the balance to which the row belongs, if any. Balances have separate items because their values are
 *   adjusted. Food balances also round values and aggregate products by primary crop, so their production of "Oats"
 *   differs from that in other data sets.
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

/** FAOSTAT's balances. Historic food balances end in 2013 and were calculated using a different method. */
export type FaoBalance = 'food balances' | 'historic food balances' | 'supply utilization accounts';

/**
 * Finds a shared item by its name in the production and trade data sets. FAOSTAT has adopted the names of the Central
 * Product Classification, so "Rice, paddy" is now "Rice"; "Rice, milled" is a different item. "Livestock" is a FAOSTAT
 * index. It keeps the separate item that it had before livestock was added to the vocabulary.
 */
const findFaoItem = itemsByName(vocabulary.items);
