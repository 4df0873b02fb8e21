import type { Geometry } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { NewShape } from '../../store/store.js';
import { readPackageFile } from '../reading/package-files.js';
import { type SphericalShape, toGeojson } from './geometry.js';
import { countryRegionId, usCountyRegionId, usStateRegionId } from './ids.js';
import { simplifyTopology } from './simplify.js';

/** A region of an atlas; it has several shapes when the atlas lists its parts separately. */
interface AtlasRegion {
  readonly name: string;
  readonly shapes: readonly SphericalShape[];
}

/** Regions of an atlas by region id. */
export type Atlas = ReadonlyMap<number, AtlasRegion>;

/** Countries of world-atlas (Natural Earth), states and counties of us-atlas (Census Bureau), in both details. */
interface Atlases {
  readonly countries: { readonly simple: Atlas; readonly full: Atlas };
  readonly states: { readonly simple: Atlas; readonly full: Atlas };
  readonly counties: { readonly simple: Atlas; readonly full: Atlas };
}

/** Maximum distance, in degrees, between simplified and full borders of states and counties. */
const SIMPLE_TOLERANCE = 0.03;

/** Kosovo has no ISO 3166-1 number; this is its number in UN statistics. */
export const KOSOVO_M49 = 412;

export async function readAtlases(): Promise<Atlases> {
  const [coarse, fine, counties] = await Promise.all([
    readTopology('world-atlas', 'countries-110m.json'),
    readTopology('world-atlas', 'countries-50m.json'),
    readTopology('us-atlas', 'counties-10m.json'),
  ]);
  const full = readLayer(fine, 'countries', worldAtlasRegionId);
  const simpleUs = simplifyTopology(counties, SIMPLE_TOLERANCE);
  return {
    countries: { full, simple: new Map([...full, ...readLayer(coarse, 'countries', worldAtlasRegionId)]) },
    states: {
      full: readLayer(counties, 'states', usStateRegionId),
      simple: readLayer(simpleUs, 'states', usStateRegionId),
    },
    counties: {
      full: readLayer(counties, 'counties', usCountyRegionId),
      simple: readLayer(simpleUs, 'counties', usCountyRegionId),
    },
  };
}

async function readTopology(packageName: string, path: string): Promise<Topology> {
  return JSON.parse(await readPackageFile(packageName, path)) as Topology;
}

function worldAtlasRegionId(id: string | undefined, name: string): number | undefined {
  if (name === 'Kosovo') return KOSOVO_M49;
  return id === undefined ? undefined : countryRegionId(id);
}

function readLayer(
  topology: Topology,
  layer: string,
  regionId: (id: string, name: string) => number | undefined,
): Atlas {
  const regions = new Map<number, { name: string; shapes: SphericalShape[] }>();
  const object = topology.objects[layer] as GeometryCollection<{ name: string }>;
  for (const { id: code, properties, geometry } of feature(topology, object).features) {
    const id = regionId(code as string, properties.name);
    if (id === undefined || !isShape(geometry)) continue;
    const region = regions.get(id) ?? { name: properties.name, shapes: [] };
    region.shapes.push(geometry);
    regions.set(id, region);
  }
  return regions;
}

function isShape(geometry: Geometry | null): geometry is SphericalShape {
  return geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon';
}

/** The shapes of an atlas in both details, for a store. */
export function* atlasShapes({ simple, full }: { simple: Atlas; full: Atlas }): Generator<NewShape> {
  for (const [detail, regions] of [['simple', simple] as const, ['full', full] as const]) {
    for (const [region_id, { shapes }] of regions) yield { region_id, detail, geojson: toGeojson(shapes) };
  }
}
