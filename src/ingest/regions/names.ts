import { REGION_LEVELS, WORLD_REGION_ID } from '../../model/entity.js';
import { plainName } from '../../model/names/named-parts.js';
import type { NewEntity } from '../../store/store.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { listed, readPairs, readTable } from '../vocabulary/text-table.js';
import {
  continentRegionId,
  countryRegionId,
  formerAreaRegionId,
  formerCountryRegionId,
  REGION_ID_RANGES,
} from './ids.js';
import type { Locator } from './locate.js';
import { loadRegionTree } from './tree.js';

/** Countries, including former ones, by all names and aliases. */
export interface CountryNames {
  /** The country of a name, without regard to case and accents; a present country before a former one. */
  find(name: string): NewEntity<'regions'> | undefined;
}

/**
 * Names of countries in agricultural statistics that the region tree lacks, including outdated and garbled ones, with
 * M49 codes.
 */
const OTHER_NAMES = readPairs(`
  Korea, South = 410; Korea, North = 408; Democratic People's Republic of Korea = 408; China, mainland = 156;
  China, Taiwan Province of = 158; China, Hong Kong SAR = 344; China, Macao SAR = 446; Republic of Moldova = 498;
  United Republic of Tanzania = 834; French Guyana = 254; Gambia, The = 270; Bahamas, The = 44; St. Lucia = 662;
  St. Vincent and the Grenadines = 670; St. Kitts and Nevis = 659; St. Pierre and Miquelon = 666;
  St. Helena (Br W Afr) = 654; Congo (Kinshasa) = 180; Congo (Brazzaville) = 178; Burkina = 854;
  Vanuatu/New Hebrides = 548; Gilbert and Ellice Islands = 296; Belgium (without Luxembourg) = 56;
  British Ind. Ocean Territory = 86; Falkland Islands (Islas Malvin = 238; Virgin Islands of the U.S. = 850;
  The former Yugoslav Republic of Macedonia = 807; The former Yugoslav Rep. of Macedonia = 807; TFYR of Macedonia = 807;
  Macedonia, The Former Yugoslav Republic of = 807; Republic of North Macedonia = 807; Libyan Arab Jamahiriya = 434;
  Occupied Palestinian Territory = 275; Palestine, Occupied Territory = 275; Palestine, Occupied Tr. = 275;
  Palestinian Territory, Occupied = 275; State of Palestine = 275; West Bank and Gaza Strip = 275; Republic of Türkiye = 792;
  Netherlands (the) = 528; United Kingdom of Great Britain and Northern Irelan = 826; Venezuela, Boliv Rep of = 862;
  Venezuela, Bolivarian Republic of = 862; Iran, Islamic Rep of = 364; Korea, Dem People's Rep = 408;
  Dem People's Rep of Korea = 408; Tanzania, United Rep of = 834; Congo, Republic of = 178; Congo, Rep of = 178;
  Congo, Democratic Republic of = 180; Congo, Dem Republic of = 180; Congo, Dem. Rep. of = 180;
  Democratic Republic of Congo = 180; Micronesia,Fed.States of = 583; Micronesia, Fed. States of = 583; St. Helena = 654;
  Wallis and Futuna Islands = 876; Wallis and Futuna Is = 876; US Virgin Islands = 850; Svalbard Is = 744;
  Svalbard and Jan Mayen Islands = 744; St. Pierre & Miquelon = 666; Northern Mariana Is = 580; Faeroe Islands = 234;
  Heard and McDonald Islands = 334; Bonaire, Saint Eustatius and Saba = 535; Saint Vincent/Grenadines = 670;
  Bosnia Herzegovina = 70; Cocos Islands = 166; Western Samoa = 882; Holy See (Vatican City State) = 336;
  China, Hong Kong = 344; China, Macao = 446; C?te d'Ivoire = 384; CÃ´te d'Ivoire = 384; R?union = 638; RÃ©union = 638;
  T?rkiye = 792; TÃ¼rkiye = 792; Cura?ao = 531; CuraÃ§ao = 531
`);
const FORMER_NAMES: readonly (readonly [name: string, id: number])[] = [
  ['Union of Soviet Socialist Repu', formerCountryRegionId('SUHH')],
  ['Former Czechoslovakia', formerCountryRegionId('CSHH')],
  ['Yugoslavia (>05/92)', formerCountryRegionId('YUCS')],
  ['Yugoslavia, Fed Rep of', formerCountryRegionId('YUCS')],
  ['Un. Sov. Soc. Rep.', formerCountryRegionId('SUHH')],
  ['Czechoslovakia (former)', formerCountryRegionId('CSHH')],
  ['Netherlands Antilles (former)', formerCountryRegionId('ANHH')],
  ['Pacific Islands, Trust Territory of', formerCountryRegionId('PCHH')],
  ['Yemen Ar Rp', formerAreaRegionId(886)],
  ['Yemen Dem', formerCountryRegionId('YDYE')],
  ['Federal Republic of Germany', formerAreaRegionId(280)],
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
  const others = [...OTHER_NAMES].map(([name, code]) => [name, countryRegionId(Number(code))] as const);
  for (const [name, id] of [...others, ...FORMER_NAMES]) byName.set(foldName(name), byId.get(id)!);
  return { find: (name) => byName.get(foldName(name)) };
}

