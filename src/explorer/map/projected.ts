import { type GeoPermissibleObjects, geoEqualEarth, geoMercator, geoPath } from 'd3-geo';
import { clockwise } from '../../charts/map/clockwise.js';
import type { MapRegion } from './map-data.js';

/** A region as pixels of the map before it is moved or zoomed. */
export interface ProjectedRegion {
  readonly region: MapRegion;
  readonly path: Path2D;
}

/** Pixels between the shapes and the border of the map. */
const MARGIN = 8;
/** The radius of a region of which only the centre is known. */
const DOT = 4;
/** Wider views keep areas; narrower ones keep forms. */
const MAX_MERCATOR_DEGREES = 70;

/** Projects the regions once, so that drawing them on another date, or moved, costs only their outlines. */
export function projectRegions(
  regions: readonly MapRegion[],
  { width, height }: { width: number; height: number },
): readonly ProjectedRegion[] {
  const shapes = regions.map(featureOf);
  const all = { type: 'FeatureCollection', features: shapes.filter((one) => one !== null) };
  const projection = spanOf(regions) <= MAX_MERCATOR_DEGREES ? geoMercator() : geoEqualEarth();
  projection.fitExtent(
    [
      [MARGIN, MARGIN],
      [width - MARGIN, height - MARGIN],
    ],
    all as GeoPermissibleObjects as never,
  );
  return regions.flatMap((region, at) => {
    const shape = shapes[at];
    if (shape == null) return [];
    const path = new Path2D();
    const context = {
      beginPath() {},
      moveTo: path.moveTo.bind(path),
      lineTo: path.lineTo.bind(path),
      arc: path.arc.bind(path),
      closePath: path.closePath.bind(path),
    };
    geoPath(projection, context).pointRadius(DOT)(shape as GeoPermissibleObjects);
    return [{ region, path }];
  });
}

function featureOf({ shape, centre }: MapRegion): object | null {
  if (shape !== null && shape.geometries.length > 0) {
    const coordinates = shape.geometries.flatMap((one) => one.coordinates.map(clockwise));
    return { type: 'Feature', properties: null, geometry: { type: 'MultiPolygon', coordinates } };
  }
  return centre === null
    ? null
    : { type: 'Feature', properties: null, geometry: { type: 'Point', coordinates: centre } };
}

/** Degrees of longitude from the westernmost to the easternmost centre or corner. */
function spanOf(regions: readonly MapRegion[]): number {
  let [west, east] = [180, -180];
  for (const { shape, centre } of regions) {
    const outer = shape?.geometries.flatMap((one) => one.coordinates.flatMap(([ring]) => ring ?? [])) ?? [];
    for (const [longitude] of outer.length > 0 ? outer : centre === null ? [] : [centre]) {
      west = Math.min(west, longitude!);
      east = Math.max(east, longitude!);
    }
  }
  return east - west;
}
