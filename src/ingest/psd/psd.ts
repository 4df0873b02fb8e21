import { monthsPeriod, type Period } from '../../model/calendar.js';
import { utcDay } from '../../model/time.js';
import type { RowAnswer } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { type DatasetJob, defineTables } from '../dataset.js';
import { ADDRESSES, FetchRequestError, inFolder, type PlannedFile, words } from '../fetching/requests.js';
import { parseRowInteger } from '../reading/row-values.js';
import { planRows, TableFields } from '../reading/table-plan.js';
import type { OpenedTable } from '../reading/tables.js';
import { type CountryNames, loadCountryNames, resolveRegionName } from '../regions/names.js';
import { usdaReleaseMs } from '../usda/calendar.js';
import { itemId, itemsByName } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { listed, readMeanings, readPairs, readTable } from '../vocabulary/text-table.js';
import { sourceUnit, unitId, unitsByText } from '../vocabulary/units.js';

/**
 * USDA FAS PSD Online: the CSV files of the download page (`psd_grains_pulses_csv.zip` …), with or without leading zeros
 * in codes. The month in which a row was last updated is its reporting date, and that month's release its available
 * date. Periods are the marketing years of country and commodity where known; trade years for attributes of trade years.
 */
export const psd = defineTables<{ readonly countries: CountryNames }>({
  name: 'psd',
  summary: 'USDA FAS PSD Online: production, supply and distribution (CSV or zip)',
  sources: [SOURCES.psd],
  frequency: 'annual',
  forms: [
    {
      name: 'a file of PSD Online',
      matches: (fields) => fields.includes('Commodity_Code') && fields.includes('Market_Year'),
      plan: planPsd,
    },
  ],
  fetch: { takes: 'a group, such as grains_pulses', byDefault: 'alldata', find: findGroups },
  prepare: async () => ({ countries: await loadCountryNames() }),
});

const COLUMNS = {
  commodityCode: 'Commodity_Code',
  commodity: 'Commodity_Description',
  countryCode: 'Country_Code',
  country: 'Country_Name',
  marketYear: 'Market_Year',
  updatedYear: 'Calendar_Year',
  updatedMonth: 'Month',
  attributeId: 'Attribute_ID',
  attribute: 'Attribute_Description',
  /** The attribute where it may be one of trade years. */
  tradeAttribute: 'Attribute_Description',
  unit: 'Unit_Description',
  value: 'Value',
} as const;

function planPsd(
  table: OpenedTable,
  { batch, countries }: DatasetJob & { readonly countries: CountryNames },
) {
  const fields = TableFields.of(table, COLUMNS, {
    tradeAttribute: { field: 'attribute', is: MARKETING_ATTRIBUTES },
  });
  return planRows({
    keys: [
      fields.key(['updatedYear', 'updatedMonth'], answerUpdate),
      fields.key(['attributeId', 'attribute', 'country'], ({ attributeId, attribute, country }) => {
        if (country === '') throw new RowError('the country has no name');
        return { metric_id: resolvePsdMetric(parseRowInteger(attributeId, 'attribute'), attribute, batch) };
      }),
      fields.key(['commodityCode', 'commodity', 'attribute'], ({ commodityCode, commodity, attribute }) => ({
        item_id: isRoughRice(commodity, attribute)
          ? itemId('Rice')
          : resolvePsdItem(parseRowInteger(commodityCode, 'commodity code'), commodity, batch),
      })),
      fields.key(['country'], ({ country }) => ({
        region_id: resolveRegionName(country, { countries, batch, dataset: 'psd' }),
      })),
      fields.key(['marketYear', 'commodity', 'countryCode', 'tradeAttribute'], psdPeriod),
      fields.key(['unit', 'attributeId'], ({ unit, attributeId }) => {
        const divisor = RATES.get(Number(attributeId));
        return divisor === undefined
          ? { unit_id: resolvePsdUnit(unit, batch) }
          : { unit_id: unitId('ratio'), divisor };
      }),
    ],
    values: [{ column: fields.at.value, name: 'value' }],
  });
}

