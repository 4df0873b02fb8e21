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

export type Place = readonly [x: number, y: number];
type Centred = { readonly centre: Place };

/** Returns the nearest region, or `undefined` if none is within `reach`. */
export function nearest<Region extends Centred>(
  regions: readonly Region[],
  distanceTo: (centre: Place) => number,
  reach = Number.MAX_VALUE,
): Region | undefined {
  const distances = regions.map(({ centre }) => distanceTo(centre));
  return regions[distances.indexOf(Math.min(reach, ...distances))];
}

export const ARROWS: Readonly<Record<string, Place>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns the nearest region within 45° of a direction or, so that every region can be reached, within 90°. */
export function regionBeyond<Region extends Centred>(
  regions: readonly Region[],
  { centre: [x, y] }: Region,
  [right, down]: Place,
): Region | undefined {
  const distanceWithin =
    (slope: number) =>
    ([left, top]: Place) => {
      const [across, along] = [left - x, top - y];
      const [ahead, aside] = [across * right + along * down, Math.abs(across * down + along * right)];
      return ahead > 0 && aside <= slope * ahead ? ahead + 2 * aside : Infinity;
    };
  return nearest(regions, distanceWithin(1)) ?? nearest(regions, distanceWithin(Infinity));
}
