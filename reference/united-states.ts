import {
  countryRegionId,
  STATE_ABBREVIATIONS,
  usCountyRegionId,
  usStateRegionId,
} from '../src/ingest/regions/ids.js';
import { readTable } from '../src/ingest/vocabulary/text-table.js';
import { REGION_LEVELS } from '../src/model/entity.js';
import type { NewEntity } from '../src/store/store.js';
import type { Atlas } from './atlas.js';
import { NO_CENTRE, regionCentre } from './centre.js';

const CAPITAL_NAMES = ['11', 'DC', 'US-DC', 'Washington, DC', 'Washington, D.C.'] as const;

/** The states and the District of Columbia; the territories are countries of ISO 3166-1. */
export function usStateRegions(atlas: Atlas): NewEntity<'regions'>[] {
  const states = Object.entries(STATE_ABBREVIATIONS).map(([code, name]) => [Number(code), name] as const);
  return states
    .filter(([fips]) => fips < 60)
    .map(([fips, abbreviation]) => {
      const id = usStateRegionId(fips);
      const region = atlas.get(id)!;
      const { name } = region;
      const fipsText = String(fips).padStart(2, '0');
      return {
        id,
        name,
        definition: `${fips === 11 ? 'Federal district' : 'State'} of the United States; FIPS ${fipsText}, ISO 3166-2 US-${abbreviation}.`,
        level: REGION_LEVELS.province,
        belongsTo: [countryRegionId(840)],
        ...regionCentre(region.shapes),
        historical: false,
        aliases:
          fips === 11
            ? [...CAPITAL_NAMES]
            : [fipsText, abbreviation, `US-${abbreviation}`, `${name} State`, `State of ${name}`],
      };
    });
}

/**
 * Describes the counties and their equivalents, named as by the Census Bureau with the state ("King County, Washington"), so
 * that names are unique. Aliases are "King County", "King, Washington" and "King, WA".
 */
export function usCountyRegions(counties: Atlas, states: Atlas): NewEntity<'regions'>[] {
  const current = [...counties].map(([id, { name, shapes }]) => {
    const fips = id - 100_000;
    const note = DIVIDED.get(fips);
    const historical = note !== undefined;
    return { fips, base: name, suffix: countySuffix(fips), note: note ?? '', historical, shapes };
  });
  const others = OTHER_COUNTIES.map(({ sameLand, ...county }) => {
    const same = sameLand === undefined ? undefined : counties.get(usCountyRegionId(sameLand));
    return { ...county, shapes: same?.shapes ?? [] };
  });
  return [...current, ...others].map(({ fips, base, suffix, note, historical, shapes }) => {
    const fipsText = String(fips).padStart(5, '0');
    const stateFips = Math.floor(fips / 1000);
    const state = states.get(usStateRegionId(stateFips))!.name;
    const local = `${base}${suffix}`;
    const abbreviation = STATE_ABBREVIATIONS[stateFips]!;
    const kind = historical ? 'Former county or equivalent' : 'County or equivalent';
    return {
      id: usCountyRegionId(fips),
      name: `${local}, ${state}`,
      definition: `${kind} of ${state}, United States; FIPS ${fipsText}.${note === '' ? '' : ` ${note}.`}`,
      level: REGION_LEVELS.district,
      belongsTo: [usStateRegionId(stateFips)],
      ...(shapes.length === 0 ? NO_CENTRE : regionCentre(shapes)),
      historical,
      aliases: [
        ...new Set([
          fipsText,
          local,
          `${local}, ${abbreviation}`,
          `${base}, ${state}`,
          `${base}, ${abbreviation}`,
        ]),
      ],
    };
  });
}

/**
 * Counties and equivalents whose codes us-atlas, which has those of 2017, lacks. Former ones have a note on what became of
 * them, and the code of the present county that has the same land, if there is one. The source is the Census Bureau's list of
 * substantial changes to counties since 1970: https://www.census.gov/programs-surveys/geography/technical-documentation/county-changes.html
 */
