import { OTHER_COUNTIES, REGION_LEVELS, WORLD_REGION_ID } from '../../model/entity.js';
import { RowError } from '../batch/batch-builder.js';
import type { Hook, HookContext } from '../document/hook.js';
import { countryRegionId, regionId, usCountyRegionId, usStateRegionId } from '../regions/ids.js';
import { foldName, loadCountryNames, otherRegion } from '../regions/names.js';
import { loadRegionTree } from '../regions/tree.js';

const FIELDS = [
  'level',
  'state',
  'state_code',
  'district',
  'district_code',
  'county',
  'county_code',
  'location',
] as const;
type Place = Readonly<Record<(typeof FIELDS)[number], string>>;

/** Resolves a region by its codes or, failing that, by its name. Adds unknown regions. */
export const nassPlace: Hook = {
  takes: FIELDS,
  answers: ['region'],
  async prepare(context) {
    const idOf = await createPlaceResolver(context);
    return (row) => ({ region_id: idOf(row as Place) });
  },
};

const UNITED_STATES = countryRegionId(840);
/** The county code for all counties that are not published individually. In some rows, the code is empty instead. */
const COMBINED_COUNTIES = 998;
/** Matches names of combined counties or districts, such as `OTHER (COMBINED) COUNTIES`. */
const COMBINED_NAMES = /\b(OTHER|COMBINED)\b/;
/** Suffixes in the names of counties and county equivalents. */
const COUNTY_KINDS = ['County', 'Parish', 'Borough', 'Census Area', 'Municipality', 'Municipio'];
/** State codes of "other states" and the entire United States. Website exports omit the code of "other states". */
const OTHER_STATES = [98, 99];
/** District codes that represent the entire state. An empty code is read as 0. */
const COMBINED_DISTRICTS = [0, 98, 99];

type State = { readonly id: number; readonly fips: number; readonly name: string };