/** Month 0, in some old rows, is an unknown month: these rows were available at the end of the year. */
function answerUpdate({
  updatedYear,
  updatedMonth,
}: Record<'updatedYear' | 'updatedMonth', string>): RowAnswer {
  const year = parseRowInteger(updatedYear, 'calendar year');
  const month = parseRowInteger(updatedMonth, 'month');
  if (month > 12 || year < 1900 || year > 9999)
    throw new RowError(`month ${month} of ${year} is not in the calendar`);
  if (month === 0) return { reportingMs: utcDay(year, 1, 1), availableMs: utcDay(year + 1, 1, 1) };
  return { reportingMs: utcDay(year, month, 1), availableMs: usdaReleaseMs(year, month) };
}

/** Usual attributes of marketing years; the others are told apart by their names. */
const MARKETING_ATTRIBUTES = listed(`
  Area Harvested; Area Planted; Beginning Stocks; Production; Imports; MY Imports; Total Supply; Exports; MY Exports;
  Crush; Domestic Consumption; Feed Dom. Consumption; Food Use Dom. Cons.; FSI Consumption; Ending Stocks;
  Total Distribution; Rough Production; Yield
`);

function findGroups(request: string): PlannedFile[] {
  return words(request).map((word) => {
    if (!/^[a-z_]+$/.test(word))
      throw new FetchRequestError(`"${word}" is not a group of PSD, such as grains_pulses`);
    return inFolder(ADDRESSES.psdFolder, `psd_${word}_csv.zip`);
  });
}

/**
 * Divisors for rates, by attribute. The scale follows from their description rather than their unit: `Extr. Rate,
 * 999.9999` (181) is 0.78 in PERCENT, and `Milling Rate (.9999)` (182) is 6500 in 1000 MT.
 */
const RATES: ReadonlyMap<number, number> = new Map([
  [181, 1],
  [182, 10_000],
]);

/**
 * Shared metrics by PSD's attributes. The balances of PSD hold for them: beginning stocks + production + imports = total
 * supply, and domestic use + exports (+ loss of cotton) + ending stocks = total distribution, which equals total supply.
 * `Total Distribution` is therefore not the total use of WASDE, and `Total Use` of sugar has no exports: both stay PSD's own.
 */
const METRICS = readMeanings(`
  Area planted | area planted
  Area harvested | area harvested
  Beginning stocks | beginning stocks
  Production quantity | production; rough production
  Imports quantity | imports
  Total supply | total supply
  Exports quantity | exports
  Domestic use | domestic consumption; total dom. cons.; domestic use
  Feed and residual use | feed dom. consumption
  Food, seed and industrial use | fsi consumption
  Ending stocks | ending stocks
  Loss | loss
  Yield | yield
  Crush | crush
  Food use | food use dom. cons.
`);

/** The metric of an attribute; adds one of PSD when the vocabulary has none. */
export function resolvePsdMetric(code: number, description: string, batch: BatchBuilder): number {
  const shared = METRICS.get(description.toLowerCase());
  if (shared !== undefined) return metricId(shared);
  const id = psdEntityId(code);
  const meaning = MEANINGS.get(description);
  const definition = `Attribute ${code} of PSD: ${description}.${meaning === undefined ? '' : ` ${meaning}.`}`;
  const belongsTo = [metricId('Supply and use')];
  batch.addEntity('metrics', { id, name: description, definition, belongsTo });
  return id;
}

/** Definitions of attributes whose descriptions mislead. */
const MEANINGS = readPairs(`
  Total Distribution = Domestic consumption, exports and ending stocks together: it equals the total supply;
  Total Use = Use inside the country, without exports
`);

/** Checks whether an attribute of milled rice refers to rough rice. The yield does: it is rough production by area. */
const isRoughRice = (commodity: string, attribute: string): boolean =>
  commodity === 'Rice, Milled' && /^(Rough Production|Yield)$/.test(attribute);

/** The item of a commodity; adds one of PSD when the vocabulary has none. */
export function resolvePsdItem(code: number, description: string, batch: BatchBuilder): number {
  const shared = findPsdItem(description);
  if (shared !== undefined) return shared;
  const id = psdEntityId(code);
  const definition = `Commodity ${code} of PSD: ${description}.`;
  batch.addEntity('items', { id, name: description, definition, belongsTo: [] });
  return id;
}

