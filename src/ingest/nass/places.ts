import { dayPeriod, monthsPeriod, type Period, yearsPeriod } from '../../model/calendar.js';
import { OTHER_COUNTIES, REGION_LEVELS, WORLD_REGION_ID } from '../../model/entity.js';
import { frequencyId } from '../../model/frequency.js';
import { DAY_MS, utcDay } from '../../model/time.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { MONTHS, monthByPrefix, parseRowDate } from '../reading/row-values.js';
import {
  countryRegionId,
  usAgriculturalDistrictRegionId,
  usCountyRegionId,
  usOtherCountiesRegionId,
  usStateRegionId,
} from '../regions/ids.js';
import { type CountryNames, foldName, otherRegion } from '../regions/names.js';
import type { RegionTree } from '../regions/tree.js';
import { usFirstMonth } from '../usda/calendar.js';

/** The columns of fields in bulk files, and in web exports; null where those do not have the field. */
export const COLUMNS = {
  program: ['SOURCE_DESC', 'Program'],
  shortDesc: ['SHORT_DESC', 'Data Item'],
  domain: ['DOMAIN_DESC', 'Domain'],
  domainCategory: ['DOMAINCAT_DESC', 'Domain Category'],
  unit: ['UNIT_DESC', null],
  level: ['AGG_LEVEL_DESC', 'Geo Level'],
  state: ['STATE_NAME', 'State'],
  stateFips: ['STATE_FIPS_CODE', 'State ANSI'],
  district: ['ASD_DESC', 'Ag District'],
  districtCode: ['ASD_CODE', 'Ag District Code'],
  county: ['COUNTY_NAME', 'County'],
  countyFips: ['COUNTY_CODE', 'County ANSI'],
  location: ['LOCATION_DESC', null],
  year: ['YEAR', 'Year'],
  period: ['REFERENCE_PERIOD_DESC', 'Period'],
  /** The data item, where the dates of the period depend on it. */
  crop: ['SHORT_DESC', 'Data Item'],
  weekEnding: ['WEEK_ENDING', 'Week Ending'],
  loadTime: ['LOAD_TIME', null],
  value: ['VALUE', 'Value'],
  variation: ['CV_%', 'CV (%)'],
  zip: [null, 'Zip Code'],
  watershed: [null, 'Watershed'],
  region: [null, 'Region'],
} as const satisfies Readonly<Record<string, readonly [bulk: string | null, exported: string | null]>>;

/** Empty texts where a format does not have the field; codes may have no leading zeros. */
export type NassRow = Readonly<Record<keyof typeof COLUMNS, string>>;

/** The fields of a row that determine its region; `location` may be its parts in the web export. */
type NassPlaceText = Pick<
  NassRow,
  'level' | 'state' | 'stateFips' | 'district' | 'districtCode' | 'county' | 'countyFips' | 'location'
>;

const UNITED_STATES = countryRegionId(840);
/** The code, unless it is empty, of counties that are not published individually. */
const COMBINED_COUNTIES = 998;
/** Names of combined counties or districts, such as `OTHER (COMBINED) COUNTIES`. */
const COMBINED_NAMES = /\b(OTHER|COMBINED)\b/;
/** Suffixes in the names of counties and their equivalents. */
const COUNTY_KINDS = ['County', 'Parish', 'Borough', 'Census Area', 'Municipality', 'Municipio'];
/** Other states, whose code web exports leave out, and the total of the United States. */
const OTHER_STATES = new Set([98, 99]);
/** Codes of districts that are the whole state. */
const COMBINED_DISTRICTS = new Set([98, 99]);

const OUTER_LEVELS = new Set(['INTERNATIONAL', 'PUERTO RICO & OUTLYING AREAS']);

/** A state, its FIPS code and its name. */
interface State {
  readonly id: number;
  readonly fips: number;
  readonly name: string;
}

/** The regions that rows have. */
export interface NassPlaces {
  readonly tree: RegionTree['byId'];
  readonly countries: CountryNames;
}

/**
 * Resolves the regions of rows, and adds those that are not in the region tree.
 * @returns a function that throws a RowError when a code is not a number or unknown
 */
