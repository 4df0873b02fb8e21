import { dayPeriod, monthsPeriod, type Period, yearsPeriod } from '../../model/calendar.js';
import { OTHER_COUNTIES, REGION_LEVELS } from '../../model/entity.js';
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
import { otherRegion } from '../regions/names.js';
import type { RegionTree } from '../regions/tree.js';
import { usMarketingYear } from '../usda/calendar.js';
import { findItemId } from '../vocabulary/items.js';

/** The fields of a row that determine its region; codes may have no leading zeros. */
interface NassPlaceText {
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

/** A state, its FIPS code and its name. */
interface State {
  readonly id: number;
  readonly fips: number;
  readonly name: string;
}

/**
 * Resolves the regions of rows, and adds those that are not in the region tree.
 * @returns a function that throws a RowError when a code is not a number or unknown
 */
export function nassRegions({ tree, batch }: { tree: RegionTree['byId']; batch: BatchBuilder }) {
  function stateOf(place: NassPlaceText): State {
    const fips = parseCode(place.stateFips, 'state FIPS code');
    const location = place.location || 'OTHER STATES';
    if (fips === OTHER_STATES) return { id: otherPlaceId({ ...place, location }), fips, name: place.state };
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
    if (code === COMBINED_COUNTIES) return otherCountiesId(place, state);
    const fips = state.fips * 1000 + code;
    const id = usCountyRegionId(fips);
    const belongsTo = [state.id, ...districtOf(place, state)];
    const unlisted = {
      name: `${titleCase(place.county)} County, ${state.name}`,
      definition: `County or equivalent as USDA NASS lists it; FIPS ${String(fips).padStart(5, '0')}.`,
      belongsTo,
    };
    const county = tree.get(id) ?? { ...otherRegion(unlisted), level: REGION_LEVELS.district };
    batch.addEntity('regions', { ...county, id, belongsTo });
    return id;
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
      belongsTo: [UNITED_STATES],
    });
    return batch.addNamedEntity('regions', `nass:${place.level}:${place.location}`, region);
  }

  return (place: NassPlaceText): number => {
    if (place.level === 'NATIONAL') return UNITED_STATES;
    if (place.level === 'STATE') return stateOf(place).id;
    if (place.level === 'AGRICULTURAL DISTRICT') return districtId(place, stateOf(place));
    return place.level === 'COUNTY' ? countyId(place) : otherPlaceId(place);
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

/** The period of a row. */
interface NassPeriod extends Period {
  readonly frequency_id: number;
  /** Name of a span that is not a whole year, quarter, month, week or day; part of the metric's name. */
  readonly span: string;
  /** The month of a forecast, which distinguishes it from the year's other forecasts. */
  readonly reportingMs: number | null;
}

/** The fields of a row that determine its period. */
interface NassPeriodText {
  readonly year: string;
  /** REFERENCE_PERIOD_DESC, or Period of the web export. */
  readonly period: string;
  readonly weekEnding: string;
  /** COMMODITY_DESC, which determines the marketing year. */
  readonly commodity: string;
}

const ANNUAL = frequencyId('annual');
const QUARTERLY = frequencyId('quarterly');
const MONTHLY = frequencyId('monthly');
const WEEKLY = frequencyId('weekly');

/** The texts of periods that are not spans; `MON` is a month. The months that they name are given by their numbers. */
const PERIODS = Object.entries<(year: number, months: readonly number[], text: NassPeriodText) => NassPeriod>(
  {
    YEAR: (year) => periodOf(yearsPeriod(year), ANNUAL),
    'YEAR - MON (?:FORECAST|ACREAGE)': (year, [month]) =>
      periodOf(yearsPeriod(year), ANNUAL, { span: 'forecast', reportingMs: utcDay(year, month!, 1) }),
    'MARKETING YEAR': (year, _, { commodity }) => {
      const period = usMarketingYear(year, findItemId(commodity));
      return periodOf(period, ANNUAL, { span: 'marketing year' });
    },
    MON: (year, [month]) => periodOf(monthsPeriod(year, month!, 1), MONTHLY),
    'FIRST OF MON': (year, [month]) => periodOf(dayPeriod(utcDay(year, month!, 1)), MONTHLY),
    'END OF MON': (year, [month]) => periodOf(dayPeriod(utcDay(year, month! + 1, 0)), MONTHLY),
    'MON THRU MON': (year, [first, last], { period: text }) => {
      const length = ((last! - first! + 12) % 12) + 1;
      // A span whose last month is before its first begins in the year before.
      const period = monthsPeriod(last! < first! ? year - 1 : year, first!, length);
      return length === 3
        ? periodOf(period, QUARTERLY)
        : periodOf(period, ANNUAL, { span: text.toLowerCase() });
    },
    'WEEK #\\d+': (_, __, { weekEnding }) => {
      const endMs = parseRowDate(weekEnding, 'week ending');
      return periodOf({ startMs: endMs - 6 * DAY_MS, endMs }, WEEKLY);
    },
  },
).map(([form, read]) => ({ form: new RegExp(`^${form.replaceAll('MON', `(${MONTHS.join('|')})`)}$`), read }));

/**
 * The period of a row. Whole years, quarters, months, weeks and days of a month have their own frequency. Any other span
 * ("marketing year", "jan thru aug", "spring") is annual with a named span, so that it is not mixed with whole years.
 * @throws RowError when the year or the week is not a date
 */
export function parseNassPeriod(text: NassPeriodText): NassPeriod {
  if (!/^\d{4}$/.test(text.year)) throw new RowError(`the year "${text.year}" is not a year`);
  const year = Number(text.year);
  for (const { form, read } of PERIODS) {
    const months = form.exec(text.period)?.slice(1).map(monthByPrefix);
    if (months !== undefined) return read(year, months, text);
  }
  if (text.period === '') throw new RowError('the period is empty');
  return periodOf(yearsPeriod(year), ANNUAL, { span: text.period.toLowerCase() });
}

function periodOf(
  period: Period,
  frequency_id: number,
  more: Partial<Pick<NassPeriod, 'span' | 'reportingMs'>> = {},
): NassPeriod {
  return { ...period, frequency_id, span: '', reportingMs: null, ...more };
}
