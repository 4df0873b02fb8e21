/** Longitude and latitude in degrees, in GeoJSON order. */
type Position = readonly number[];

export type Box = readonly [west: number, south: number, east: number, north: number];

/** A polygon and its bounding box, in degrees. */
interface BoxedPolygon {
  readonly box: Box;
  /** Closed rings: first the exterior, then any holes. */
  readonly rings: readonly (readonly Position[])[];
}

/** The polygons of a region's shape and their common bounding box, in degrees. */
export interface PolygonArea {
  readonly box: Box;
  readonly polygons: readonly BoxedPolygon[];
}

/** Parses a region's shape: a GeoJSON GeometryCollection of MultiPolygons that are split at the antimeridian. */
export function readPolygons(geojson: string): PolygonArea {
  const { geometries } = JSON.parse(geojson) as { geometries: { coordinates: Position[][][] }[] };
  const polygons = geometries
    .flatMap(({ coordinates }) => coordinates)
    .map((rings) => ({ box: boxAround(rings[0]!), rings }));
  const corners = polygons.flatMap(({ box: [west, south, east, north] }) => [
    [west, south],
    [east, north],
  ]);
  return { box: boxAround(corners), polygons };
}

function boxAround(positions: readonly Position[]): Box {
  const box: [number, number, number, number] = [180, 90, -180, -90];
  for (const [x, y] of positions as [number, number][]) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

/** Checks whether a position is inside the bounding box, or at most `degrees` away from it. */
export function isNearBox({ box }: { readonly box: Box }, position: Position, degrees = 0): boolean {
  const [x, y] = [position[0]!, position[1]!];
  return x >= box[0] - degrees && x <= box[2] + degrees && y >= box[1] - degrees && y <= box[3] + degrees;
}

export function areaContains(area: PolygonArea, position: Position): boolean {
  return isNearBox(area, position) && area.polygons.some((polygon) => polygonContains(polygon, position));
}

function polygonContains(polygon: BoxedPolygon, position: Position): boolean {
  if (!isNearBox(polygon, position)) return false;
  const [exterior, ...holes] = polygon.rings;
  return ringContains(exterior!, position) && !holes.some((hole) => ringContains(hole, position));
}

/** Checks whether a closed ring contains a position, by counting the crossings of a ray (Shimrat 1962). */
export function ringContains(ring: readonly Position[], position: Position): boolean {
  const [x, y] = position as [number, number];
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const from = ring[i - 1]!;
    const to = ring[i]!;
    const [y0, y1] = [from[1]!, to[1]!];
    if (y0 > y === y1 > y) continue;
    const [x0, x1] = [from[0]!, to[0]!];
    if (x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) inside = !inside;
  }
  return inside;
}

/** Sorts areas by the size of their bounding boxes, smallest first, so that an enclave precedes the area around it. */
export function smallestFirst<Known extends PolygonArea>(areas: readonly Known[]): Known[] {
  const boxSize = ({ box: [west, south, east, north] }: Known) => (east - west) * (north - south);
  return [...areas].sort((a, b) => boxSize(a) - boxSize(b));
}