export function nassRegions({ tree, countries, batch }: NassPlaces & { readonly batch: BatchBuilder }) {
  function stateOf(place: NassPlaceText): State {
    const code = place.stateFips || (place.state === 'OTHER STATES' ? '98' : '');
    const fips = parseCode(code, 'state FIPS code');
    if (OTHER_STATES.has(fips)) return { id: otherPlaceId(place), fips, name: place.state };
    const state = tree.get(usStateRegionId(fips));
    if (state === undefined) throw new RowError(`the state FIPS code ${fips} is unknown`);
    return { id: state.id, fips, name: state.name };
  }

  function districtId(place: NassPlaceText, state: State): number {
    const district = parseCode(place.districtCode, 'district code');
    const id = usAgriculturalDistrictRegionId(state.fips, district);
    const name = `${titleCase(place.district || `district ${district}`)} agricultural district, ${state.name}`;
    const definition = `Agricultural district ${district} of ${state.name}, as USDA NASS draws it.`;
    batch.addEntity('regions', { id, ...otherRegion({ name, definition, belongsTo: [state.id] }) });
    return id;
  }

  function countyId(place: NassPlaceText): number {
    const code =
      place.countyFips === '' ? COMBINED_COUNTIES : parseCode(place.countyFips, 'county code', 999);
    const state = stateOf(place);
    const belongsTo = [state.id, ...districtOf(place, state)];
    if (code === COMBINED_COUNTIES) {
      if (place.county === '' || COMBINED_NAMES.test(place.county)) return otherCountiesId(place, state);
      return namedCountyId(place, state, belongsTo);
    }
    const fips = state.fips * 1000 + code;
    const id = usCountyRegionId(fips);
    const unlisted = {
      name: `${titleCase(place.county)} County, ${state.name}`,
      definition: `County or equivalent as USDA NASS lists it; FIPS ${String(fips).padStart(5, '0')}.`,
      belongsTo,
    };
    const county = tree.get(id) ?? { ...otherRegion(unlisted), level: REGION_LEVELS.district };
    batch.addEntity('regions', { ...county, id, belongsTo });
    return id;
  }

  /** Resolves a county that has a name but no code: a known county of the state, or a new one with that name. */
  function namedCountyId(place: NassPlaceText, state: State, belongsTo: number[]): number {
    const names = COUNTY_KINDS.map((kind) => foldName(`${place.county} ${kind}, ${state.name}`));
    const counties = [...tree.values()].filter((region) => region.belongsTo.includes(state.id));
    const county = counties.find((region) => names.includes(foldName(region.name)));
    if (county !== undefined) {
      batch.addEntity('regions', { ...county, belongsTo });
      return county.id;
    }
    const definition = `County or equivalent as USDA NASS lists it, without a code: ${place.county}.`;
    const name = `${titleCase(place.county)} County, ${state.name}`;
    const region = { ...otherRegion({ name, definition, belongsTo }), level: REGION_LEVELS.district };
    return batch.addNamedEntity('regions', `nass:county:${state.fips}:${place.county}`, region);
  }

  /** The counties of a district or a state that are not published individually. */
  function otherCountiesId(place: NassPlaceText, state: State): number {
    const district = place.districtCode === '' ? 99 : parseCode(place.districtCode, 'district code');
    const id = usOtherCountiesRegionId(state.fips, district);
    const belongsTo = [state.id, ...districtOf(place, state)];
    const where =
      belongsTo.length > 1 ? `${titleCase(place.district)} agricultural district, ${state.name}` : state.name;
    const definition = `The counties of ${where} that USDA NASS does not show one by one.`;
    const region = otherRegion({ name: `${OTHER_COUNTIES}, ${where}`, definition, belongsTo });
    batch.addEntity('regions', { id, ...region });
    return id;
  }

  function districtOf(place: NassPlaceText, state: State): number[] {
    const isWhole = place.districtCode === '' || COMBINED_DISTRICTS.has(Number(place.districtCode));
    return isWhole ? [] : [districtId(place, state)];
  }

  /** Watersheds, zip codes, reservations and groups of states, which are identified by name. */
  function otherPlaceId(place: NassPlaceText): number {
    if (place.location === '') throw new RowError(`a place of the level "${place.level}" has no name`);
    const region = otherRegion({
      name: titleCase(place.location),
      definition: `${titleCase(place.level)} as USDA NASS reports it: ${place.location}.`,
      belongsTo: [place.level === 'INTERNATIONAL' ? WORLD_REGION_ID : UNITED_STATES],
    });
    return batch.addNamedEntity('regions', `nass:${place.level}:${place.location}`, region);
  }

  /** A country or a territory, by its name or, where that has another form, by the code of the state. */
  function outerPlaceId(place: NassPlaceText): number {
    const country = countries.find(place.location);
    if (country !== undefined) return country.id;
    const isTerritory = place.stateFips !== '' && place.location === place.state;
    return isTerritory ? stateOf(place).id : otherPlaceId(place);
  }

  return (place: NassPlaceText): number => {
    if (place.level === 'NATIONAL') return UNITED_STATES;
    if (place.level === 'STATE') return stateOf(place).id;
    if (place.level === 'AGRICULTURAL DISTRICT') return districtId(place, stateOf(place));
    if (place.level === 'COUNTY') return countyId(place);
    return OUTER_LEVELS.has(place.level) ? outerPlaceId(place) : otherPlaceId(place);
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

/** The fields of a row that determine its period; the data item determines the marketing year and that of a forecast. */
type NassPeriodText = Pick<NassRow, 'year' | 'period' | 'weekEnding' | 'crop'>;

/** The period of a row and its frequency. */
interface FoundPeriod extends Period {
  readonly frequency: Parameters<typeof frequencyId>[0];
  /** Name of a span that is not a whole year, quarter, month, week or day; part of the metric's name. */
  readonly span?: string;
  /** The day of a forecast, which distinguishes forecasts for the same year. */
  readonly reportingMs?: number;
}

/** Forecasts of the year before the harvest: those of a season of citrus begin in autumn, and the acreage of December is that of winter crops. */
const YEAR_BEFORE =
  /^(CITRUS|GRAPEFRUIT|K-EARLY|LEMONS|LIMES|ORANGES|TANGELOS|TANGERINES|TEMPLES)\b.* (SEP|OCT|NOV|DEC) FORECAST$|DEC ACREAGE$/;
/** Forecasts of the year after: cotton is picked until winter. */
const YEAR_AFTER = /^COTTON\b.* JAN FORECAST$/;

/** Data items of metrics that are at a point in time: their figures of months are other series, as are figures of days elsewhere. */
const IS_OF_DAYS = / - (INVENTORY|STOCKS)\b/;

/** The texts of periods that are not spans; `MON` is a month. The months that they name are given by their numbers. */
const PERIODS = Object.entries<
  (year: number, months: readonly number[], text: NassPeriodText, batch?: BatchBuilder) => FoundPeriod
>({
  YEAR: (year) => ({ ...yearsPeriod(year), frequency: 'annual' }),
  'YEAR - MON (?:FORECAST|ACREAGE)': (year, [month], { crop, period }) => {
    const text = `${crop} ${period}`;
    const made = YEAR_BEFORE.test(text) ? year - 1 : YEAR_AFTER.test(text) ? year + 1 : year;
    // Reports of acreage come out at the end of a month that may have a forecast as well, which is of its first day.
    const reportingMs = period.endsWith('ACREAGE') ? utcDay(made, month! + 1, 0) : utcDay(made, month!, 1);
    return { ...yearsPeriod(year), frequency: 'annual', span: 'forecast', reportingMs };
  },
  'MARKETING YEAR': (year, _, { crop }, batch) => {
    const [item = ''] = crop.split(' - ');
    const month = usFirstMonth(item);
    if (month === undefined) {
      const commodity = item.split(',', 1)[0];
      const note = `marketing years of ${commodity} are taken for calendar years where the month in which they begin is not known`;
      batch?.addNote(note);
    }
    return { ...monthsPeriod(year, month ?? 1, 12), frequency: 'annual', span: 'marketing year' };
  },
  MON: (year, [month], { crop }) => {
    const span = IS_OF_DAYS.test(crop) ? 'whole month' : '';
    return { ...monthsPeriod(year, month!, 1), frequency: 'monthly', span };
  },
  '(?:FIRST|END) OF MON': (year, [month], { crop, period }) => {
    const day = period.startsWith('FIRST') ? utcDay(year, month!, 1) : utcDay(year, month! + 1, 0);
    const span = IS_OF_DAYS.test(crop) ? '' : 'at a point in time';
    return { ...dayPeriod(day), frequency: 'monthly', span };
  },
  'MON THRU MON': (year, [first, last], { period: text }) => {
    const length = ((last! - first! + 12) % 12) + 1;
    // A span whose last month is before its first begins in the year before.
    const period = monthsPeriod(last! < first! ? year - 1 : year, first!, length);
    if (length === 3) return { ...period, frequency: 'quarterly' };
    return { ...period, frequency: 'annual', span: text.toLowerCase() };
  },
  'WEEK #\\d+': (_, __, { weekEnding }) => {
    const endMs = parseRowDate(weekEnding, 'week ending');
    return { startMs: endMs - 6 * DAY_MS, endMs, frequency: 'weekly' };
  },
  '.+': (year, _, { period }) => ({ ...yearsPeriod(year), frequency: 'annual', span: period.toLowerCase() }),
}).map(([form, read]) => ({
  form: new RegExp(`^${form.replaceAll('MON', `(${MONTHS.join('|')})`)}$`),
  read,
}));

/**
 * The period of a row. Whole years, quarters, months, weeks and days of a month have their own frequency. Any other span
 * ("marketing year", "jan thru aug", "spring") is annual with a named span, so that it is not mixed with whole years.
 * @param batch is told of marketing years that are unknown
 * @throws RowError when the year or the week is not a date
 */
export function parseNassPeriod(text: NassPeriodText, batch?: BatchBuilder) {
  const { year, period: name } = text;
  if (!/^\d{4}$/.test(year)) throw new RowError(`the year "${year}" is not a year`);
  const known = PERIODS.find(({ form }) => form.test(name));
  if (known === undefined) throw new RowError('the period is empty');
  const months = known.form.exec(name)!.slice(1).map(monthByPrefix);
  const { frequency, span = '', ...period } = known.read(Number(year), months, text, batch);
  return { ...period, frequency_id: frequencyId(frequency), span };
}