const findPsdItem = itemsByName(`
  Oilseed, Soybean = Soybeans; Oilseed, Sunflowerseed = Sunflower seed;
  Oilseed, Rapeseed = Rapeseed; Oilseed, Cottonseed = Cottonseed; Oilseed, Peanut = Peanuts;
  Sugar, Centrifugal = Sugar; Coffee, Green = Coffee; Meal, Soybean = Soybean meal; Oil, Soybean = Soybean oil
`);

/** Units by PSD's text in upper case, without parentheses. */
const UNITS = unitsByText(`
  1000 HA = kha; HECTARES = ha; 1000 MT = kt; MT = t; MT/HA = t/ha; KG/HA = kg/ha;
  1000 480 LB. BALES = 1000 bales; 1000 60 KG BAGS = 1000 60 kg bags; 1000 HEAD = 1000 head; PERCENT = %; RATIO = ratio
`);

/** Ids of the metrics and items that only PSD has: the first id + PSD's code. */
const PSD_IDS = { first: 10_000_000, last: 19_999_999 };

function psdEntityId(code: number): number {
  const id = PSD_IDS.first + code;
  if (id <= PSD_IDS.last) return id;
  throw new RowError(`the code ${code} is too large`);
}

/** The unit of a row; adds one of PSD, which does not convert, when the vocabulary has none. */
function resolvePsdUnit(description: string, batch: BatchBuilder): number {
  const text = description
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .trim();
  const shared = UNITS.get(text.toUpperCase());
  if (shared !== undefined) return shared;
  return batch.addNamedEntity('units', `psd:unit:${text.toUpperCase()}`, sourceUnit(text.toLowerCase()));
}

/**
 * Marketing and trade years of the countries that trade most, from the circulars of USDA FAS (Grain: World Markets and
 * Trade; Oilseeds: World Markets and Trade; Cotton; Sugar): the first month of the trade year, which is also the marketing
 * year of other countries, and those of marketing years by PSD's code of the country. A month with `+` is one of the
 * calendar year after the one that PSD names.
 */
const YEARS = readTable(`
  ^Wheat$ | 7 | US 6; CA 8; AS 10; AR 12; KZ 9; IN 4; TU 6; PK 5; IR 4; MX 5
  ^Corn$ | 10 | US 9; CA 9; BR 3+; AR 3+; SF 5+
  ^Sorghum$ | 10 | US 9; AR 3+; AS 3+
  ^Barley$ | 10 | US 6; CA 8; AS 11; E4 7; RS 7; UP 7; AR 12; KZ 7; TU 6
  ^(Oats|Rye)$ | 10 | US 6
  ^(Millet|Mixed Grain)$ | 10
  ^Rice | 1+ | US 8; IN 10; TH 1+; VM 1+
  ^Oilseed, Soybean$ | 10 | US 9
  ^Oilseed, Sunflowerseed$ | 10 | US 9; UP 9; RS 9
  ^Oilseed, Rapeseed$ | 10 | CA 8; E4 7
  ^(Oilseed|Oil|Meal), | 10
  ^Cotton$ | 8
  ^Sugar | 10 | BR 4; TH 12; AS 7; RP 9
  ^Coffee | 10 | BR 7
  ^ | 1
`).map(([commodities, trade, local]) => ({
  commodities: new RegExp(commodities!),
  trade: trade!,
  local: new Map(listed(local).map((country) => country.split(' ') as [code: string, month: string])),
}));

/**
 * The months of PSD's marketing or trade year of a commodity and country. The trade year of rice is the calendar year
 * after the one that PSD names. Livestock, dairy and all other commodities have calendar years.
 */
function psdPeriod({
  marketYear,
  commodity,
  countryCode,
  tradeAttribute,
}: Record<'marketYear' | 'commodity' | 'countryCode' | 'tradeAttribute', string>): Period {
  const year = parseRowInteger(marketYear, 'market year');
  const isTrade = tradeAttribute.startsWith('TY ');
  const { trade, local } = YEARS.find(({ commodities }) => commodities.test(commodity))!;
  // Most local marketing years of rice are unknown: the calendar year that PSD names is used instead.
  const start = isTrade ? trade : (local.get(countryCode) ?? (trade === '1+' ? '1' : trade));
  return monthsPeriod(start.endsWith('+') ? year + 1 : year, Number.parseInt(start, 10), 12);
}
