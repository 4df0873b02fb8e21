import { countValid, isValid } from '../columns/bitmap.js';
import { endAt, type PackedPoints, type PointSet, unitAt, unitsOf } from '../columns/packed-points.js';
import { NO_UNIT_ID } from '../columns/point-columns.js';
import type { Unit } from '../model/entity.js';
import { UnitError } from '../model/errors.js';
import type { SeriesKey } from '../model/series.js';
import { formatDay } from '../model/time.js';

/** Converts every run of points with `convertPoints`, and sets the target unit of every series that has a unit. */
export function convertUnits(
  points: PointSet,
  targetUnit: number,
  unitsById: ReadonlyMap<number, Unit>,
): PointSet {
  const hasUnit = (unit_id: number | null) => unit_id !== null && unit_id !== NO_UNIT_ID;
  return {
    runs: points.runs.map((run) => convertPoints(run, targetUnit, unitsById)),
    series: points.series.map((series) =>
      hasUnit(series.unit_id) ? { ...series, unit_id: targetUnit } : series,
    ),
  };
}

/**
 * Converts every value to the target unit: first `base = value × factor + offset` with the value's own unit, then
 * `(base − offset) ÷ factor` with the target unit. Points without a unit, or already in the target unit, are unchanged.
 * Null values remain null and get the target unit. The input is never changed, and is itself returned if there is
 * nothing to convert. Callers must first check that the service allows the conversion (see `findUndecidedUses`).
 * @throws UnitError "unit_id N is not convertible" if a unit is unknown, has no factor or a factor of 0, or has a
 *   different dimension from the target; or if a value is too large in the target unit
 */
export function convertPoints(
  run: PackedPoints,
  targetUnit: number,
  unitsById: ReadonlyMap<number, Unit>,
): PackedPoints {
  const { unit_id: units, length } = run;
  const isOne = typeof units === 'number';
  const conversions = new Map<number, Convert>();
  for (const unit of unitsOf([run])) {
    const convert = conversionTo(targetUnit, unit, unitsById);
    if (convert !== undefined) conversions.set(unit, convert);
  }
  if (conversions.size === 0) return run;
  const value = run.value.slice(0, length);
  const unit_id = isOne ? targetUnit : units.slice(0, length);
  for (let row = 0; row < length; row++) {
    const convert = conversions.get(isOne ? units : units[row]!);
    if (convert === undefined) continue;
    const converted = convert(value[row]!);
    if (!Number.isFinite(converted) && Number.isFinite(value[row]))
      throw overflowError(run, row, targetUnit, unitsById);
    value[row] = converted;
    if (typeof unit_id !== 'number') unit_id[row] = targetUnit;
  }
  return { ...run, value, unit_id };
}

function overflowError(
  run: PackedPoints,
  row: number,
  targetUnit: number,
  unitsById: ReadonlyMap<number, Unit>,
): UnitError {
  const unit = unitAt(run, row);
  const [from, to] = [unit, targetUnit].map((id) => unitsById.get(id)!);
  const point = `the value ${run.value[row]} for ${formatDay(endAt(run, row))}`;
  const remedy = `request it in ${describeUnit(from!)}`;
  const reason = `${point} is too large for a 64-bit float in ${describeUnit(to!)}; ${remedy}`;
  return notConvertible(unit, reason, targetUnit);
}

/** Finds a series that has a value without a unit. */
export function seriesWithoutUnit({ series, runs }: PointSet): PointSet['series'][number] | undefined {
  const found = runs.find(({ length, unit_id, value_valid }) => {
    if (typeof unit_id === 'number') return unit_id === NO_UNIT_ID && countValid(value_valid, length) > 0;
    return unit_id.some((unit, row) => unit === NO_UNIT_ID && row < length && isValid(value_valid, row));
  });
  return found && series[found.series];
}

type Convert = (value: number) => number;

/**
 * Returns the function that converts values from `unit` to the target unit, or `undefined` if they need no conversion.
 * @throws UnitError if a unit is unknown or has no conversion factor, or if the dimensions differ
 */
