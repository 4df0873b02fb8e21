import type { NewEntity, NewShape } from '../../store/store.js';
import { atlasShapes, readAtlases } from './atlas.js';
import { continentRegions, countryRegions, WORLD } from './countries.js';
import { formerAreaRegions, formerCountryRegions } from './former-countries.js';
import { subdivisionRegions } from './subdivisions.js';
import { usCountyRegions, usStateRegions } from './united-states.js';

/** The regions that every store has, parents before children, and their shapes. */
export interface RegionTree {
  readonly regions: readonly NewEntity<'regions'>[];
  readonly byId: ReadonlyMap<number, NewEntity<'regions'>>;
  readonly shapes: readonly NewShape[];
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
  const { countries, states, counties } = await readAtlases();
  const regions = [
    WORLD,
    ...continentRegions(),
    ...countryRegions(countries.full),
    ...formerCountryRegions(countries.full),
    ...formerAreaRegions(countries.full),
    ...usStateRegions(states.full),
    ...subdivisionRegions(),
    ...usCountyRegions(counties.full, states.full),
  ];
  const byId = new Map(regions.map((region) => [region.id, region]));
  const shapes = [...atlasShapes(countries), ...atlasShapes(states), ...atlasShapes(counties)];
  // Both atlases have the US territories: the later shape, which is finer, is used.
  const distinct = new Map(shapes.map((shape) => [`${shape.region_id} ${shape.detail}`, shape]));
  return { regions, byId, shapes: [...distinct.values()].filter(({ region_id }) => byId.has(region_id)) };
}
