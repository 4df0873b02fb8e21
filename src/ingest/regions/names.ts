import { REGION_LEVELS, WORLD_REGION_ID } from '../../model/entity.js';
import { once } from '../../model/grouping.js';
import { plainName } from '../../model/names/plain-name.js';
import type { NewEntity } from '../../store/store.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import countryNames from './country-names.json' with { type: 'json' };
import { continentRegionId, countryRegionId, formerCountryRegionId, regionId } from './ids.js';
import type { Locator } from './locate.js';
import statisticalGroups from './statistical-groups.json' with { type: 'json' };
import { loadRegionTree } from './tree.js';

/** Looks up current and former countries by their names and aliases. */
export interface CountryNames {
  /** Finds a country by name, ignoring case and accents. A current country takes precedence over a former one. */
  find(name: string): NewEntity<'regions'> | undefined;
}

/** Country names, even outdated or garbled ones, that occur in files but not in the region tree, with region ids. */
const OTHER_NAMES: readonly (readonly [name: string, id: number])[] = [
  ...Object.entries(countryNames.names).map(([name, code]) => [name, countryRegionId(code)] as const),
  ...Object.entries(countryNames.former).map(
    ([name, code]) =>
      [name, typeof code === 'string' ? formerCountryRegionId(code) : regionId('formerArea', code)] as const,
  ),
];

export const loadCountryNames = once(buildNames);

async function buildNames(): Promise<CountryNames> {
  const { regions } = await loadRegionTree();
  const countries = regions.filter(({ level }) => level === REGION_LEVELS.country);
  const byName = new Map<string, NewEntity<'regions'>>();
  // Later entries overwrite earlier ones, so former countries come before current ones, and aliases before names.
  const past = countries.filter(({ historical }) => historical);
  const present = countries.filter(({ historical }) => !historical);
  for (const kind of [past, present]) {
    for (const country of kind)
      for (const alias of country.aliases ?? []) byName.set(foldName(alias), country);
    for (const country of kind) byName.set(foldName(country.name), country);
  }
  const byId = new Map(countries.map((country) => [country.id, country]));
  for (const [name, id] of OTHER_NAMES) byName.set(foldName(name), byId.get(id)!);
  return { find: (name) => byName.get(foldName(name)) };
}

/** Removes case, accents, punctuation and a leading "the" from a name, for comparison. */
export function foldName(name: string): string {
  return plainName(name).replace(/^the /, '');
}

/** Country groups without a UN M49 code in USDA reports, as regions at the level "other". Their ids never change. */
const STATISTICAL_GROUPS: readonly NewEntity<'regions'>[] = statisticalGroups.map(
  ({ number, name, definition, continent, aliases }) => ({
    id: regionId('statisticalGroup', number),
    ...otherRegion({
      name,
      definition,
      belongsTo: [
        continent === undefined ? WORLD_REGION_ID : continentRegionId(continent as 'EU' | 'AS' | 'AF'),
      ],
      aliases,
    }),
  }),
);

const GROUPS_BY_NAME = new Map(
  STATISTICAL_GROUPS.flatMap((group) =>
    [group.name, ...(group.aliases ?? [])].map((name) => [foldName(name), group] as const),
  ),
);

/** Resolves the name of the world, a group or a country. Any other name is added as a region of the data set. */
export function resolveRegionName(
  name: string,
  { countries, batch, dataset }: { countries: CountryNames; batch: BatchBuilder; dataset: string },
): number {
  const folded = foldName(name);
  if (folded === 'world') return WORLD_REGION_ID;
  const group = GROUPS_BY_NAME.get(folded);
  if (group !== undefined) {
    batch.addEntity('regions', group);
    return group.id;
  }
  const country = countries.find(name);
  if (country !== undefined) return country.id;
  const definition = `Region as the data set "${dataset}" names it: ${name}.`;
  const region = otherRegion({ name, definition, belongsTo: [WORLD_REGION_ID] });
  return batch.addNamedEntity('regions', `${dataset}:region:${folded}`, region);
}

type NewRegion = NewEntity<'regions'>;
type RegionFields = Pick<NewRegion, 'name' | 'definition' | 'aliases'>;

/** Creates a region at the level "other", such as a group of countries, without coordinates. */
export function otherRegion(fields: RegionFields & Pick<NewRegion, 'belongsTo'>): Omit<NewRegion, 'id'> {
  return {
    ...fields,
    aliases: fields.aliases ?? [],
    level: REGION_LEVELS.other,
    latitude: null,
    longitude: null,
    historical: false,
  };
}

/** Creates a region at the level "coordinate" within the region at its position, or in `fallback` if there is none. */
export function pointRegion(
  { latitude, longitude, ...fields }: RegionFields & Pick<NewRegion, 'latitude' | 'longitude'>,
  locator: Locator | null,
  fallback = WORLD_REGION_ID,
): Omit<NewRegion, 'id'> {
  const located = latitude === null || longitude === null ? null : locator?.locate(latitude, longitude);
  return {
    ...fields,
    level: REGION_LEVELS.coordinate,
    belongsTo: [located ?? fallback],
    latitude,
    longitude,
    historical: false,
  };
}
