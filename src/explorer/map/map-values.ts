import type { MapData, MapPlace, MapRegion } from './map-data.js';

/** A region's value. `isOlder` is true if the value is from an earlier date than the map's. */
export interface PlacedValue {
  readonly region: MapPlace;
  readonly value: number | null;
  readonly isOlder: boolean;
}

export interface RegionValue extends PlacedValue {
  readonly region: MapRegion;
  /** The last day of each period from which the value is taken or computed, as UTC milliseconds. */
  readonly ends: readonly number[];
}

/** Returns the values on a date. If `nearest` is set, a region without a value gets its latest earlier value. */
export function valuesOn(
  { regions }: Pick<MapData, 'regions'>,
  dateMs: number,
  nearest: boolean,
): readonly RegionValue[] {
  return regions.map((region) => {
    const { end, value } = region.line;
    const row = end.findLastIndex((one) => one <= dateMs);
    const isOlder = row >= 0 && end[row] !== dateMs;
    if (row < 0 || (isOlder && !nearest)) return { region, value: null, isOlder: false, ends: [] };
    return { region, value: value[row]!, isOlder, ends: [end[row]!] };
  });
}

/** Returns the changes between two dates; null if either value is missing, or if the change is a percentage of zero. */
export function changesBetween(
  before: readonly RegionValue[],
  after: readonly RegionValue[],
  { isPercent }: { isPercent: boolean },
): readonly RegionValue[] {
  return after.map(({ region, value, isOlder, ends }, at) => {
    const { value: old, isOlder: isOldOlder, ends: oldEnds } = before[at]!;
    const isKnown = value !== null && old !== null && !Number.isNaN(value - old) && !(isPercent && old === 0);
    const change = isKnown ? value - old : null;
    const changed = change !== null && isPercent ? (100 * change) / Math.abs(old!) : change;
    return { region, value: changed, isOlder: isOlder || isOldOlder, ends: [...ends, ...oldEnds] };
  });
}
