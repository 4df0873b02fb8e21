import type { NewEntity, NewShape } from '../../store/store.js';
import { readAtlases } from './atlas.js';
import { type TreeRegion, withCentre } from './centre.js';
import { continentRegions, countryRegions, WORLD } from './countries.js';
import { formerAreaRegions, formerCountryRegions } from './former-countries.js';
import { subdivisionRegions } from './subdivisions.js';
import { usCountyRegions, usStateRegions } from './united-states.js';

/** The regions that every store has, parents before children, and their shapes. */
export interface RegionTree {
  readonly regions: readonly TreeRegion[];
  readonly byId: ReadonlyMap<number, TreeRegion>;
  /** The regions with their centres, which are found when they are first asked for. */
  readonly centred: readonly NewEntity<'regions'>[];
  /** Made when they are first asked for. */
  readonly shapes: readonly NewShape[];
  /** A checksum of the shapes. */
  readonly shapesDigest: string;
}

let tree: Promise<RegionTree> | undefined;

/**
 * The world, continents, countries (including former ones), US states and counties, and the subdivisions of ISO 3166-2
 * elsewhere. Built once per process from world-atlas, us-atlas, iso-3166 and countries-list.
 */
export function loadRegionTree(): Promise<RegionTree> {
  tree ??= buildTree();
  return tree;
}

async function buildTree(): Promise<RegionTree> {
  const atlases = await readAtlases();
  const { countries, states, counties } = atlases;
  const regions = [
    WORLD,
    ...continentRegions(),
    ...countryRegions(countries),
    ...formerCountryRegions(countries),
    ...formerAreaRegions(countries),
    ...usStateRegions(states),
    ...subdivisionRegions(),
    ...usCountyRegions(counties, states),
  ];
  const byId = new Map(regions.map((region) => [region.id, region]));
  let centred: readonly NewEntity<'regions'>[] | undefined;
  let shapes: readonly NewShape[] | undefined;
  return {
    regions,
    byId,
    get centred() {
      centred ??= regions.map(withCentre);
      return centred;
    },
    get shapes() {
      shapes ??= distinctShapes(atlases.shapes()).filter(({ region_id }) => byId.has(region_id));
      return shapes;
    },
    shapesDigest: atlases.digest,
  };
}

/** Both atlases have the US territories: the later shape, which is finer, is used. */
function distinctShapes(shapes: Iterable<NewShape>): NewShape[] {
  const distinct = new Map<string, NewShape>();
  for (const shape of shapes) distinct.set(`${shape.region_id} ${shape.detail}`, shape);
  return [...distinct.values()];
}
