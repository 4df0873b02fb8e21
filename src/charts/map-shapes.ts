/** Degrees of longitude above which a view is wide, and of latitude above which Mercator tears areas apart. */
const WIDE_DEGREES = 70;
const POLAR_DEGREES = 72;

/** Checks whether polygons lie so far apart that a map of them is of equal areas. */
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

/** Returns a feature of GeoJSON of polygons, whichever way their rings turn. */
export function featureOf(polygons: readonly Polygon[]): object {
  const coordinates = polygons.map(clockwise);
  return { type: 'Feature', properties: null, geometry: { type: 'MultiPolygon', coordinates } };
}

/** Rings of positions: the outer one, then its holes. A position is longitude and latitude in degrees. */
export type Polygon = readonly (readonly number[])[][];

/**
 * Returns the polygon with its outer ring clockwise and its holes counterclockwise, as drawing on a sphere needs it.
 */
function clockwise(polygon: Polygon): number[][][] {
  return polygon.map((ring, at) => {
    const isClockwise = twiceArea(ring) < 0;
    const positions = ring.map((position) => [...position]);
    return isClockwise === (at === 0) ? positions : positions.reverse();
  });
}

/** Twice the signed area in square degrees; above 0 for counterclockwise rings. */
function twiceArea(ring: readonly (readonly number[])[]): number {
  return ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    return sum + x! * nextY! - nextX! * y!;
  }, 0);
}
