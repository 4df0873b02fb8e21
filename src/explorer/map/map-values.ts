import type { Line } from '../../charts/lines.js';
import type { Polygon } from '../../charts/map-shapes.js';

export interface MapPlace {
  readonly id: number;
  readonly name: string;
  readonly level: number | null;
  /** The region's shape, or an empty list if it is unknown. */
  readonly polygons: readonly Polygon[];
  readonly centre: readonly [longitude: number, latitude: number] | null;
}

export interface MapRegion extends MapPlace {
  /** The region's values in date order. */
  readonly line: Line;
}

export interface RegionValue {
  readonly region: MapRegion;
  readonly value: number | null;
}

/** Returns the regions' values for the period that ends on a date, or null for a region without such a period. */
export function valuesOn(regions: readonly MapRegion[], dateMs: number): readonly RegionValue[] {
  return regions.map((region) => ({
    region,
    value: region.line.value[region.line.end.indexOf(dateMs)] ?? null,
  }));
}

/** Returns the changes between two dates. A change is null if a value is missing, or if it is a percentage of zero. */
export function changesBetween(
  before: readonly RegionValue[],
  after: readonly RegionValue[],
  { isPercent }: { isPercent: boolean },
): readonly RegionValue[] {
  return after.map(({ region, value }, at) => {
    const old = before[at]!.value;
    if (value === null || old === null || (isPercent && old === 0)) return { region, value: null };
    return { region, value: isPercent ? (100 * (value - old)) / Math.abs(old) : value - old };
  });
}
