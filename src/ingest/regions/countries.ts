import { countries, type TContinentCode, type TCountryCode } from 'countries-list';
import { iso31661 } from 'iso-3166';
import { REGION_LEVELS, WORLD_REGION_ID } from '../../model/entity.js';
import { type Atlas, KOSOVO_M49 } from './atlas.js';
import { NO_CENTRE, regionCentre, type TreeRegion } from './centre.js';
import { continentRegionId, countryRegionId } from './ids.js';

const CONTINENT_NAMES: Readonly<Record<TContinentCode, string>> = {
  AF: 'Africa',
  AN: 'Antarctica (continent)',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
};

export const WORLD: TreeRegion = {
  id: WORLD_REGION_ID,
  name: 'World',
  definition: 'The whole world; as a partner region, trade or other exchange with everyone.',
  level: REGION_LEVELS.world,
  belongsTo: [],
  centre: () => NO_CENTRE,
  historical: false,
  aliases: ['Global', 'Earth'],
};

/** The seven continents; North America includes Central America and the Caribbean. */
export function continentRegions(): TreeRegion[] {
  return (Object.keys(CONTINENT_NAMES) as TContinentCode[]).map((code) => ({
    ...WORLD,
    id: continentRegionId(code),
    name: CONTINENT_NAMES[code],
    definition: `Continent.`,
    level: REGION_LEVELS.continent,
    belongsTo: [WORLD_REGION_ID],
    aliases: code === 'NA' ? ['Northern and Central America'] : [],
  }));
}

/** The countries and territories of ISO 3166-1, and Kosovo; those on two continents belong to both. */
export function countryRegions(atlas: Atlas): TreeRegion[] {
  const assigned = iso31661.map(({ alpha2, alpha3, numeric, name }) => ({
    code: alpha2 as TCountryCode,
    id: countryRegionId(numeric),
    others: [name, alpha3],
    definition: `Country or territory; ISO 3166-1 ${alpha3}, ${numeric}.`,
  }));
  const kosovo = {
    code: 'XK' as const,
    id: KOSOVO_M49,
    others: ['XKX'],
    definition: 'Country without an ISO 3166-1 code of its own; numbered 412 in UN statistics.',
  };
  return [...assigned, kosovo].map(({ code, id, others, definition }) => {
    const { name, native, alias = [] } = countries[code];
    return {
      id,
      name,
      definition,
      level: REGION_LEVELS.country,
      belongsTo: countryContinents(code),
      centre: () => regionCentre(atlas.get(id)?.shapes ?? []),
      historical: false,
      aliases: distinctAliases(name, [...others, ...alias, native]),
    };
  });
}

/** The region ids of a country's continents, from countries-list. */
export function countryContinents(code: TCountryCode): number[] {
  const { continent, continents } = countries[code] as {
    continent: TContinentCode;
    continents?: TContinentCode[] | undefined;
  };
  return (continents ?? [continent]).map(continentRegionId);
}

/** Aliases without duplicates, empty strings and the name itself. */
export function distinctAliases(name: string, aliases: readonly string[]): string[] {
  return [...new Set(aliases)].filter((alias) => alias !== '' && alias !== name);
}