const OTHER_COUNTIES = readTable(`
  present | 02063 | Chugach | Census Area | | Part of Valdez-Cordova Census Area (FIPS 02261) until 2019
  present | 02066 | Copper River | Census Area | | Part of Valdez-Cordova Census Area (FIPS 02261) until 2019
  present | 09110 | Capitol | Planning Region | | Equivalent of a county since 2022
  present | 09120 | Greater Bridgeport | Planning Region | | Equivalent of a county since 2022
  present | 09130 | Lower Connecticut River Valley | Planning Region | | Equivalent of a county since 2022
  present | 09140 | Naugatuck Valley | Planning Region | | Equivalent of a county since 2022
  present | 09150 | Northeastern Connecticut | Planning Region | | Equivalent of a county since 2022
  present | 09160 | Northwest Hills | Planning Region | | Equivalent of a county since 2022
  present | 09170 | South Central Connecticut | Planning Region | | Equivalent of a county since 2022
  present | 09180 | Southeastern Connecticut | Planning Region | | Equivalent of a county since 2022
  present | 09190 | Western Connecticut | Planning Region | | Equivalent of a county since 2022
  former | 02010 | Aleutian Islands | Census Area | | Divided into Aleutians East (FIPS 02013) and Aleutians West (FIPS 02016) in 1987
  former | 02140 | Kobuk | Census Area | | Became Northwest Arctic Borough (FIPS 02188) in 1986
  former | 02201 | Prince of Wales-Outer Ketchikan | Census Area | | Divided in 2008; most of it is Prince of Wales-Hyder Census Area (FIPS 02198)
  former | 02231 | Skagway-Yakutat-Angoon | Census Area | | Divided into Yakutat (FIPS 02282) and Skagway-Hoonah-Angoon (FIPS 02232) in 1992
  former | 02232 | Skagway-Hoonah-Angoon | Census Area | | Divided into Skagway (FIPS 02230) and Hoonah-Angoon (FIPS 02105) in 2007
  former | 02270 | Wade Hampton | Census Area | 02158 | Renamed Kusilvak Census Area (FIPS 02158) in 2015
  former | 02280 | Wrangell-Petersburg | Census Area | | Divided into Wrangell (FIPS 02275) and Petersburg (FIPS 02195) in 2008
  former | 12025 | Dade | County | 12086 | Renamed Miami-Dade County (FIPS 12086) in 1997
  former | 30113 | Yellowstone National Park | | | Joined to Gallatin County (FIPS 30031) and Park County (FIPS 30067) in 1997
  former | 32025 | Ormsby | County | 32510 | Became Carson City (FIPS 32510) in 1969
  former | 46113 | Shannon | County | 46102 | Renamed Oglala Lakota County (FIPS 46102) in 2015
  former | 46131 | Washabaugh | County | | Joined to Jackson County (FIPS 46071) in 1979
  former | 51123 | Nansemond | County | | Became the city of Nansemond in 1972, and part of Suffolk (FIPS 51800) in 1974
  former | 51515 | Bedford | city | | Joined to Bedford County (FIPS 51019) in 2013
  former | 51560 | Clifton Forge | city | | Joined to Alleghany County (FIPS 51005) in 2001
  former | 51695 | Nansemond | city | | Part of Suffolk (FIPS 51800) since 1974
  former | 51780 | South Boston | city | | Joined to Halifax County (FIPS 51083) in 1995
`).map(([state, code, base, suffix, sameLand, note]) => ({
  fips: Number(code),
  base: base!,
  suffix: suffix === '' ? '' : ` ${suffix}`,
  sameLand: sameLand === '' ? undefined : Number(sameLand),
  note: note!,
  historical: state === 'former',
}));

/** Counties of us-atlas that have been divided since, and what became of them. */
const DIVIDED: ReadonlyMap<number, string> = new Map([
  [2261, 'Divided into Chugach (FIPS 02063) and Copper River (FIPS 02066) in 2019'],
]);

/** The present counties that have the same land as former ones, by the ids of those. */
export const SAME_LAND: ReadonlyMap<number, number> = new Map(
  OTHER_COUNTIES.flatMap(({ fips, sameLand }) =>
    sameLand === undefined ? [] : [[usCountyRegionId(fips), usCountyRegionId(sameLand)] as const],
  ),
);

const ALASKA_BOROUGHS = new Set([
  2013, 2060, 2068, 2090, 2100, 2122, 2130, 2150, 2164, 2170, 2185, 2188, 2195,
]);
const ALASKA_CITY_BOROUGHS = new Set([2110, 2220, 2275, 2282]);
const ALASKA_MUNICIPALITIES = new Set([2020, 2230]);
/** Territories and equivalents of counties whose names have no suffix. */
const UNSUFFIXED_STATES = new Set([60, 66, 69, 78]);
const UNSUFFIXED_COUNTIES = new Set([11001, 32510]);
const INDEPENDENT_CITIES = new Set([24510, 29510]);

/** The Census Bureau's suffix to the name of a county or its equivalent, by FIPS code. */
function countySuffix(fips: number): string {
  const state = Math.floor(fips / 1000);
  if (UNSUFFIXED_COUNTIES.has(fips) || UNSUFFIXED_STATES.has(state)) return '';
  if (INDEPENDENT_CITIES.has(fips) || (state === 51 && fips % 1000 >= 510)) return ' city';
  if (state === 22) return ' Parish';
  if (state === 72) return ' Municipio';
  if (state !== 2) return ' County';
  if (ALASKA_CITY_BOROUGHS.has(fips)) return ' City and Borough';
  if (ALASKA_MUNICIPALITIES.has(fips)) return ' Municipality';
  return ALASKA_BOROUGHS.has(fips) ? ' Borough' : ' Census Area';
}
