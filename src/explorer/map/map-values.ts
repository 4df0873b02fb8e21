import type { MapData, MapRegion, Place } from './map-data.js';

/** The value of a region; `isOlder` where it is of an earlier date than the others. */
export interface PlacedValue<Region extends Place = Place> {
  readonly region: Region;
  readonly value: number | null;
  readonly isOlder: boolean;
}
/** The value of a region on a date. */
export type RegionValue = PlacedValue<MapRegion>;

/**
 * Returns the values of the regions on a date: those of exactly that date, or with `nearest` the latest before it where
 * a region has none. A missing value never takes the place of one.
 */
export function valuesOn(
  { regions }: Pick<MapData, 'regions'>,
  dateMs: number,
  nearest: boolean,
): readonly RegionValue[] {
  return regions.map((region) => {
    const { end, value } = region.line;
    const row = end.findLastIndex((one) => one <= dateMs);
    const isOlder = row >= 0 && end[row] !== dateMs;
    if (row < 0 || (isOlder && !nearest)) return { region, value: null, isOlder: false };
    return { region, value: value[row]!, isOlder };
  });
}

/**
 * Returns the changes of the regions between two dates, in units, or in percent of the value on the earlier one, or
 * null if a region lacks a value on either date, and for percent of zero.
 */
export function changesBetween(
  before: readonly RegionValue[],
  after: readonly RegionValue[],
  { isPercent }: { isPercent: boolean },
): readonly RegionValue[] {
  return after.map(({ region, value, isOlder }, at) => {
    const { value: old, isOlder: isOldOlder } = before[at]!;
    const isKnown = value !== null && old !== null && !Number.isNaN(value - old) && !(isPercent && old === 0);
    const change = isKnown ? value - old : null;
    const changed = change !== null && isPercent ? (100 * change) / Math.abs(old!) : change;
    return { region, value: changed, isOlder: isOlder || isOldOlder };
  });
}
