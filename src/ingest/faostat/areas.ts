import { WORLD_REGION_ID } from '../../model/entity.js';
import type { NewEntity } from '../../store/store.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import {
  continentRegionId,
  formerAreaRegionId,
  formerCountryRegionId,
  groupRegionId,
} from '../regions/ids.js';
import { type CountryNames, foldName, otherRegion, resolveRegionName } from '../regions/names.js';

type GroupRow = readonly [m49: number, name: string, belongsTo: number | number[]];

const AFRICA = continentRegionId('AF');
const ASIA = continentRegionId('AS');
const EUROPE = continentRegionId('EU');
const OCEANIA = continentRegionId('OC');
const NORTH_AMERICA = continentRegionId('NA');
const AMERICAS = groupRegionId(19);

/** Groups of UN M49 by FAOSTAT's names; numbers from 900 are FAO's own. */
const GROUPS: readonly GroupRow[] = [
  [19, 'Americas', WORLD_REGION_ID],
  [21, 'Northern America', [AMERICAS, NORTH_AMERICA]],
  [13, 'Central America', [AMERICAS, NORTH_AMERICA]],
  [29, 'Caribbean', [AMERICAS, NORTH_AMERICA]],
  [14, 'Eastern Africa', AFRICA],
  [17, 'Middle Africa', AFRICA],
  [15, 'Northern Africa', AFRICA],
  [18, 'Southern Africa', AFRICA],
  [11, 'Western Africa', AFRICA],
  [143, 'Central Asia', ASIA],
  [30, 'Eastern Asia', ASIA],
  [34, 'Southern Asia', ASIA],
  [35, 'South-eastern Asia', ASIA],
  [145, 'Western Asia', ASIA],
  [151, 'Eastern Europe', EUROPE],
  [154, 'Northern Europe', EUROPE],
  [39, 'Southern Europe', EUROPE],
  [155, 'Western Europe', EUROPE],
  [53, 'Australia and New Zealand', OCEANIA],
  [54, 'Melanesia', OCEANIA],
  [57, 'Micronesia (region)', OCEANIA],
  [61, 'Polynesia', OCEANIA],
  [97, 'European Union (27)', EUROPE],
  [199, 'Least Developed Countries (LDCs)', WORLD_REGION_ID],
  [432, 'Land Locked Developing Countries (LLDCs)', WORLD_REGION_ID],
  [722, 'Small Island Developing States (SIDS)', WORLD_REGION_ID],
  [901, 'Low Income Food Deficit Countries (LIFDCs)', WORLD_REGION_ID],
  [902, 'Net Food Importing Developing Countries (NFIDCs)', WORLD_REGION_ID],
  [159, 'China with Hong Kong, Macao and Taiwan', ASIA],
];

const GROUP_REGIONS: ReadonlyMap<number, NewEntity<'regions'>> = new Map(
  GROUPS.map(([m49, name, belongsTo]) => [
    m49,
    {
      id: groupRegionId(m49),
      ...otherRegion({
        name,
        definition: `Group of countries and territories in FAOSTAT; numbered ${m49}.`,
        belongsTo: [belongsTo].flat(),
      }),
    },
  ]),
);

/**
 * Groups that have the name of a country. FAOSTAT calls the countries "China, mainland" and "Micronesia (Federated States
 * of)" in every system of codes; in ISO 3, CHN is the group, and F41 the country (definitions of countries and groups, 2022).
 */
const GROUPS_LIKE_COUNTRIES: ReadonlyMap<string, number> = new Map([
  ['china', 159],
  ['micronesia', 57],
]);
/** The codes of those countries, of FAO and ISO. */
const COUNTRY_CODES: ReadonlySet<string> = new Set(['41', 'F41', '145', 'FSM', 'FM']);

/** The world and the continents: their M49 numbers and folded names. */
const CONTINENTS: readonly (readonly [m49: number, name: string, id: number])[] = [
  [1, 'world', WORLD_REGION_ID],
  [2, 'africa', AFRICA],
  [142, 'asia', ASIA],
  [150, 'europe', EUROPE],
  [9, 'oceania', OCEANIA],
  [5, 'south america', continentRegionId('SA')],
];

/** The world, the continents and former areas by M49. */
const FIXED: ReadonlyMap<number, number> = new Map([
  ...CONTINENTS.map(([m49, , id]) => [m49, id] as const),
  [810, formerCountryRegionId('SUHH')],
  [200, formerCountryRegionId('CSHH')],
  [891, formerCountryRegionId('CSXX')],
  [530, formerCountryRegionId('ANHH')],
  [582, formerCountryRegionId('PCHH')],
  [720, formerCountryRegionId('YDYE')],
  [278, formerCountryRegionId('DDDE')],
  ...[58, 230, 280, 736, 886, 890].map((m49) => [m49, formerAreaRegionId(m49)] as const),
]);

const GROUP_NUMBERS: ReadonlyMap<string, number> = new Map([
  ...CONTINENTS.map(([m49, name]) => [name, m49] as const),
  ...GROUPS.map(([m49, name]) => [foldName(name), m49] as const),
  [foldName('European Union'), 97],
  [foldName('Least Developed Countries'), 199],
  [foldName('Land Locked Developing Countries'), 432],
  [foldName('Small Island Developing States'), 722],
  [foldName('Low Income Food Deficit Countries'), 901],
  [foldName('Net Food Importing Developing Countries'), 902],
]);

/** The fields of an area; newer files have M49 codes, older ones only FAO's codes, and exports the codes of choice. */
export interface FaoAreaText {
  readonly name: string;
  /** Empty in files without it. */
  readonly m49: string;
  /** Of FAO or ISO; empty in files without it. */
  readonly code: string;
}

/** The region of an area; adds groups, and areas that only FAOSTAT has. */
export function resolveFaoArea(
  { name, m49, code }: FaoAreaText,
  {
    countries,
    batch,
    countryIds,
  }: { countries: CountryNames; batch: BatchBuilder; countryIds: ReadonlySet<number> },
): number {
  const number = m49 === '' ? findGroupNumber(name, code) : Number(m49.replace(/^'/, ''));
  const fixed = FIXED.get(number);
  if (fixed !== undefined) return fixed;
  const group = GROUP_REGIONS.get(number);
  if (group !== undefined) {
    batch.addEntity('regions', group);
    return group.id;
  }
  if (countryIds.has(number)) return number;
  return resolveRegionName(name, { countries, batch, dataset: 'faostat' });
}

/** The M49 number of a group or continent by its name, where no code says that it is a country; NaN for countries. */
function findGroupNumber(name: string, code: string): number {
  const folded = foldName(name);
  const alike = COUNTRY_CODES.has(code) ? undefined : GROUPS_LIKE_COUNTRIES.get(folded);
  return alike ?? GROUP_NUMBERS.get(folded) ?? Number.NaN;
}
