import { countryRegionId, STATE_ABBREVIATIONS, usStateRegionId } from '../src/ingest/regions/ids.js';
import { REGION_LEVELS } from '../src/model/entity.js';
import type { NewEntity } from '../src/store/store.js';
import type { Atlas } from './atlas.js';
import { regionCentre } from './centre.js';

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
 * The counties and their equivalents, named as by the Census Bureau with the state ("King County, Washington"), so that
 * names are unique. Aliases are "King County", "King, Washington" and "King, WA".
 */
export function usCountyRegions(counties: Atlas, states: Atlas): NewEntity<'regions'>[] {
  return [...counties].map(([id, county]) => {
    const { name: base } = county;
    const fips = id - 100_000;
    const fipsText = String(fips).padStart(5, '0');
    const stateFips = Math.floor(fips / 1000);
    const state = states.get(usStateRegionId(stateFips))!.name;
    const local = `${base}${countySuffix(fips)}`;
    const abbreviation = STATE_ABBREVIATIONS[stateFips]!;
    return {
      id,
      name: `${local}, ${state}`,
      definition: `County or equivalent of ${state}, United States; FIPS ${fipsText}.`,
      level: REGION_LEVELS.district,
      belongsTo: [usStateRegionId(stateFips)],
      ...regionCentre(county.shapes),
      historical: false,
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
