/** The maximum longitude span of a Mercator map, in degrees. Mercator would distort wider areas. */
const WIDE_DEGREES = 70;
/** The maximum latitude of a Mercator map, in degrees. */
const POLAR_DEGREES = 72;

/** Checks whether polygons cover such a large area that the map needs an equal-area projection. */
export function isWide(polygons: readonly Polygon[]): boolean {
  let [west, east, highest] = [180, -180, 0];
  for (const [outer = []] of polygons)
    for (const [longitude, latitude] of outer) {
      west = Math.min(west, longitude!);
      east = Math.max(east, longitude!);
      highest = Math.max(highest, Math.abs(latitude!));
    }
  return east - west > WIDE_DEGREES || highest > POLAR_DEGREES;
}

/** Returns polygons as a GeoJSON feature. The rings of the input may have either orientation. */
export function featureOf(polygons: readonly Polygon[]): object {
  const coordinates = polygons.map(orientRings);
  return { type: 'Feature', properties: null, geometry: { type: 'MultiPolygon', coordinates } };
}

/** A polygon: the outer ring, then any holes. A ring is a list of positions: longitude and latitude in degrees. */
export type Polygon = readonly (readonly number[])[][];

/** Returns the polygon with a clockwise outer ring and counterclockwise holes, as D3 expects for shapes on a sphere. */
function orientRings(polygon: Polygon): number[][][] {
  return polygon.map((ring, at) => {
    const isClockwise = twiceArea(ring) < 0;
    const positions = ring.map((position) => [...position]);
    return isClockwise === (at === 0) ? positions : positions.reverse();
  });
}

function twiceArea(ring: readonly (readonly number[])[]): number {
  return ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    return sum + x! * nextY! - nextX! * y!;
  }, 0);
}
