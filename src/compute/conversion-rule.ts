import type { PackedPoints } from '../columns/packed-points.js';
import { NO_UNIT_ID } from '../columns/point-columns.js';
import type { Unit } from '../model/entity.js';
import type { SeriesKey } from '../model/series.js';
import { differentKinds, kindOf, requireUnit, statedDifferent, statedEqual } from './units.js';

/** A unit that occurs in the points of a metric and an item. */
export interface UnitUse extends Pick<SeriesKey, 'metric_id' | 'item_id'> {
  readonly unit_id: number;
}

/**
 * The uses that the dimensions of the units do not decide, each once; `requireAllowed` decides them. Units convert within
 * one dimension.
 * @throws UnitError that names both units and their dimensions; or the unit that is unknown or has no factor
 */
export function undecidedUses(
  uses: Iterable<UnitUse>,
  targetUnit: number,
  unitsById: ReadonlyMap<number, Unit>,
): UnitUse[] {
  const undecided = new Map<string, UnitUse>();
  for (const use of uses) {
    if (use.unit_id === targetUnit || use.unit_id === NO_UNIT_ID) continue;
    const from = requireUnit(use.unit_id, unitsById);
    const to = requireUnit(targetUnit, unitsById);
    if (statedEqual(from, to)) continue;
    if (statedDifferent(from, to)) throw differentKinds(from, to);
    undecided.set(`${use.metric_id} ${use.item_id} ${use.unit_id}`, use);
  }
  return [...undecided.values()];
}

/**
 * Decides an undecided use by the units that the service allows for its metric and item, which must include both. Where it
 * allows none, our own table of units must know both names as of one kind, or neither.
 * @throws UnitError that names both units
 */
export function requireAllowed(
  { unit_id }: UnitUse,
  targetUnit: number,
  { unitsById, allowed }: { unitsById: ReadonlyMap<number, Unit>; allowed: readonly number[] },
): void {
  const [from, to] = [unitsById.get(unit_id)!, unitsById.get(targetUnit)!];
  const mayConvert =
    allowed.length > 0
      ? allowed.includes(unit_id) && allowed.includes(targetUnit)
      : kindOf(from) === kindOf(to);
  if (!mayConvert) throw differentKinds(from, to);
}

/** The units of the points of some series. */
interface UnitRuns {
  readonly series: readonly SeriesKey[];
  readonly runs: Iterable<Pick<PackedPoints, 'series' | 'unit_id'>>;
}

/** Every unit that occurs in points, once for each metric and item. */
export function* unitUses({ series, runs }: UnitRuns): Generator<UnitUse> {
  const known = new Set<string>();
  for (const { series: position, unit_id: units } of runs) {
    const { metric_id, item_id } = series[position]!;
    let last = NO_UNIT_ID;
    for (const unit_id of typeof units === 'number' ? [units] : units) {
      if (unit_id === last) continue;
      last = unit_id;
      const text = `${metric_id} ${item_id} ${unit_id}`;
      if (unit_id === NO_UNIT_ID || known.has(text)) continue;
      known.add(text);
      yield { metric_id, item_id, unit_id };
    }
  }
}
