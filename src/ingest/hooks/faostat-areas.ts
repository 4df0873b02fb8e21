import { WORLD_REGION_ID } from '../../model/entity.js';
import { getOrCompute } from '../../model/grouping.js';
import type { NewEntity } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { Row } from '../document/fields.js';
import type { Hook, HookContext, HookTable } from '../document/hook.js';
import { formerCountryRegionId, regionId, regionIdKind } from '../regions/ids.js';
import {
  type CountryNames,
  foldName,
  loadCountryNames,
  otherRegion,
  resolveRegionName,
} from '../regions/names.js';
import { loadRegionTree, type RegionTree } from '../regions/tree.js';
import m49ByFao from './fao-areas.json' with { type: 'json' };
import fixed from './fao-fixed.json' with { type: 'json' };
import groups from './fao-groups.json' with { type: 'json' };

const groupId = (m49: number): number => regionId('group', m49);

const CONTINENTS = Object.entries(fixed.continents);

/** Groups of countries, keyed by UN M49 code, with FAOSTAT's names. Codes from 900 on are FAO's own. */
const GROUP_REGIONS: ReadonlyMap<number, NewEntity<'regions'>> = new Map(
  groups.map(({ m49, name, containers, ...own }) => {
    const definition = own.definition ?? `Group of countries and territories in FAOSTAT; numbered ${m49}.`;
    const belongsTo = containers.length === 0 ? [WORLD_REGION_ID] : containers.map(groupId);
    return [m49, { id: groupId(m49), ...otherRegion({ name, definition, belongsTo }) }];
  }),
);

/** Region ids of the world, continents, former countries (ISO 3166-3) and former areas, keyed by M49 code. */
const FIXED: ReadonlyMap<number, number> = new Map([
  [1, WORLD_REGION_ID],
  ...CONTINENTS.map(([, m49]) => [m49, groupId(m49)] as const),
  ...Object.entries(fixed.formerCountries).map(
    ([m49, code]) => [Number(m49), formerCountryRegionId(code)] as const,
  ),
  ...fixed.formerAreas.map((m49) => [m49, regionId('formerArea', m49)] as const),
]);

/** M49 codes of groups, keyed by name. In FAOSTAT, "China" and "Micronesia" are names of groups. */
const GROUP_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['world', 1],
  ...CONTINENTS,
  ...groups.flatMap(({ m49, name, others }) => [name, ...others].map((one) => [foldName(one), m49] as const)),
]);

/**
 * UN M49 codes, keyed by FAO area code. FAO's codes never change, but its names do. The sources are FAOSTAT's
 * definitions of countries and groups (2022 and 2026) and, for territories and former areas, country_converter's table.
 */
const M49_BY_FAO: ReadonlyMap<string, number> = new Map(Object.entries(m49ByFao));
/** M49 code of the European Union of 27 states. Some files use it for the former Union of 28, FAO area 5706. */
const EU_27 = 97;
const EU_28 = 928;
/** M49 code of China with Hong Kong, Macao and Taiwan. The ISO codes CHN and CN may mean this area or the mainland. */
const CHINA = 159;

/** A row's area. The code is an M49 or FAO code, depending on the file's age or, in web exports, the user's choice. */
type FaoArea = Readonly<Record<'name' | 'm49' | 'code', string>>;

const areaHook = (answer: 'region' | 'partner_region'): Hook => ({
  takes: ['name', 'm49', 'code'],
  answers: [answer],
  async prepare(context) {
    const resolve = await areaResolver(context);
    return (row, table) => ({ [`${answer}_id`]: resolve(row, table) });
  },
});

export const FAOSTAT_AREA_HOOKS: Readonly<Record<string, Hook>> = {
  'faostat-area': areaHook('region'),
  'faostat-partner': areaHook('partner_region'),
};

/** Creates a function that resolves an area. @throws RowError if another area was resolved to the same region */
async function areaResolver({ batch }: HookContext) {
  const { byId } = await loadRegionTree();
  const known = { tree: byId, countries: await loadCountryNames() };
  const owners = new Map<HookTable, Map<number, FaoArea>>();
  return ({ name = '', m49 = '', code = '' }: Row, table: HookTable): number => {
    const area = { name, m49, code };
    if (name === '') throw new RowError('the area has no name');
    const id = resolveFaoArea(area, batch, known);
    const ofTable = getOrCompute(owners, table, () => new Map<number, FaoArea>());
    const owner = getOrCompute(ofTable, id, () => area);
    if (owner.m49 === m49 && owner.code === code) return id;
    throw new RowError(
      `the area "${name}" (${m49 || code}) would become the same region as "${owner.name}" (${owner.m49 || owner.code})`,
    );
  };
}

/**
 * Resolves an area to a region by its codes. If the codes are ambiguous, missing or unknown, the name is used. A code
 * that may be either an FAO code or an M49 code is read as an M49 code if the name agrees. Groups of countries, and
 * areas that exist only in FAOSTAT, are added to the import as regions.
 */
function resolveFaoArea(
  { name, m49, code }: FaoArea,
  batch: BatchBuilder,
  { tree, countries }: { tree: RegionTree['byId']; countries: CountryNames },
): number {
  const regionOf = (number: number): number | undefined =>
    FIXED.get(number) ??
    GROUP_REGIONS.get(number)?.id ??
    (regionIdKind(number) === 'country' && tree.has(number) ? number : undefined);
  const plain = code.replace(/^['F0]+(?=\d)/, '');
  const numbers = [M49_BY_FAO.get(plain), m49.replace(/^'/, ''), plain].map((text) => Number(text || 'none'));
  const isEither = Number.isNaN(numbers[0]) && numbers.includes(EU_27);
  const coded = [...numbers, ...(isEither ? [EU_28] : [])].map(regionOf);
  if (code === 'CHN' || code === 'CN') coded.push(regionOf(CHINA));
  if (/^[A-Z]{2,3}$/.test(code)) coded.push(countries.find(code)?.id);
  const known = coded.filter((id) => id !== undefined);
  const named = regionOf(GROUP_NUMBERS.get(foldName(name)) ?? Number.NaN) ?? countries.find(name)?.id;
  const id = known.find((one) => one === named) ?? known[0] ?? named;
  if (id === undefined) return resolveRegionName(name, { countries, batch, dataset: 'faostat' });
  const group = GROUP_REGIONS.get(id - groupId(0));
  if (group !== undefined) batch.addEntity('regions', group);
  return id;
}
