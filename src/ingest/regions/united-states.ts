import { REGION_LEVELS } from '../../model/entity.js';
import type { Atlas } from './atlas.js';
import { regionCentre, type TreeRegion } from './centre.js';
import { countryRegionId, usStateRegionId } from './ids.js';

/** Postal abbreviations of the states, the District of Columbia and the territories by FIPS code (FIPS 5-2). */
export const STATE_ABBREVIATIONS: Readonly<Record<number, string>> = {
  1: 'AL',
  2: 'AK',
  4: 'AZ',
  5: 'AR',
  6: 'CA',
  8: 'CO',
  9: 'CT',
  10: 'DE',
  11: 'DC',
  12: 'FL',
  13: 'GA',
  15: 'HI',
  16: 'ID',
  17: 'IL',
  18: 'IN',
  19: 'IA',
  20: 'KS',
  21: 'KY',
  22: 'LA',
  23: 'ME',
  24: 'MD',
  25: 'MA',
  26: 'MI',
  27: 'MN',
  28: 'MS',
  29: 'MO',
  30: 'MT',
  31: 'NE',
  32: 'NV',
  33: 'NH',
  34: 'NJ',
  35: 'NM',
  36: 'NY',
  37: 'NC',
  38: 'ND',
  39: 'OH',
  40: 'OK',
  41: 'OR',
  42: 'PA',
  44: 'RI',
  45: 'SC',
  46: 'SD',
  47: 'TN',
  48: 'TX',
  49: 'UT',
  50: 'VT',
  51: 'VA',
  53: 'WA',
  54: 'WV',
  55: 'WI',
  56: 'WY',
  60: 'AS',
  66: 'GU',
  69: 'MP',
  72: 'PR',
  78: 'VI',
};

const STATE_IDS = Object.keys(STATE_ABBREVIATIONS).map(
  (fips) => [Number(fips), usStateRegionId(fips)] as const,
);

/** The regions of the states and territories by their postal abbreviations. */
export const STATE_IDS_BY_ABBREVIATION: ReadonlyMap<string, number> = new Map(
  STATE_IDS.map(([fips, id]) => [STATE_ABBREVIATIONS[fips]!, id]),
);

const CAPITAL_NAMES = ['DC', 'US-DC', 'Washington, DC', 'Washington, D.C.'] as const;

/** The states and the District of Columbia; the territories are countries of ISO 3166-1. */
export function usStateRegions(atlas: Atlas): TreeRegion[] {
  return STATE_IDS.filter(([fips]) => fips < 60).map(([fips, id]) => {
    const region = atlas.get(id)!;
    const { name } = region;
    const abbreviation = STATE_ABBREVIATIONS[fips]!;
    return {
      id,
      name,
      definition: `${fips === 11 ? 'Federal district' : 'State'} of the United States; FIPS ${String(fips).padStart(2, '0')}, ISO 3166-2 US-${abbreviation}.`,
      level: REGION_LEVELS.province,
      belongsTo: [countryRegionId(840)],
      centre: () => regionCentre(region.shapes),
      historical: false,
      aliases:
        fips === 11
          ? [...CAPITAL_NAMES]
          : [abbreviation, `US-${abbreviation}`, `${name} State`, `State of ${name}`],
    };
  });
}

/**
 * The counties and their equivalents, named as by the Census Bureau with the state ("King County, Washington"), so that
 * names are unique. Aliases are "King County", "King, Washington" and "King, WA".
 */
export function usCountyRegions(counties: Atlas, states: Atlas): TreeRegion[] {
  return [...counties].map(([id, county]) => {
    const { name: base } = county;
    const fips = id - 100_000;
    const stateFips = Math.floor(fips / 1000);
    const state = states.get(usStateRegionId(stateFips))!.name;
    const local = `${base}${countySuffix(fips)}`;
    const abbreviation = STATE_ABBREVIATIONS[stateFips]!;
    return {
      id,
      name: `${local}, ${state}`,
      definition: `County or equivalent of ${state}, United States; FIPS ${String(fips).padStart(5, '0')}.`,
      level: REGION_LEVELS.district,
      belongsTo: [usStateRegionId(stateFips)],
      centre: () => regionCentre(county.shapes),
      historical: false,
      aliases: [
        ...new Set([local, `${local}, ${abbreviation}`, `${base}, ${state}`, `${base}, ${abbreviation}`]),
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
