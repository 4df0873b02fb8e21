import { REGION_LEVELS } from '../../model/entity.js';
import type { NewEntity } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import {
  countryRegionId,
  usAgriculturalDistrictRegionId,
  usCountyRegionId,
  usOtherCountiesRegionId,
  usStateRegionId,
} from '../regions/ids.js';
import { otherRegion } from '../regions/new-regions.js';

/** The fields of a row that determine its region; codes may have no leading zeros. */
export interface NassPlaceText {
  readonly level: string;
  readonly state: string;
  readonly stateFips: string;
  readonly district: string;
  readonly districtCode: string;
  readonly county: string;
  readonly countyFips: string;
  /** LOCATION_DESC, or its parts in the web export: the name of places without a code. */
  readonly location: string;
}

const UNITED_STATES = countryRegionId(840);
/** The code, unless it is empty, of counties that are not published individually. */
const COMBINED_COUNTIES = 998;
const OTHER_STATES = 99;
/** Codes of districts that are the whole state. */
const COMBINED_DISTRICTS = new Set([98, 99]);

/** Resolves the regions of rows, and adds those that are not in the region tree. */
export class NassRegions {
  readonly #tree: ReadonlyMap<number, NewEntity<'regions'>>;
  readonly #batch: BatchBuilder;

  constructor(tree: ReadonlyMap<number, NewEntity<'regions'>>, batch: BatchBuilder) {
    this.#tree = tree;
    this.#batch = batch;
  }

  /** @throws RowError when a code is not a number or unknown */
  resolve(place: NassPlaceText): number {
    if (place.level === 'NATIONAL') return UNITED_STATES;
    if (place.level === 'STATE') return this.#state(place);
    if (place.level === 'AGRICULTURAL DISTRICT') return this.#district(place);
    return place.level === 'COUNTY' ? this.#county(place) : this.#otherPlace(place);
  }

  #state(place: NassPlaceText): number {
    const fips = parseCode(place.stateFips, 'state FIPS code');
    if (fips === OTHER_STATES)
      return this.#otherPlace({ ...place, location: place.location || 'OTHER STATES' });
    return this.#treeRegion(usStateRegionId, fips, 'state FIPS code');
  }

  #district(place: NassPlaceText): number {
    const state = this.#state(place);
    const fips = parseCode(place.stateFips, 'state FIPS code');
    const district = parseCode(place.districtCode, 'district code');
    const id = usAgriculturalDistrictRegionId(fips, district);
    const stateName = this.#tree.get(state)?.name ?? place.state;
    const name = `${titleCase(place.district || `district ${district}`)} agricultural district, ${stateName}`;
    const definition = `Agricultural district ${district} of ${stateName}, as USDA NASS draws it.`;
    this.#batch.addEntity('regions', { id, ...otherRegion({ name, definition, belongsTo: [state] }) });
    return id;
  }

  #county(place: NassPlaceText): number {
    const code = place.countyFips === '' ? COMBINED_COUNTIES : parseCode(place.countyFips, 'county code');
    if (code === COMBINED_COUNTIES) return this.#otherCounties(place);
    const state = this.#state(place);
    const fips = parseCode(place.stateFips, 'state FIPS code') * 1000 + code;
    const id = usCountyRegionId(fips);
    const belongsTo = [state, ...this.#districtOf(place)];
    const county = this.#tree.get(id) ?? this.#unlistedCounty(place, { state, fips });
    this.#batch.addEntity('regions', { ...county, id, belongsTo });
    return id;
  }

  #unlistedCounty(place: NassPlaceText, { state, fips }: { state: number; fips: number }) {
    const name = `${titleCase(place.county)} County, ${this.#tree.get(state)?.name ?? place.state}`;
    const definition = `County or equivalent as USDA NASS lists it; FIPS ${String(fips).padStart(5, '0')}.`;
    return { ...otherRegion({ name, definition, belongsTo: [] }), level: REGION_LEVELS.district };
  }

  /** The counties of a district or a state that are not published individually. */
  #otherCounties(place: NassPlaceText): number {
    const state = this.#state(place);
    const stateName = this.#tree.get(state)?.name ?? place.state;
    const district = place.districtCode === '' ? 99 : parseCode(place.districtCode, 'district code');
    const id = usOtherCountiesRegionId(parseCode(place.stateFips, 'state FIPS code'), district);
    const parents = [state, ...this.#districtOf(place)];
    const where =
      parents.length > 1 ? `${titleCase(place.district)} agricultural district, ${stateName}` : stateName;
    const definition = `The counties of ${where} that USDA NASS does not show one by one.`;
    const region = otherRegion({ name: `Other counties, ${where}`, definition, belongsTo: parents });
    this.#batch.addEntity('regions', { id, ...region });
    return id;
  }

  #districtOf(place: NassPlaceText): number[] {
    if (place.districtCode === '' || COMBINED_DISTRICTS.has(Number(place.districtCode))) return [];
    return [this.#district(place)];
  }

  /** Watersheds, zip codes, reservations and groups of states, which are identified by name. */
  #otherPlace(place: NassPlaceText): number {
    if (place.location === '') throw new RowError(`a place of the level "${place.level}" has no name`);
    const region = otherRegion({
      name: titleCase(place.location),
      definition: `${titleCase(place.level)} as USDA NASS reports it: ${place.location}.`,
      belongsTo: [UNITED_STATES],
    });
    return this.#batch.addNamedEntity('regions', `nass:${place.level}:${place.location}`, region);
  }

  #treeRegion(regionId: (fips: number) => number, fips: number, what: string): number {
    const id = regionId(fips);
    if (!this.#tree.has(id)) throw new RowError(`the ${what} ${fips} is unknown`);
    return id;
  }
}

function parseCode(text: string, what: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new RowError(`the ${what} "${text}" is not a number`);
  return Number(text);
}

function titleCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^|[\s(/&-])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
