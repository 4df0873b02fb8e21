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
 * The values of the regions on a date: those of exactly that date, or with `nearest` the latest before it where a region has
 * none. A missing value never takes the place of one.
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
