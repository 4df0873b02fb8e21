import { areaContains, type Box, isNearBox, type PolygonArea, readPolygons } from '../../compute/polygons.js';
import { getOrCompute, once } from '../../model/grouping.js';
import { regionIdKind } from './ids.js';
import { readRegionFile } from './tree.js';

export type Locator = Awaited<ReturnType<typeof buildLocator>>;

const MAX_DISTANCE_DEGREES = 0.2;
/** The kinds of regions that the locator searches, smallest first. */
const KINDS = ['usCounty', 'usState', 'country'] as const;

/** Loads the locator. The regions' full shapes are read only once per process. */
export const loadRegionLocator = once(buildLocator);

async function buildLocator() {
  const rows = await readRegionFile<{ id: number; box: Box; shape: string }>(
    'id, box, full_shape AS shape',
    'full_shape IS NOT NULL',
  );
  const read = new Map<number, PolygonArea['polygons']>();
  const areas = rows.map(({ id, box, shape }) => ({
    id,
    box,
    /** The region's polygons, parsed on first use because parsing all regions takes 0.3 s. */
    get polygons() {
      return getOrCompute(read, id, () => readPolygons(shape).polygons);
    },
  }));
  const byKind = KINDS.map((kind) => areas.filter(({ id }) => regionIdKind(id) === kind));
  return {
    /** Finds the county, state or country at a position or, off a coast, the nearest region within 0.2 degrees. */
    locate(latitude: number, longitude: number): number | null {
      const place = [longitude, latitude] as const;
      for (const candidates of byKind) {
        const container = candidates.find((candidate) => areaContains(candidate, place));
        if (container !== undefined) return container.id;
      }
      return findNearest(byKind.flat(), place);
    },
  };
}

/** Finds the region with the nearest boundary. Distances are in degrees of latitude, which all have the same length. */
function findNearest(
  areas: readonly (PolygonArea & { readonly id: number })[],
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
