import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Feature } from 'geojson';
import { feature } from 'topojson-client';
import type {
  GeometryCollection,
  GeometryObject,
  Topology,
  MultiPolygon as TopologyMultiPolygon,
  Polygon as TopologyPolygon,
} from 'topojson-specification';
import { countryRegionId, usCountyRegionId, usStateRegionId } from '../src/ingest/regions/ids.js';
import type { NewShape } from '../src/store/store.js';
import { type SphericalShape, toGeojson } from './geometry.js';
import { simplifyTopology } from './simplify.js';

/** A region of an atlas; it has several shapes when the atlas lists its parts separately. */
interface AtlasRegion {
  readonly name: string;
  readonly shapes: readonly SphericalShape[];
}

/** Regions of an atlas by region id. */
export type Atlas = ReadonlyMap<number, AtlasRegion>;

/** Countries of world-atlas (Natural Earth), states and counties of us-atlas (Census Bureau). */
interface Atlases {
  readonly countries: Atlas;
  readonly states: Atlas;
  readonly counties: Atlas;
  /** The shapes of all of them in both details; some regions have several of one detail. */
  shapes(): Generator<NewShape>;
}

/** Maximum distance, in degrees, between simplified and full borders of states and counties. */
const SIMPLE_TOLERANCE = 0.03;

/** Kosovo has no ISO 3166-1 number; this is its number in UN statistics. */
export const KOSOVO_M49 = 412;

export async function readAtlases(): Promise<Atlases> {
  const texts = await Promise.all([
    readPackageFile('world-atlas/countries-110m.json'),
    readPackageFile('world-atlas/countries-50m.json'),
    readPackageFile('us-atlas/counties-10m.json'),
  ]);
  const [world, us] = [parseTopology(texts[1]), parseTopology(texts[2])];
  const countries = readLayer(world, 'countries', worldAtlasRegionId);
  const states = readLayer(us, 'states', usStateRegionId);
  const counties = readLayer(us, 'counties', usCountyRegionId);
  return {
    countries,
    states,
    counties,
    *shapes() {
      const coarse = readLayer(parseTopology(texts[0]), 'countries', worldAtlasRegionId);
      yield* atlasShapes({ full: countries, simple: new Map([...countries, ...coarse]) });
      const simple = simplifyTopology(us, SIMPLE_TOLERANCE);
      yield* atlasShapes({ full: states, simple: readLayer(simple, 'states', usStateRegionId) });
      yield* atlasShapes({ full: counties, simple: readLayer(simple, 'counties', usCountyRegionId) });
    },
  };
}

const { resolve } = createRequire(import.meta.url);

function readPackageFile(path: string): Promise<string> {
  return readFile(resolve(path), 'utf8');
}

function parseTopology(text: string): Topology {
  return JSON.parse(text) as Topology;
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
  const { geometries } = topology.objects[layer] as GeometryCollection;
  for (const part of geometries) {
    const { name } = part.properties as { name: string };
    const id = regionId(part.id as string, name);
    if (id === undefined || !isShape(part)) continue;
    const region = regions.get(id) ?? { name, shapes: [] };
    region.shapes.push((feature(topology, part) as Feature<SphericalShape>).geometry);
    regions.set(id, region);
  }
  return regions;
}

function isShape(part: GeometryObject): part is TopologyPolygon | TopologyMultiPolygon {
  return part.type === 'Polygon' || part.type === 'MultiPolygon';
}

/** The shapes of an atlas in both details. */
function* atlasShapes({ simple, full }: { simple: Atlas; full: Atlas }): Generator<NewShape> {
  for (const [detail, regions] of [['simple', simple] as const, ['full', full] as const]) {
    for (const [region_id, { shapes }] of regions) yield { region_id, detail, geojson: toGeojson(shapes) };
  }
}
