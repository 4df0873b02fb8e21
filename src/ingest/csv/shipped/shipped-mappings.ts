import { badArgument } from '../../../model/errors.js';
import eurostatCrops from './eurostat-crops.json' with { type: 'json' };
import eurostatCropsTsv from './eurostat-crops-tsv.json' with { type: 'json' };
import statisticsCanadaCrops from './statistics-canada-crops.json' with { type: 'json' };
import worldBankCereals from './world-bank-cereals.json' with { type: 'json' };

/**
 * Mappings that ship, by the name that replaces a file's. They read crops and places that have one meaning with an item and
 * a region of ours, and no mixtures, sums and groups; of measures in several units, they read the metric one.
 */
const SHIPPED: ReadonlyMap<string, object> = new Map<string, object>([
  ['eurostat-crops', eurostatCrops],
  ['eurostat-crops-tsv', eurostatCropsTsv],
  ['statistics-canada-crops', statisticsCanadaCrops],
  ['world-bank-cereals', worldBankCereals],
]);

export function isShippedMapping(name: string): boolean {
  return SHIPPED.has(name);
}

/** @throws ArgumentError with the names of all, when none has this name */
export function findShippedMapping(name: string): object {
  const mapping = SHIPPED.get(name);
  if (mapping !== undefined) return mapping;
  const names = [...SHIPPED.keys()].join(', ');
  throw badArgument(
    'mapping',
    `there is no file and no mapping "${name}"; the mappings that ship are ${names}`,
  );
}
