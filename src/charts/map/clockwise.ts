/** Rings of positions: the outer one, then its holes. A position is longitude and latitude in degrees. */
export type Polygon = readonly (readonly number[])[][];

/** The polygon with its outer ring clockwise and its holes counterclockwise, as drawing on a sphere needs it. */
export function clockwise(polygon: Polygon): number[][][] {
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
