import type { Unit } from '../model/entity.js';
import { UnitError } from '../model/errors.js';
import type { PointColumns, PointSet } from '../model/point.js';

/** `target = value × scale + shift`. */
interface Conversion {
  readonly scale: number;
  readonly shift: number;
}

/**
 * Points converted to a unit, by the specification's rule: base = value × from.factor + from.offset, and
 * target = (base − to.offset) / to.factor. Nulls stay null, other fields are unchanged, and so are points that have the
 * unit already. The input is not changed; batches without anything to convert are passed through.
 * @throws UnitError "unit_id N is not convertible" when a unit has no non-zero factor, or is unknown
 */
export function convertUnits(points: PointSet, target: number, units: ReadonlyMap<number, Unit>): PointSet {
  const conversions = new Map<number, Conversion>();
  const conversionFrom = (unit_id: number): Conversion => {
    const known = conversions.get(unit_id);
    if (known !== undefined) return known;
    const conversion = planConversion(unit_id, target, units);
    conversions.set(unit_id, conversion);
    return conversion;
  };
  return {
    series: points.series.map((series) => ({ ...series, unit_id: series.unit_id === null ? null : target })),
    batches: points.batches.map((columns) => convertColumns(columns, target, conversionFrom)),
  };
}

function convertColumns(
  columns: PointColumns,
  target: number,
  conversionFrom: (unit_id: number) => Conversion,
): PointColumns {
  const { length, unit_id } = columns;
  if (unit_id.every((unit) => unit === target)) return columns;
  const value = Float64Array.from(columns.value);
  let from = target;
  let conversion: Conversion | null = null;
  for (let i = 0; i < length; i += 1) {
    if (unit_id[i] !== from) {
      from = unit_id[i]!;
      conversion = from === target ? null : conversionFrom(from);
    }
    if (conversion !== null) value[i] = value[i]! * conversion.scale + conversion.shift;
  }
  return { ...columns, value, unit_id: new Int32Array(length).fill(target) };
}

function planConversion(from: number, to: number, units: ReadonlyMap<number, Unit>): Conversion {
  const source = factorOf(from, units);
  const target = factorOf(to, units);
  return { scale: source.factor / target.factor, shift: (source.offset - target.offset) / target.factor };
}

function factorOf(unit_id: number, units: ReadonlyMap<number, Unit>): { factor: number; offset: number } {
  const unit = units.get(unit_id);
  if (unit === undefined) throw new UnitError(unit_id, `unit_id ${unit_id} is not convertible: there is no such unit`);
  const { factor, offset } = unit.baseConvFactor;
  if (!factor) {
    throw new UnitError(unit_id, `unit_id ${unit_id} is not convertible: ${unit.abbreviation || unit.name} has no conversion factor`);
  }
  return { factor, offset: offset ?? 0 };
}
