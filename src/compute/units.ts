import type { PointColumns, PointSet } from '../columns/point-columns.js';
import type { Unit } from '../model/entity.js';
import { UnitError } from '../model/errors.js';

/** The `unit_id` of a point that has no unit. */
export const NO_UNIT_ID = 0;

/** A whole point set converted as `convertColumns` converts one batch; its series take the target unit too. */
export function convertUnits(
  points: PointSet,
  targetUnit: number,
  unitsById: ReadonlyMap<number, Unit>,
): PointSet {
  const hasUnit = (unit_id: number | null) => unit_id !== null && unit_id !== NO_UNIT_ID;
  return {
    batches: points.batches.map((columns) => convertColumns(columns, targetUnit, unitsById)),
    series: points.series.map((series) =>
      hasUnit(series.unit_id) ? { ...series, unit_id: targetUnit } : series,
    ),
  };
}

/**
 * The same points with every value in the target unit: `base = value × factor + offset` of its own unit, then
 * `(base − offset) ÷ factor` of the target. Points without a unit, or in the target unit already, stay as they are;
 * null values stay null and take the target unit. The given columns are never changed; when there is nothing to
 * convert they are returned themselves.
 * @throws UnitError "unit_id N is not convertible" when a unit is unknown or has no non-zero factor
 */
export function convertColumns(
  columns: PointColumns,
  targetUnit: number,
  unitsById: ReadonlyMap<number, Unit>,
): PointColumns {
  const conversions = planConversions(columns.unit_id, targetUnit, unitsById);
  if (conversions.size === 0) return columns;
  const value = new Float64Array(columns.length);
  const unit_id = new Int32Array(columns.length);
  convertRows(columns, conversions, { value, unit_id, targetUnit });
  return { ...columns, value, unit_id };
}

/** @throws UnitError when a unit other than the target's cannot be converted to it */
export function requireConvertible(
  unit_ids: Iterable<number>,
  targetUnit: number,
  unitsById: ReadonlyMap<number, Unit>,
): void {
  planConversions(Int32Array.from(unit_ids), targetUnit, unitsById);
}

/** Whether values in this unit can be converted: it has a factor, and the factor is not zero. */
export function isConvertible({ baseConvFactor: { factor } }: Unit): boolean {
  return factor !== undefined && factor !== 0 && Number.isFinite(factor);
}

interface Conversion {
  readonly from: ExactFactor;
  readonly to: ExactFactor;
}

/** One conversion for each unit that occurs and differs from the target. */
function planConversions(
  units: Int32Array,
  targetUnit: number,
  unitsById: ReadonlyMap<number, Unit>,
): Map<number, Conversion> {
  const conversions = new Map<number, Conversion>();
  let last = targetUnit;
  for (const unit of units) {
    if (unit === last) continue;
    last = unit;
    if (unit === targetUnit || unit === NO_UNIT_ID || conversions.has(unit)) continue;
    conversions.set(unit, { from: factorOf(unit, unitsById), to: factorOf(targetUnit, unitsById) });
  }
  return conversions;
}

/** A conversion whose offset is spelled out. */
interface ExactFactor {
  readonly factor: number;
  readonly offset: number;
}

function factorOf(unit_id: number, unitsById: ReadonlyMap<number, Unit>): ExactFactor {
  const unit = unitsById.get(unit_id);
  if (unit === undefined) {
    throw new UnitError(unit_id, `unit_id ${unit_id} is not convertible: there is no such unit`);
  }
  if (!isConvertible(unit)) {
    throw new UnitError(
      unit_id,
      `unit_id ${unit_id} is not convertible: ${unit.name} has no conversion factor`,
    );
  }
  const { factor = 0, offset = 0 } = unit.baseConvFactor;
  return { factor, offset };
}

function convertRows(
  { value: given, unit_id: units, length }: PointColumns,
  conversions: ReadonlyMap<number, Conversion>,
  into: { value: Float64Array; unit_id: Int32Array; targetUnit: number },
): void {
  for (let first = 0, end = 0; first < length; first = end) {
    const unit = units[first]!;
    for (end = first + 1; end < length && units[end] === unit; ) end++;
    const conversion = conversions.get(unit);
    into.unit_id.fill(conversion === undefined ? unit : into.targetUnit, first, end);
    if (conversion === undefined) into.value.set(given.subarray(first, end), first);
    else convertRun(given, into.value, { first, end, ...conversion });
  }
}

function convertRun(
  given: Float64Array,
  converted: Float64Array,
  { first, end, from, to }: Conversion & { first: number; end: number },
): void {
  const { factor, offset } = from;
  const { factor: targetFactor, offset: targetOffset } = to;
  for (let row = first; row < end; row++) {
    converted[row] = (given[row]! * factor + offset - targetOffset) / targetFactor;
  }
}
