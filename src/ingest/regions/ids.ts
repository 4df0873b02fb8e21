import { NAMED_ID_RANGE } from '../batch/batch-builder.js';
import states from './us-states.json' with { type: 'json' };

/**
 * The ranges of region ids by kind of region, with both ends inclusive. Ids are computed only from public codes, so
 * that they are the same on every machine regardless of the order of imports. The world is 0; all others are positive
 * 32-bit integers.
 */
export const REGION_ID_RANGES = {
  world: [0, 0],
  /** ISO 3166-1 numeric code. */
  country: [1, 999],
  /** 1000 + UN M49 code. Includes continents. */
  group: [1_000, 1_999],
  /** Country groups that occur in statistics but have no M49 code, numbered in `statistical-groups.json`. */
  statisticalGroup: [2_000, 2_999],
  /** 3000 + the UN M49 code of a former area that is not in ISO 3166-3. */
  formerArea: [3_000, 3_999],
  /** 10000 + FIPS state code. */
  usState: [10_000, 10_099],
  /** 20000 + FIPS state code × 100 + NASS agricultural district. */
  usAgriculturalDistrict: [20_000, 29_999],
  /** 30000 + FIPS state code × 100 + NASS district, for the counties that NASS combines. */
  usOtherCounties: [30_000, 39_999],
  /** 100000 + FIPS county code. */
  usCounty: [100_000, 199_999],
  /** 1000000 + the four letters of the ISO 3166-3 code as base-26 digits. */
  formerCountry: [1_000_000, 1_456_975],
  /** 2^29 + the ISO 3166-2 code, read as two letters (base 26) and three letters, digits or blanks (base 37). */
  subdivision: [536_870_912, 571_112_339],
  /** Hashes of names, for stations, grid points and places that occur in only one source. */
  named: NAMED_ID_RANGE,
} as const satisfies Readonly<Record<string, readonly [number, number]>>;

type RegionIdKind = keyof typeof REGION_ID_RANGES;

/** The continents' UN M49 codes. Antarctica is also a country with the same code; the continent's id is 1000 + 10. */
const CONTINENT_M49 = { AF: 2, AN: 10, AS: 142, EU: 150, NA: 3, OC: 9, SA: 5 } as const;
type ContinentCode = keyof typeof CONTINENT_M49;

/** Returns the kind of region that an id stands for, or `undefined` if the id is in none of the ranges. */
export function regionIdKind(id: number): RegionIdKind | undefined {
  const kinds = Object.keys(REGION_ID_RANGES) as RegionIdKind[];
  return kinds.find((kind) => id >= REGION_ID_RANGES[kind][0] && id <= REGION_ID_RANGES[kind][1]);
}

export function countryRegionId(numeric: number | string): number {
  return checkRange('country', Number(numeric), numeric);
}

/** Returns a region's id from its number within its kind, such as the UN M49 code of a group. */
export function regionId(kind: RegionIdKind, number: number): number {
  return checkRange(kind, REGION_ID_RANGES[kind][0] + number, number);
}

export function continentRegionId(code: ContinentCode): number {
  return regionId('group', CONTINENT_M49[code]);
}

/** Returns a US state's id from its FIPS code. A territory that ISO 3166-1 lists as a country gets the country's id. */
export function usStateRegionId(fips: number | string): number {
  const country = TERRITORY_COUNTRIES.get(Number(fips));
  return country ?? checkRange('usState', 10_000 + Number(fips), fips);
}

/** ISO 3166-1 numeric codes of the US territories, keyed by FIPS state code. */
const TERRITORY_COUNTRIES: ReadonlyMap<number, number> = new Map([
  [60, 16],
  [66, 316],
  [69, 580],
  [72, 630],
  [78, 850],
]);

export function usCountyRegionId(fips: number | string): number {
  return checkRange('usCounty', 100_000 + (REPLACED_CODES.get(Number(fips)) ?? Number(fips)), fips);
}

/** Old FIPS codes of otherwise unchanged counties, mapped to new codes: Ste. Genevieve County, Missouri (1979). */
const REPLACED_CODES: ReadonlyMap<number, number> = new Map([[29193, 29186]]);

const BLANK_LETTERS_DIGITS = ' ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export function subdivisionRegionId(code: string): number {
  if (!/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code)) throw new RangeError(`"${code}" is not an ISO 3166-2 code`);
  const country = letterValue(code, 0) * 26 + letterValue(code, 1);
  const rest = code.slice(3).padEnd(3, ' ');
  const part = [...rest].reduce((sum, character) => sum * 37 + BLANK_LETTERS_DIGITS.indexOf(character), 0);
  return regionId('subdivision', country * 37 ** 3 + part);
}

export function formerCountryRegionId(alpha4: string): number {
  if (!/^[A-Z]{4}$/.test(alpha4)) throw new RangeError(`"${alpha4}" is not an ISO 3166-3 code`);
  const number = [0, 1, 2, 3].reduce((sum, at) => sum * 26 + letterValue(alpha4, at), 0);
  return regionId('formerCountry', number);
}

function letterValue(text: string, at: number): number {
  return text.charCodeAt(at) - 65;
}

function checkRange(kind: RegionIdKind, id: number, code: number | string): number {
  const [first, last] = REGION_ID_RANGES[kind];
  if (Number.isInteger(id) && id >= first && id <= last) return id;
  throw new RangeError(`"${code}" is not a valid code for the region kind ${kind}`);
}

/** Postal abbreviations of US states, the District of Columbia and territories, keyed by FIPS code (FIPS 5-2). */
export const STATE_ABBREVIATIONS: Readonly<Record<string, string>> = states;

/** Region ids of the US states and territories, keyed by postal abbreviation. */
export const STATE_IDS_BY_ABBREVIATION: ReadonlyMap<string, number> = new Map(
  Object.entries(STATE_ABBREVIATIONS).map(([fips, abbreviation]) => [abbreviation, usStateRegionId(fips)]),
);
