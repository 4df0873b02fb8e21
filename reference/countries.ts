import { countries, type TContinentCode, type TCountryCode } from 'countries-list';
import { iso31661, iso31663 } from 'iso-3166';
import {
  continentRegionId,
  countryRegionId,
  formerCountryRegionId,
  regionId,
} from '../src/ingest/regions/ids.js';
import { REGION_LEVELS, WORLD_REGION_ID } from '../src/model/entity.js';
import type { NewEntity } from '../src/store/store.js';
import { type Atlas, KOSOVO_M49 } from './atlas.js';
import { combinedCentre, NO_CENTRE, regionCentre } from './centre.js';
import { SUBDIVISION_CODES } from './subdivisions.js';

type NewRegion = NewEntity<'regions'>;

const CONTINENT_NAMES: Readonly<Record<TContinentCode, string>> = {
  AF: 'Africa',
  AN: 'Antarctica (continent)',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
};

export const WORLD: NewRegion = {
  id: WORLD_REGION_ID,
  name: 'World',
  definition: 'The whole world; as a partner region, trade or other exchange with everyone.',
  level: REGION_LEVELS.world,
  belongsTo: [],
  ...NO_CENTRE,
  historical: false,
  aliases: ['Global', 'Earth'],
};

/** The seven continents; North America includes Central America and the Caribbean. */
export function continentRegions(): NewRegion[] {
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
export function countryRegions(atlas: Atlas): NewRegion[] {
  const assigned = iso31661.map(({ alpha2, alpha3, numeric, name }) => ({
    code: alpha2 as TCountryCode,
    id: countryRegionId(numeric),
    others: [name, alpha2, alpha3, numeric],
    definition: `Country or territory; ISO 3166-1 ${alpha3}, ${numeric}.`,
  }));
  const kosovo = {
    code: 'XK' as const,
    id: KOSOVO_M49,
    others: ['XK', 'XKX'],
    definition: 'Country without an ISO 3166-1 code of its own; numbered 412 in UN statistics.',
  };
  return [...assigned, kosovo].map(({ code, id, others, definition }) => {
    const { name, native, alias = [] } = countries[code];
    const subdivision = SUBDIVISION_CODES.get(code) ?? [];
    return {
      id,
      name,
      definition,
      level: REGION_LEVELS.country,
      belongsTo: countryContinents(code),
      ...regionCentre(atlas.get(id)?.shapes ?? []),
      historical: false,
      aliases: distinctAliases(name, [...others, ...alias, native].concat(subdivision)),
    };
  });
}

/** The region ids of a country's continents, from countries-list. */
function countryContinents(code: TCountryCode): number[] {
  const { continent, continents } = countries[code] as {
    continent: TContinentCode;
    continents?: TContinentCode[] | undefined;
  };
  return (continents ?? [continent]).map(continentRegionId);
}

/** Aliases without duplicates, empty strings and the name itself. */
function distinctAliases(name: string, aliases: readonly string[]): string[] {
  return [...new Set(aliases)].filter((alias) => alias !== '' && alias !== name);
}

type FormerEntry = (typeof iso31663)[number];

/** Common names that ISO 3166-3 does not list. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  SUHH: ['Soviet Union', 'Union of Soviet Socialist Republics'],
  DDDE: ['East Germany', 'GDR'],
  YUCS: ['Federal Republic of Yugoslavia'],
  YDYE: ['South Yemen', 'Democratic Yemen'],
  BUMM: ['Union of Burma'],
};

/**
 * The countries of ISO 3166-3 as historical regions, on the continents of their successors. A country that was split or
 * renamed has the combined centre of its successors; one that became part of another has none.
 */
export function formerCountryRegions(atlas: Atlas): NewRegion[] {
  return iso31663.map((entry) => {
    const { alpha4, type, from } = entry;
    const successors = currentSuccessors(entry);
    const shapes = successors.map(({ numeric }) => atlas.get(countryRegionId(numeric))?.shapes ?? []);
    return {
      id: formerCountryRegionId(alpha4),
      name: from.name,
      definition: `Former country; ISO 3166-3 ${alpha4}. ${SUCCESSION[type]} ${successors.map(({ name }) => name).join(', ')}.`,
      level: REGION_LEVELS.country,
      belongsTo: [...new Set(successors.flatMap(({ alpha2 }) => countryContinents(alpha2 as TCountryCode)))],
      ...combinedCentre(type === 'merge' ? [] : shapes),
      historical: true,
      aliases: distinctAliases(from.name, [alpha4, from.alpha3, ...(OTHER_NAMES[alpha4] ?? [])]),
    };
  });
}

const SUCCESSION = { split: 'Split into', change: 'Renamed:', merge: 'Became part of' } as const;

/** Successors that exist today; former countries among them are replaced by their own successors. */
function currentSuccessors(entry: FormerEntry): FormerEntry['to'] {
  return entry.to.flatMap((successor) => {
    if (successor.state === 'assigned') return [successor];
    const next = iso31663.find(({ from }) => from.alpha3 === successor.alpha3);
    return next === undefined ? [] : currentSuccessors(next);
  });
}

type AreaRow = readonly [
  m49: number,
  name: string,
  continent: 'AF' | 'AS' | 'EU',
  successors: number[],
  aliases: string[],
];

const AREAS: readonly AreaRow[] = [
  [58, 'Belgium-Luxembourg', 'EU', [56, 442], []],
  [230, 'Ethiopia (before 1993)', 'AF', [231, 232], ['Ethiopia PDR']],
  [280, 'Germany, Federal Republic of (before 1990)', 'EU', [], ['West Germany', 'FRG']],
  [736, 'Sudan (before 2011)', 'AF', [729, 728], ['Sudan (former)', 'Former Sudan']],
  [886, 'Yemen Arab Republic', 'AS', [], ['North Yemen']],
  [
    890,
    'Yugoslavia (before 1992)',
    'EU',
    [70, 191, 499, 688, 705, 807],
    ['Yugoslav SFR', 'SFR Yugoslavia', 'Former Yugoslavia'],
  ],
];

/** Former areas of statistics that are not in ISO 3166-3, as historical regions. */
export function formerAreaRegions(atlas: Atlas): NewRegion[] {
  return AREAS.map(([m49, name, continent, successors, aliases]) => ({
    ...WORLD,
    id: regionId('formerArea', m49),
    name,
    definition: `Former area; numbered ${m49} in UN statistics.`,
    level: REGION_LEVELS.country,
    belongsTo: [continentRegionId(continent)],
    ...combinedCentre(successors.map((id) => atlas.get(id)?.shapes ?? [])),
    historical: true,
    aliases,
  }));
}
