import { badArgument } from '../../../model/errors.js';
import { EUROSTAT_CROPS, EUROSTAT_CROPS_TSV } from './eurostat-crops.js';
import { STATISTICS_CANADA_CROPS } from './statistics-canada-crops.js';
import { WORLD_BANK_CEREALS } from './world-bank-cereals.js';

/** Mappings that ship, by the name that replaces a file's. */
const SHIPPED: ReadonlyMap<string, object> = new Map(
  Object.entries({
    'eurostat-crops': EUROSTAT_CROPS,
    'eurostat-crops-tsv': EUROSTAT_CROPS_TSV,
    'statistics-canada-crops': STATISTICS_CANADA_CROPS,
    'world-bank-cereals': WORLD_BANK_CEREALS,
  }),
);

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
