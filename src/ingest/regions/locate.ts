import { areaContains, isNearBox, type PolygonArea, readPolygons } from '../../compute/polygons.js';
import type { StoredShape } from '../../store/store.js';
import { regionIdKind } from './ids.js';
import { readShapes } from './tree.js';

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

interface Area extends PolygonArea {
  readonly id: number;
}

const MAX_DISTANCE_DEGREES = 0.2;
/** Smallest first. */
const KINDS = ['usCounty', 'usState', 'country'] as const;

let locator: Promise<Locator> | undefined;

/** The locator of the region tree's full shapes, which are read once per process and parsed for the first position. */
export function loadRegionLocator(): Promise<Locator> {
  locator ??= buildLocator();
  return locator;
}

async function buildLocator(): Promise<Locator> {
  const shapes = await readShapes('full');
  let byKind: readonly (readonly Area[])[] | undefined;
  return {
    locate(latitude, longitude) {
      byKind ??= readAreas(shapes);
      const place = [longitude, latitude] as const;
      for (const candidates of byKind) {
        const container = candidates.find((candidate) => areaContains(candidate, place));
        if (container !== undefined) return container.id;
      }
      return findNearest(byKind.flat(), place);
    },
  };
}

/** The areas of the regions by their kinds. */
function readAreas(shapes: readonly StoredShape[]): Area[][] {
  const areas = shapes.map(({ region_id, geojson }): Area => ({ id: region_id, ...readPolygons(geojson) }));
  return KINDS.map((kind) => areas.filter(({ id }) => regionIdKind(id) === kind));
}

/** Distances are in degrees of latitude: degrees of longitude shrink towards the poles. */
function findNearest(
  areas: readonly Area[],
  [longitude, latitude]: readonly [number, number],
): number | null {
  const shrink = Math.cos((latitude * Math.PI) / 180);
  let best: { id: number; distance: number } | null = null;
  for (const candidate of areas) {
    if (!isNearBox(candidate, [longitude, latitude], MAX_DISTANCE_DEGREES)) continue;
    for (const position of candidate.polygons.flatMap(({ rings }) => rings.flat())) {
      const distance = Math.hypot((position[0]! - longitude) * shrink, position[1]! - latitude);
      if (distance <= MAX_DISTANCE_DEGREES && (best === null || distance < best.distance))
        best = { id: candidate.id, distance };
    }
  }
  return best?.id ?? null;
}
