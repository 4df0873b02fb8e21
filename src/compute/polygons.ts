/** Longitude and latitude in degrees, as GeoJSON has them. */
type Position = readonly number[];

/** The polygons of a region's shape, and the box around them. */
export interface PolygonArea {
  /** In degrees. */
  readonly box: readonly [west: number, south: number, east: number, north: number];
  /** Polygons of closed rings: the exterior, then its holes. */
  readonly polygons: readonly (readonly (readonly Position[])[])[];
}

/** Reads a region's shape: GeoJSON text of a GeometryCollection of MultiPolygons, cut at the antimeridian. */
export function readPolygons(geojson: string): PolygonArea {
  const { geometries } = JSON.parse(geojson) as { geometries: { coordinates: Position[][][] }[] };
  const polygons = geometries.flatMap(({ coordinates }) => coordinates);
  const box: [number, number, number, number] = [180, 90, -180, -90];
  for (const [exterior] of polygons) {
    for (const [x, y] of exterior as [number, number][]) {
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
  }
  return { box, polygons };
}

/** Whether a position is in the box around an area, or at most `degrees` away from it. */
export function isNearBox({ box }: Pick<PolygonArea, 'box'>, [x, y]: Position, degrees = 0): boolean {
  return x! >= box[0] - degrees && x! <= box[2] + degrees && y! >= box[1] - degrees && y! <= box[3] + degrees;
}

/** Whether an area contains a position: one of its polygons does, outside the polygon's holes. */
export function areaContains(area: PolygonArea, position: Position): boolean {
  if (!isNearBox(area, position)) return false;
  return area.polygons.some(
    ([exterior, ...holes]) =>
      ringContains(exterior!, position) && !holes.some((hole) => ringContains(hole, position)),
  );
}

/** Whether a closed planar ring contains a position, by counting crossings of a ray (Shimrat 1962). */
export function ringContains(ring: readonly Position[], [x, y]: Position): boolean {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [x0, y0] = ring[i - 1] as [number, number];
    const [x1, y1] = ring[i] as [number, number];
    if (y0 > y! !== y1 > y! && x! < ((x1 - x0) * (y! - y0)) / (y1 - y0) + x0) inside = !inside;
  }
  return inside;
}
