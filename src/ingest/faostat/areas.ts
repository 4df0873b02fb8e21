import { WORLD_REGION_ID } from '../../model/entity.js';
import type { NewEntity } from '../../store/store.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { formerAreaRegionId, formerCountryRegionId, groupRegionId, regionIdKind } from '../regions/ids.js';
import { type CountryNames, foldName, otherRegion, resolveRegionName } from '../regions/names.js';
import type { RegionTree } from '../regions/tree.js';
import groups from './groups.json' with { type: 'json' };

/** The continents by their folded names. */
const CONTINENTS = [
  ['africa', 2],
  ['asia', 142],
  ['europe', 150],
  ['oceania', 9],
  ['south america', 5],
] as const;

/** Groups of UN M49 by FAOSTAT's names, in those that contain them; numbers from 900 are FAO's own. */
const GROUP_REGIONS: ReadonlyMap<number, NewEntity<'regions'>> = new Map(
  groups.map(({ m49, name, containers }) => {
    const definition = `Group of countries and territories in FAOSTAT; numbered ${m49}.`;
    const belongsTo = containers.length === 0 ? [WORLD_REGION_ID] : containers.map(groupRegionId);
    return [m49, { id: groupRegionId(m49), ...otherRegion({ name, definition, belongsTo }) }];
  }),
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

/** The world, the continents and former areas by M49. */
const FIXED: ReadonlyMap<number, number> = new Map([
  [1, WORLD_REGION_ID],
  ...CONTINENTS.map(([, m49]) => [m49, groupRegionId(m49)] as const),
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
  ['world', 1],
  ...CONTINENTS,
  ...groups.flatMap(({ m49, name, others }) => [name, ...others].map((one) => [foldName(one), m49] as const)),
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
  { countries, batch, tree }: { countries: CountryNames; batch: BatchBuilder; tree: RegionTree['byId'] },
): number {
  const number = m49 === '' ? findGroupNumber(name, code) : Number(m49.replace(/^'/, ''));
  const fixed = FIXED.get(number);
  if (fixed !== undefined) return fixed;
  const group = GROUP_REGIONS.get(number);
  if (group !== undefined) {
    batch.addEntity('regions', group);
    return group.id;
  }
  if (regionIdKind(number) === 'country' && tree.has(number)) return number;
  return resolveRegionName(name, { countries, batch, dataset: 'faostat' });
}

/** The M49 number of a group or continent by its name, where no code says that it is a country; NaN for countries. */
function findGroupNumber(name: string, code: string): number {
  const folded = foldName(name);
  const alike = COUNTRY_CODES.has(code) ? undefined : GROUPS_LIKE_COUNTRIES.get(folded);
  return alike ?? GROUP_NUMBERS.get(folded) ?? Number.NaN;
}