/** A name without case, accents, punctuation and leading article, for comparison. */
export function foldName(name: string): string {
  return plainName(name).replace(/^the /, '');
}

/** Groups of countries of USDA's reports that have no UN M49 code, as regions of the level "other"; the numbers never change. */
const STATISTICAL_GROUPS: readonly NewEntity<'regions'>[] = readTable(`
  1 | World less China | | All countries but China.
  2 | Total foreign | | All countries but the United States.
  3 | Major exporters | | The main exporting countries of a commodity, the United States left out; WASDE lists them in a note under each table.
  4 | Major importers | | The main importing countries of a commodity; WASDE lists them in a note under each table.
  5 | European Union | EU | The member states at the time; USDA counts the present members for all years. | EU; EU-27; European Union (27)
  6 | European Union, 15 members | EU | The fifteen member states of 1995 to 2004. | EU-15; European Union - 15
  7 | Southeast Asia | AS | Indonesia, Malaysia, the Philippines, Thailand and Vietnam, as WASDE groups them. | Selected Southeast Asia
  8 | Former Soviet Union, 12 states | AS | The states of the former Soviet Union without Estonia, Latvia and Lithuania. | FSU-12; Former Soviet Union - 12
  9 | Other Europe | EU | European countries outside the European Union and the former Soviet Union.
  10 | Selected other | | Countries that USDA lists next to the main exporters and importers. | Selected Other
  11 | North Africa | AF | Algeria, Egypt, Libya, Morocco and Tunisia, as WASDE groups them. | N. Africa
  12 | Middle East, selected | AS | Countries of the Middle East that WASDE groups. | Sel. Mideast; Selected Mideast; Selected Middle East
  13 | Sub-Saharan Africa | AF | African countries south of the Sahara.
`).map(([number, name, continent, definition, aliases]) => ({
  id: REGION_ID_RANGES.statisticalGroup[0] + Number(number),
  ...otherRegion({
    name: name!,
    definition: definition!,
    belongsTo: [continent === '' ? WORLD_REGION_ID : continentRegionId(continent as 'EU' | 'AS' | 'AF')],
    aliases: listed(aliases),
  }),
}));

const GROUPS_BY_NAME = new Map(
  STATISTICAL_GROUPS.flatMap((group) =>
    [group.name, ...(group.aliases ?? [])].map((name) => [foldName(name), group] as const),
  ),
);

/**
 * The region of a name in a source's table: the world, a country, a group of countries, or else a region that only the
 * source has, in the world. Adds groups and regions of the source.
 */
export function resolveRegionName(
  name: string,
  { countries, batch, dataset }: { countries: CountryNames; batch: BatchBuilder; dataset: string },
): number {
  const folded = foldName(name);
  if (folded === 'world') return WORLD_REGION_ID;
  const group = GROUPS_BY_NAME.get(folded);
  if (group !== undefined) {
    batch.addEntity('regions', group);
    return group.id;
  }
  const country = countries.find(name);
  if (country !== undefined) return country.id;
  const definition = `Region as the data set "${dataset}" names it: ${name}.`;
  const region = otherRegion({ name, definition, belongsTo: [WORLD_REGION_ID] });
  return batch.addNamedEntity('regions', `${dataset}:region:${folded}`, region);
}

type NewRegion = NewEntity<'regions'>;
type RegionFields = Pick<NewRegion, 'name' | 'definition' | 'aliases'>;

/** A region of the level "other", such as a group of countries; it has no coordinates. */
export function otherRegion(fields: RegionFields & Pick<NewRegion, 'belongsTo'>): Omit<NewRegion, 'id'> {
  return {
    ...fields,
    aliases: fields.aliases ?? [],
    level: REGION_LEVELS.other,
    latitude: null,
    longitude: null,
    historical: false,
  };
}

/**
 * A region of the level "coordinate", such as a station. It belongs to the county or country that contains the point,
 * or to `fallback` when no region does or the coordinates, which are in degrees, are unknown: both are null.
 */
export function pointRegion(
  { latitude, longitude, ...fields }: RegionFields & Pick<NewRegion, 'latitude' | 'longitude'>,
  locator: Locator | null,
  fallback = WORLD_REGION_ID,
): Omit<NewRegion, 'id'> {
  const located = latitude === null || longitude === null ? null : locator?.locate(latitude, longitude);
  return {
    ...fields,
    level: REGION_LEVELS.coordinate,
    belongsTo: [located ?? fallback],
    latitude,
    longitude,
    historical: false,
  };
}
