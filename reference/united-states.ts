import {
  countryRegionId,
  STATE_ABBREVIATIONS,
  usCountyRegionId,
  usStateRegionId,
} from '../src/ingest/regions/ids.js';
import { REGION_LEVELS } from '../src/model/entity.js';
import type { NewEntity } from '../src/store/store.js';
import type { Atlas } from './atlas.js';
import { NO_CENTRE, regionCentre } from './centre.js';
import others from './other-counties.json' with { type: 'json' };

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
const OTHER_COUNTIES = (others as readonly OtherCounty[]).map(
  ({ code, name, suffix, former = false, sameLand, note }) => ({
    fips: Number(code),
    base: name,
    suffix: suffix === undefined ? '' : ` ${suffix}`,
    sameLand: sameLand === undefined ? undefined : Number(sameLand),
    note,
    historical: former,
  }),
);

interface OtherCounty {
  readonly code: string;
  readonly name: string;
  readonly suffix?: string;
  readonly former?: boolean;
  readonly sameLand?: string;
  readonly note: string;
}

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
