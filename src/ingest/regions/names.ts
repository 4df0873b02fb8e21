import { REGION_LEVELS } from '../../model/entity.js';
import type { NewEntity } from '../../store/store.js';
import { countryRegionId, formerAreaRegionId, formerCountryRegionId } from './ids.js';
import { loadRegionTree } from './tree.js';

/** Countries, including former ones, by all names and aliases. */
export interface CountryNames {
  /** The country of a name, without regard to case and accents; a present country before a former one. */
  find(name: string): NewEntity<'regions'> | undefined;
}

/** Names of countries in agricultural statistics that the region tree does not have. */
const OTHER_NAMES: readonly (readonly [name: string, id: number])[] = [
  ['Korea, South', countryRegionId(410)],
  ['Korea, North', countryRegionId(408)],
  ["Democratic People's Republic of Korea", countryRegionId(408)],
  ['China, mainland', countryRegionId(156)],
  ['China, Taiwan Province of', countryRegionId(158)],
  ['China, Hong Kong SAR', countryRegionId(344)],
  ['China, Macao SAR', countryRegionId(446)],
  ['Republic of Moldova', countryRegionId(498)],
  ['United Republic of Tanzania', countryRegionId(834)],
  ['French Guyana', countryRegionId(254)],
  ['Gambia, The', countryRegionId(270)],
  ['Bahamas, The', countryRegionId(44)],
  ['St. Lucia', countryRegionId(662)],
  ['St. Vincent and the Grenadines', countryRegionId(670)],
  ['St. Kitts and Nevis', countryRegionId(659)],
  ['Congo (Kinshasa)', countryRegionId(180)],
  ['Congo (Brazzaville)', countryRegionId(178)],
  ['Union of Soviet Socialist Repu', formerCountryRegionId('SUHH')],
  ['Former Czechoslovakia', formerCountryRegionId('CSHH')],
  ['Yugoslavia (>05/92)', formerCountryRegionId('YUCS')],
  ['Germany, Federal Republic of', formerAreaRegionId(280)],
  ['Yemen (Sanaa)', formerAreaRegionId(886)],
  ['Yemen (Aden)', formerCountryRegionId('YDYE')],
];

let names: Promise<CountryNames> | undefined;

/** The countries of the region tree by name, built once per process. */
export function loadCountryNames(): Promise<CountryNames> {
  names ??= buildNames();
  return names;
}

async function buildNames(): Promise<CountryNames> {
  const { regions } = await loadRegionTree();
  const countries = regions.filter(({ level }) => level === REGION_LEVELS.country);
  const byName = new Map<string, NewEntity<'regions'>>();
  // Later entries win: former countries first, and aliases before names.
  const past = countries.filter(({ historical }) => historical);
  const present = countries.filter(({ historical }) => !historical);
  for (const kind of [past, present]) {
    for (const country of kind)
      for (const alias of country.aliases ?? []) byName.set(foldName(alias), country);
    for (const country of kind) byName.set(foldName(country.name), country);
  }
  const byId = new Map(countries.map((country) => [country.id, country]));
  for (const [name, id] of OTHER_NAMES) byName.set(foldName(name), byId.get(id)!);
  return { find: (name) => byName.get(foldName(name)) };
}

/** A name without case, accents, punctuation and leading article, for comparison. */
export function foldName(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');
}
