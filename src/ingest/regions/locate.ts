import type { GeometryCollection, MultiPolygon, Position } from 'geojson';
import { ringContains } from './geometry.js';
import { regionIdKind } from './ids.js';
import { loadRegionTree } from './tree.js';

/** Finds the region that contains a position. */
export interface Locator {
  /**
   * The id of the smallest region that contains the position: a US county, else a US state, else a country. When none
   * does, as at a coast, the nearest region within 0.2 degrees; null further away.
   * @param latitude degrees north
   * @param longitude degrees east
   */
  locate(latitude: number, longitude: number): number | null;
}

interface Area {
  readonly id: number;
  readonly box: readonly [west: number, south: number, east: number, north: number];
  readonly polygons: readonly Position[][][];
}

const MAX_DISTANCE_DEGREES = 0.2;
/** Smallest first. */
const KINDS = ['usCounty', 'usState', 'country'] as const;

let locator: Promise<Locator> | undefined;

/** The locator of the region tree's full shapes, built once per process. */
export function loadRegionLocator(): Promise<Locator> {
  locator ??= buildLocator();
  return locator;
}

async function buildLocator(): Promise<Locator> {
  const { shapes } = await loadRegionTree();
  const areas = shapes
    .filter(({ detail }) => detail === 'full')
    .map(({ region_id, geojson }) => toArea(region_id, geojson));
  const byKind = KINDS.map((kind) => areas.filter(({ id }) => regionIdKind(id) === kind));
  return {
    locate(latitude, longitude) {
      const place = [longitude, latitude];
      for (const candidates of byKind) {
        const container = candidates.find(
          (candidate) => isNear(candidate, place, 0) && contains(candidate, place),
        );
        if (container !== undefined) return container.id;
      }
      return findNearest(byKind.flat(), place);
    },
  };
}

function toArea(id: number, geojson: string): Area {
  const { geometries } = JSON.parse(geojson) as GeometryCollection<MultiPolygon>;
  const polygons = geometries.flatMap(({ coordinates }) => coordinates);
  const box: [number, number, number, number] = [180, 90, -180, -90];
  for (const [x, y] of polygons.flatMap(([exterior]) => exterior!) as [number, number][]) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return { id, box, polygons };
}

function isNear({ box }: Area, [x, y]: Position, degrees: number): boolean {
  return x! >= box[0] - degrees && x! <= box[2] + degrees && y! >= box[1] - degrees && y! <= box[3] + degrees;
}

function contains({ polygons }: Area, place: Position): boolean {
  return polygons.some(
    ([exterior, ...holes]) =>
      ringContains(exterior!, place) && !holes.some((hole) => ringContains(hole, place)),
  );
}

/** Distances are in degrees of latitude: degrees of longitude shrink towards the poles. */
function findNearest(areas: readonly Area[], place: Position): number | null {
  const shrink = Math.cos((place[1]! * Math.PI) / 180);
  let best: { id: number; distance: number } | null = null;
  for (const candidate of areas) {
    if (!isNear(candidate, place, MAX_DISTANCE_DEGREES)) continue;
    for (const position of candidate.polygons.flat(2)) {
      const distance = Math.hypot((position[0]! - place[0]!) * shrink, position[1]! - place[1]!);
      if (distance <= MAX_DISTANCE_DEGREES && (best === null || distance < best.distance))
        best = { id: candidate.id, distance };
    }
  }
  return best?.id ?? null;
}
