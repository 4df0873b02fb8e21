import type { BatchBuilder } from '../batch/batch-builder.js';
import { findUnitId, sourceUnit, unitId } from '../vocabulary/units.js';

const UNITS: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    ACRES: unitId('ac'),
    TONS: unitId('short ton'),
    'TONS / ACRE': unitId('short ton/ac'),
    LB: unitId('lb'),
    'LB / ACRE': unitId('lb/ac'),
    CWT: unitId('cwt'),
    'CWT / ACRE': unitId('cwt/ac'),
    '480 LB BALES': unitId('bale'),
    HEAD: unitId('head'),
    OPERATIONS: unitId('number'),
    NUMBER: unitId('number'),
    $: unitId('USD'),
    '$ / CWT': unitId('USD/cwt'),
    '$ / LB': unitId('USD/lb'),
    '$ / TON': unitId('USD/short ton'),
    '$ / ACRE': unitId('USD/ac'),
    INCHES: unitId('in'),
    'DEGREES F': unitId('°F'),
  }),
);

/** Crops with a legal weight of the bushel, by the first word of the item. */
const BUSHELS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    CORN: 'corn',
    SOYBEANS: 'soybeans',
    WHEAT: 'wheat',
    SORGHUM: 'sorghum',
    BARLEY: 'barley',
    OATS: 'oats',
    RYE: 'rye',
  }),
);

/** The id of a unit, a bushel being that of the item's crop; undefined when the vocabulary does not have it. */
export function findNassUnitId(unit: string, itemText: string): number | undefined {
  const known = UNITS.get(unit);
  if (known !== undefined) return known;
  if (/^PCT/.test(unit)) return unitId('%');
  const crop = BUSHELS.get(/^[A-Z]+/.exec(itemText)?.[0] ?? '');
  if (unit === 'BU') return crop === undefined ? unitId('bu') : unitId(`bu (${crop})`);
  if (unit === 'BU / ACRE') return crop === undefined ? unitId('bu/ac') : unitId(`bu/ac (${crop})`);
  return unit === '$ / BU' && crop !== undefined ? findUnitId(`USD/bu (${crop})`) : undefined;
}

/** Adds a unit of Quick Stats that the vocabulary does not have; it does not convert. */
export function addUnknownUnit(unit: string, batch: BatchBuilder): number {
  return batch.addNamedEntity('units', `nass:unit:${unit}`, sourceUnit(unit.toLowerCase()));
}
