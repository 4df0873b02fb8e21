import { dayPeriod, monthsPeriod, type Period, yearsPeriod } from '../../model/calendar.js';
import { OTHER_COUNTIES, REGION_LEVELS } from '../../model/entity.js';
import { frequencyId } from '../../model/frequency.js';
import { DAY_MS, utcDay } from '../../model/time.js';
import type { NewEntity } from '../../store/store.js';
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
import { marketingYear, usMarketingYearMonth } from '../usda/calendar.js';
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
    const region = otherRegion({ name: `${OTHER_COUNTIES}, ${where}`, definition, belongsTo: parents });
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

const MONTH = `(${MONTHS.join('|')})`;
const ANNUAL = frequencyId('annual');
const QUARTERLY = frequencyId('quarterly');
const MONTHLY = frequencyId('monthly');
const WEEKLY = frequencyId('weekly');

type PeriodParser = (match: RegExpExecArray, year: number, text: NassPeriodText) => NassPeriod;

const PERIOD_PARSERS: readonly (readonly [RegExp, PeriodParser])[] = [
  [/^YEAR$/, (_, year) => periodOf(yearsPeriod(year), ANNUAL)],
  [
    new RegExp(`^YEAR - ${MONTH} (?:FORECAST|ACREAGE)$`),
    ([, month], year) => {
      const reportingMs = utcDay(year, monthByPrefix(month!), 1);
      return periodOf(yearsPeriod(year), ANNUAL, { span: 'forecast', reportingMs });
    },
  ],
  [
    /^MARKETING YEAR$/,
    (_, year, { commodity }) => {
      const period = marketingYear(year, usMarketingYearMonth(findItemId(commodity)));
      return periodOf(period, ANNUAL, { span: 'marketing year' });
    },
  ],
  [
    new RegExp(`^${MONTH}$`),
    ([, month], year) => periodOf(monthsPeriod(year, monthByPrefix(month!), 1), MONTHLY),
  ],
  [
    new RegExp(`^FIRST OF ${MONTH}$`),
    ([, month], year) => periodOf(dayPeriod(utcDay(year, monthByPrefix(month!), 1)), MONTHLY),
  ],
  [
    new RegExp(`^END OF ${MONTH}$`),
    ([, month], year) => periodOf(dayPeriod(utcDay(year, monthByPrefix(month!) + 1, 0)), MONTHLY),
  ],
  [new RegExp(`^${MONTH} THRU ${MONTH}$`), parseMonthSpan],
  [/^WEEK #\d+$/, parseWeek],
];

/**
 * The period of a row. Whole years, quarters, months, weeks and days of a month have their own frequency. Any other span
 * ("marketing year", "jan thru aug", "spring") is annual with a named span, so that it is not mixed with whole years.
 * @throws RowError when the year or the week is not a date
 */
export function parseNassPeriod(text: NassPeriodText): NassPeriod {
  if (!/^\d{4}$/.test(text.year)) throw new RowError(`the year "${text.year}" is not a year`);
  const year = Number(text.year);
  for (const [pattern, read] of PERIOD_PARSERS) {
    const match = pattern.exec(text.period);
    if (match !== null) return read(match, year, text);
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

/** A span whose last month is before its first begins in the year before. */
function parseMonthSpan(match: RegExpExecArray, year: number): NassPeriod {
  const first = monthByPrefix(match[1]!);
  const last = monthByPrefix(match[2]!);
  const length = ((last - first + 12) % 12) + 1;
  const period = monthsPeriod(last < first ? year - 1 : year, first, length);
  if (length === 3) return periodOf(period, QUARTERLY);
  return periodOf(period, ANNUAL, { span: match[0]!.toLowerCase() });
}

function parseWeek(_: RegExpExecArray, __: number, { weekEnding }: NassPeriodText): NassPeriod {
  const endMs = parseRowDate(weekEnding, 'week ending');
  return periodOf({ startMs: endMs - 6 * DAY_MS, endMs }, WEEKLY);
}
