import { type GeoStream, geoEquirectangular, geoStream } from 'd3-geo';
import type { Geometry, MultiPolygon, Polygon, Position } from 'geojson';
import { ringContains } from '../src/compute/polygons.js';

/** Shapes of the atlases: spherical polygons with clockwise exterior rings, which may cross the antimeridian. */
export type SphericalShape = Polygon | MultiPolygon;

/**
 * GeoJSON text of a GeometryCollection of MultiPolygons by RFC 7946: longitude and latitude in degrees (four decimals,
 * about 11 m), cut at the antimeridian, exterior rings counter-clockwise.
 */
export function toGeojson(shapes: readonly SphericalShape[]): string {
  const geometries = shapes.map((shape): Geometry => {
    const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
    return { type: 'MultiPolygon', coordinates: polygons.flatMap(toPlanarPolygons) };
  });
  return JSON.stringify({ type: 'GeometryCollection', geometries });
}

/** The parts of a spherical polygon on both sides of the antimeridian, in longitude and latitude. */
export function toPlanarPolygons(rings: Position[][]): Position[][][] {
  const crosses = rings.some((ring) =>
    ring.some((at, i) => i > 0 && Math.abs(at[0]! - ring[i - 1]![0]!) > 180),
  );
  const polygons = crosses ? cutAtAntimeridian(rings) : [rings];
  return polygons.map((polygon) =>
    polygon.map((ring, i) => windRing(closeRing(ring.map(roundPosition)), i === 0)),
  );
}

/** d3-geo cuts at the antimeridian when it projects; this projection is the identity in degrees. */
function cutAtAntimeridian(rings: Position[][]): Position[][][] {
  const cut: Position[][] = [];
  let ring: Position[] = [];
  const sink: GeoStream = {
    point: (x, y) => void ring.push([x, y]),
    lineStart: () => {
      ring = [];
    },
    lineEnd: () => {
      if (ring.length < 3) return;
      cut.push([...ring, ring[0]!]);
    },
    polygonStart: () => {},
    polygonEnd: () => {},
  };
  const plane = geoEquirectangular()
    .scale(180 / Math.PI)
    .translate([0, 0])
    .reflectY(true)
    .precision(0);
  geoStream({ type: 'Polygon', coordinates: rings }, plane.stream(sink));
  return groupHoles(cut);
}

/** Clockwise rings are exteriors; each hole belongs to the exterior that contains its first position. */
function groupHoles(rings: Position[][]): Position[][][] {
  const polygons = rings.filter((ring) => signedArea(ring) < 0).map((exterior) => [exterior]);
  for (const hole of rings.filter((ring) => signedArea(ring) > 0)) {
    polygons.find(([exterior]) => ringContains(exterior!, hole[0]!))?.push(hole);
  }
  return polygons;
}

/** Some rings of the atlases end one grid step from their first position. */
function closeRing(ring: Position[]): Position[] {
  const [first, last] = [ring[0]!, ring.at(-1)!];
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
}

function windRing(ring: Position[], exterior: boolean): Position[] {
  return signedArea(ring) > 0 === exterior ? ring : ring.reverse();
}

function roundPosition(position: Position): Position {
  return [Math.round(position[0]! * 1e4) / 1e4, Math.round(position[1]! * 1e4) / 1e4];
}

function signedArea(ring: readonly Position[]): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    sum += ring[i - 1]![0]! * ring[i]![1]! - ring[i]![0]! * ring[i - 1]![1]!;
  }
  return sum / 2;
}
