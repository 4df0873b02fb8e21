import type { ValueBounds } from '../../store/store.js';
import names from './bounds.json' with { type: 'json' };
import { metricId } from './entities.js';
import { UNITS, unitDimension } from './units.js';

const ABSOLUTE_ZERO = -273.15;
/** Bounds for air temperatures in °C. Nothing below −90 or above 57 has ever been measured. */
const AIR: ValueBounds = { min: -100, max: 100 };
/** Bounds for shares in percent, with some tolerance for rounding. */
const WHOLE: ValueBounds = { min: 0, max: 100.5 };
const UNBOUNDED: ValueBounds = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };

/** Metrics that cannot exceed 100 percent. */
const PARTS: ReadonlySet<number> = new Set(names.parts.map(metricId));

/** Metrics that cannot be negative. Changes, balances, residuals and prices can be, so they are not listed. */
const AMOUNTS: ReadonlySet<number> = new Set([...PARTS, ...names.amounts.map(metricId)]);

const TEMPERATURE = metricId('Temperature');

export function boundsOf(metric_id: number, unit_id: number): ValueBounds {
  const dimension = unitDimension(unit_id);
  if (dimension === 'temperature')
    return inUnit(metric_id === TEMPERATURE ? AIR : { ...UNBOUNDED, min: ABSOLUTE_ZERO }, unit_id);
  if (!AMOUNTS.has(metric_id)) return UNBOUNDED;
  if (dimension === 'share' && PARTS.has(metric_id)) return inUnit(WHOLE, unit_id);
  return { ...UNBOUNDED, min: 0 };
}

/** Converts bounds from the base unit to another unit, rounding to 12 digits to remove floating-point noise. */
function inUnit({ min, max }: ValueBounds, unit_id: number): ValueBounds {
  const { factor = 1, offset = 0 } = UNITS.find(({ id }) => id === unit_id)!.baseConvFactor;
  const convert = (base: number) => Number(((base - offset) / factor).toPrecision(12));
  return { min: convert(min), max: convert(max) };
}

/** Describes how a value violates its bounds, as in `is below absolute zero`. */
export function describeFault(value: number, unit_id: number): string {
  const isTemperature = unitDimension(unit_id) === 'temperature';
  if (isTemperature && value < inUnit({ ...UNBOUNDED, min: ABSOLUTE_ZERO }, unit_id).min)
    return 'is below absolute zero';
  if (isTemperature) return 'is not a possible air temperature';
  return value < 0 ? 'is less than 0' : 'is more than one hundred percent';
}