export function conversionTo(
  targetUnit: number,
  unit: number,
  unitsById: ReadonlyMap<number, Unit>,
): Convert | undefined {
  if (unit === targetUnit || unit === NO_UNIT_ID) return undefined;
  const [from, to] = [requireUnit(unit, unitsById), requireUnit(targetUnit, unitsById)];
  shareDimension(from, to);
  const { factor = 0, offset = 0 } = from.baseConvFactor;
  const { factor: targetFactor = 0, offset: targetOffset = 0 } = to.baseConvFactor;
  return (value) => (value * factor + offset - targetOffset) / targetFactor;
}

function requireUnit(unit_id: number, unitsById: ReadonlyMap<number, Unit>): Unit {
  const unit = unitsById.get(unit_id);
  if (unit === undefined) throw notConvertible(unit_id, 'there is no such unit');
  if (!hasFactor(unit)) throw notConvertible(unit_id, `${describeUnit(unit)} has no conversion factor`);
  return unit;
}

function hasFactor({ baseConvFactor: { factor = 0 } }: Unit): boolean {
  return factor !== 0 && Number.isFinite(factor);
}

/** Checks whether two units of the same metric and item are convertible. An unknown dimension counts as equal. */
export function isConvertible(from: Unit, to: Unit): boolean {
  const [one, other] = [from.dimension ?? to.dimension, to.dimension ?? from.dimension];
  return from.id === to.id || (hasFactor(from) && hasFactor(to) && one === other);
}

/** Checks whether the dimensions of both units are known. @throws UnitError if they are known but differ */
function shareDimension(from: Unit, to: Unit): boolean {
  if (from.dimension === undefined || to.dimension === undefined) return false;
  if (from.dimension !== to.dimension) throw dimensionError(from, to);
  return true;
}

function dimensionError(from: Unit, to: Unit): UnitError {
  return notConvertible(from.id, `${describeKind(from)}, ${describeKind(to)}`, to.id);
}

function notConvertible(from: number, reason: string, to?: number): UnitError {
  const target = to === undefined ? '' : ` to unit_id ${to}`;
  return new UnitError(from, `unit_id ${from} is not convertible${target}: ${reason}`, reason);
}

function describeKind(unit: Unit): string {
  const { dimension } = unit;
  return `${describeUnit(unit)} has ${dimension === undefined ? 'no stated dimension' : `the dimension "${dimension}"`}`;
}

function describeUnit({ name, abbreviation }: Unit): string {
  const isOne = !name || !abbreviation || abbreviation === name;
  return isOne ? name || abbreviation : `${name} (${abbreviation})`;
}

export interface UnitUse extends Pick<SeriesKey, 'metric_id' | 'item_id'> {
  readonly unit_id: number;
}

/**
 * Returns the distinct combinations of metric, item and unit whose conversion can be neither allowed nor rejected yet,
 * because a dimension is unknown. Check each combination with `requireAllowed`.
 * @throws UnitError if the dimensions differ, or a unit is unknown or has no factor
 */
export function findUndecidedUses(
  uses: Iterable<UnitUse>,
  targetUnit: number,
  unitsById: ReadonlyMap<number, Unit>,
): UnitUse[] {
  const undecided = new Map<string, UnitUse>();
  for (const use of uses) {
    if (use.unit_id === targetUnit || use.unit_id === NO_UNIT_ID) continue;
    const from = requireUnit(use.unit_id, unitsById);
    const to = requireUnit(targetUnit, unitsById);
    if (!shareDimension(from, to)) undecided.set(`${use.metric_id} ${use.item_id} ${use.unit_id}`, use);
  }
  return [...undecided.values()];
}

/** Checks that the service allows both units for the metric and item. @throws UnitError if it does not */
export function requireAllowed(
  { unit_id }: UnitUse,
  targetUnit: number,
  { unitsById, allowed }: { unitsById: ReadonlyMap<number, Unit>; allowed: readonly number[] },
): void {
  const [from, to] = [unitsById.get(unit_id)!, unitsById.get(targetUnit)!];
  if (!allowed.includes(unit_id) || !allowed.includes(targetUnit)) throw dimensionError(from, to);
}

export function* unitUses({ series, runs }: Pick<PointSet, 'series' | 'runs'>): Generator<UnitUse> {
  const known = new Set<string>();
  for (const run of runs) {
    const { metric_id, item_id } = series[run.series]!;
    for (const unit_id of unitsOf([run])) {
      const text = `${metric_id} ${item_id} ${unit_id}`;
      if (known.has(text)) continue;
      known.add(text);
      yield { metric_id, item_id, unit_id };
    }
  }
}