/** Creates a function that resolves a place. @throws RowError if a code is unknown */
async function createPlaceResolver({ batch }: Pick<HookContext, 'batch'>): Promise<(place: Place) => number> {
  const { byId: tree } = await loadRegionTree();
  const countries = await loadCountryNames();

  function stateOf(place: Place): State {
    const code = place.state_code || (place.state === 'OTHER STATES' ? '98' : '');
    const fips = parseCode(code, 'state FIPS code');
    if (OTHER_STATES.includes(fips)) return { id: otherPlaceId(place), fips, name: place.state };
    const state = tree.get(usStateRegionId(fips));
    if (state === undefined) throw new RowError(`the state FIPS code ${fips} is unknown`);
    return { id: state.id, fips, name: state.name };
  }

  function districtId(place: Place, state: State): number {
    const district = parseCode(place.district_code, 'district code');
    const id = regionId('usAgriculturalDistrict', 100 * state.fips + district);
    const name = `${titleCase(place.district || `district ${district}`)} agricultural district, ${state.name}`;
    const definition = `Agricultural district ${district} of ${state.name}, as USDA NASS draws it.`;
    batch.addEntity('regions', { id, ...otherRegion({ name, definition, belongsTo: [state.id] }) });
    return id;
  }

  function countyId(place: Place): number {
    const code =
      place.county_code === '' ? COMBINED_COUNTIES : parseCode(place.county_code, 'county code', 999);
    const state = stateOf(place);
    const isWhole = COMBINED_DISTRICTS.includes(Number(place.district_code));
    const belongsTo = isWhole ? [state.id] : [state.id, districtId(place, state)];
    if (code !== COMBINED_COUNTIES) return codedCountyId(state.fips * 1000 + code, place, belongsTo);
    return place.county === '' || COMBINED_NAMES.test(place.county)
      ? otherCountiesId(place, state, belongsTo)
      : namedCountyId(place, state, belongsTo);
  }

  const newCounty = (place: Place, ending: string, belongsTo: number[]) => ({
    ...otherRegion({
      name: `${titleCase(place.county)} County, ${tree.get(belongsTo[0]!)?.name ?? place.state}`,
      definition: `County or equivalent as USDA NASS lists it${ending}.`,
      belongsTo,
    }),
    level: REGION_LEVELS.district,
  });

  function codedCountyId(fips: number, place: Place, belongsTo: number[]): number {
    const id = usCountyRegionId(fips);
    const county = tree.get(id) ?? newCounty(place, `; FIPS ${String(fips).padStart(5, '0')}`, belongsTo);
    batch.addEntity('regions', { ...county, id, belongsTo });
    return id;
  }

  /** Resolves a county without a code. Adds the county if its state has no county with this name. */
  function namedCountyId(place: Place, state: State, belongsTo: number[]): number {
    const names = COUNTY_KINDS.map((kind) => foldName(`${place.county} ${kind}, ${state.name}`));
    const counties = [...tree.values()].filter((region) => region.belongsTo.includes(state.id));
    const county = counties.find((region) => names.includes(foldName(region.name)));
    const identity = `nass:county:${state.fips}:${place.county}`;
    if (county === undefined)
      return batch.addNamedEntity(
        'regions',
        identity,
        newCounty(place, `, without a code: ${place.county}`, belongsTo),
      );
    batch.addEntity('regions', { ...county, belongsTo });
    return county.id;
  }

  /** Resolves the region for a district's or state's counties that are not published individually. */
  function otherCountiesId(place: Place, state: State, belongsTo: number[]): number {
    const district = place.district_code === '' ? 99 : parseCode(place.district_code, 'district code');
    const id = regionId('usOtherCounties', 100 * state.fips + district);
    const where =
      belongsTo.length > 1 ? `${titleCase(place.district)} agricultural district, ${state.name}` : state.name;
    const definition = `The counties of ${where} that USDA NASS does not show one by one.`;
    const region = otherRegion({ name: `${OTHER_COUNTIES}, ${where}`, definition, belongsTo });
    batch.addEntity('regions', { id, ...region });
    return id;
  }

  /** Resolves a place that is identified only by name: a watershed, a zip code, a reservation or a group of states. */
  function otherPlaceId({ level, location }: Place): number {
    if (location === '') throw new RowError(`a place of level "${level}" has no name`);
    const region = otherRegion({
      name: titleCase(location),
      definition: `${titleCase(level)} as USDA NASS reports it: ${location}.`,
      belongsTo: [level === 'INTERNATIONAL' ? WORLD_REGION_ID : UNITED_STATES],
    });
    return batch.addNamedEntity('regions', `nass:${level}:${location}`, region);
  }

  /** Resolves a country or territory by name. If a territory's name is unknown, its state code is used. */
  function outerPlaceId(place: Place): number {
    const country = countries.find(place.location);
    if (country !== undefined) return country.id;
    const isTerritory = place.state_code !== '' && place.location === place.state;
    return isTerritory ? stateOf(place).id : otherPlaceId(place);
  }

  const resolvers: Readonly<Record<string, (place: Place) => number>> = {
    NATIONAL: () => UNITED_STATES,
    STATE: (place) => stateOf(place).id,
    'AGRICULTURAL DISTRICT': (place) => districtId(place, stateOf(place)),
    COUNTY: countyId,
    INTERNATIONAL: outerPlaceId,
    'PUERTO RICO & OUTLYING AREAS': outerPlaceId,
  };
  return (place) => {
    // In exports from the website, the location begins with a comma if there is no state.
    const location = place.location.replace(/^, /, '') || place.state;
    return (resolvers[place.level] ?? otherPlaceId)({ ...place, location });
  };
}

function parseCode(text: string, what: string, max = 99): number {
  if (!/^\d{1,5}$/.test(text)) throw new RowError(`the ${what} "${text}" is not a number`);
  if (Number(text) > max) throw new RowError(`the ${what} ${text} is unknown`);
  return Number(text);
}

function titleCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^|[\s(/&-])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
