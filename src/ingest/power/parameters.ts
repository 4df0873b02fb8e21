import type { BatchBuilder } from '../batch/batch-builder.js';
import { itemId } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { sourceUnit, unitId } from '../vocabulary/units.js';

/** The metric, item and unit of a parameter. */
export interface PowerParameter {
  readonly metricId: number;
  readonly itemId: number;
  readonly unitId: number;
}

const SHARED: ReadonlyMap<string, readonly [metric: string, item: string]> = new Map(
  Object.entries<readonly [metric: string, item: string]>({
    T2M: ['Temperature', 'Temperature mean'],
    T2M_MAX: ['Temperature', 'Temperature max'],
    T2M_MIN: ['Temperature', 'Temperature min'],
    PRECTOTCORR: ['Precipitation quantity', 'Precipitation'],
    RH2M: ['Relative humidity', 'Air'],
    PS: ['Air pressure', 'Air'],
    WS10M: ['Wind speed', 'Wind'],
    ALLSKY_SFC_SW_DWN: ['Solar radiation', 'Sunlight'],
  }),
);

/** Units by the header's text in lower case. Depth and energy per day are the day's totals. */
const UNITS: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    c: unitId('°C'),
    '%': unitId('%'),
    'm/s': unitId('m/s'),
    kpa: unitId('kPa'),
    mm: unitId('mm'),
    'mm/day': unitId('mm'),
    'mj/m^2/day': unitId('MJ/m²'),
    'kw-hr/m^2/day': unitId('kWh/m²'),
  }),
);

/** The measure of a parameter; adds an item or unit of NASA POWER where the vocabulary has none. */
export function resolveParameter(
  name: string,
  { description, unit }: { description: string; unit: string },
  batch: BatchBuilder,
): PowerParameter {
  const shared = SHARED.get(name);
  const parameterUnitId =
    UNITS.get(unit.toLowerCase()) ?? batch.addNamedEntity('units', `power:unit:${unit}`, sourceUnit(unit));
  if (shared !== undefined)
    return { metricId: metricId(shared[0]), itemId: itemId(shared[1]), unitId: parameterUnitId };
  const definition = `Parameter ${name} of NASA POWER: ${description}.`;
  const belongsTo = [itemId('Weather variables')];
  const item = { name: description, definition, belongsTo, aliases: [name] };
  const parameterItemId = batch.addNamedEntity('items', `power:item:${name}`, item);
  return { metricId: metricId('Weather'), itemId: parameterItemId, unitId: parameterUnitId };
}
