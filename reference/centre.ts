import { geoArea, geoCentroid } from 'd3-geo';
import type { Polygon, Position } from 'geojson';
import { type SphericalShape, toPlanarPolygons } from './geometry.js';

/** The centre of a region, in degrees rounded to four decimals; null without a shape. */
interface Centre {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export const NO_CENTRE: Centre = { latitude: null, longitude: null };

/**
 * The centre of a region: the spherical centroid of its mainland (the largest polygon), so that islands and overseas
 * parts do not move it into the sea. When the mainland does not contain its centroid, the midpoint of the longest
 * stretch of land on the centroid's parallel.
 */
export function regionCentre(shapes: readonly SphericalShape[]): Centre {
  const mainland = largestPolygon(shapes);
  if (mainland === null) return NO_CENTRE;
  const centroid = geoCentroid(mainland);
  const rings = toPlanarPolygons(mainland.coordinates).flat();
  return toCentre(contains(rings, centroid) ? centroid : longestLandMidpoint(rings, centroid));
}

/** The spherical centroid of the mainlands of several regions, such as the successors of a former country. */
export function combinedCentre(regions: readonly (readonly SphericalShape[])[]): Centre {
  const mainlands = regions.map(largestPolygon).filter((polygon) => polygon !== null);
  if (mainlands.length === 0) return NO_CENTRE;
  return toCentre(geoCentroid({ type: 'GeometryCollection', geometries: mainlands }));
}

function largestPolygon(shapes: readonly SphericalShape[]): Polygon | null {
  const polygons = shapes
    .flatMap((shape) => (shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates))
    .map((coordinates): Polygon => ({ type: 'Polygon', coordinates }));
  if (polygons.length < 2) return polygons[0] ?? null;
  const areas = polygons.map(areaOf);
  return polygons[areas.indexOf(Math.max(...areas))]!;
}

/** Area in steradians. A ring with the opposite winding would enclose the rest of the sphere. */
function areaOf(polygon: Polygon): number {
  const area = geoArea(polygon);
  return Math.min(area, 4 * Math.PI - area);
}

/** Whether rings contain a position, by the even-odd rule, so that holes are outside. */
function contains(rings: readonly Position[][], [longitude, latitude]: Position): boolean {
  return parallelCrossings(rings, latitude!).filter((at) => at < longitude!).length % 2 === 1;
}

/** For a polygon without area, which no parallel crosses twice, the centroid itself. */
function longestLandMidpoint(rings: readonly Position[][], centroid: Position): Position {
  const latitude = centroid[1]!;
  const at = parallelCrossings(rings, latitude);
  if (at.length < 2) return centroid;
  let [west, east] = [at[0]!, at[1]!];
  for (let i = 2; i + 1 < at.length; i += 2) {
    if (at[i + 1]! - at[i]! > east - west) [west, east] = [at[i]!, at[i + 1]!];
  }
  return [(west + east) / 2, latitude];
}

/** Ascending longitudes at which the rings cross a parallel: land from the first to the second, and so on. */
function parallelCrossings(rings: readonly Position[][], latitude: number): number[] {
  const at: number[] = [];
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [x0, y0] = ring[i - 1] as [number, number];
      const [x1, y1] = ring[i] as [number, number];
      if (y0 > latitude !== y1 > latitude) at.push(x0 + ((x1 - x0) * (latitude - y0)) / (y1 - y0));
    }
  }
  return at.sort((a, b) => a - b);
}

function toCentre([longitude, latitude]: Position): Centre {
  return { latitude: Math.round(latitude! * 1e4) / 1e4, longitude: Math.round(longitude! * 1e4) / 1e4 };
}
