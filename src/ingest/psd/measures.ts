import type { Period } from '../../model/calendar.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { marketingYear } from '../usda/calendar.js';
import { itemsByName } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { sourceUnit, unitId } from '../vocabulary/units.js';

const METRICS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    'area planted': 'Area planted',
    'area harvested': 'Area harvested',
    'beginning stocks': 'Beginning stocks',
    production: 'Production quantity',
    imports: 'Imports quantity',
    'total supply': 'Total supply',
    exports: 'Exports quantity',
    'domestic consumption': 'Domestic use',
    'total dom. cons.': 'Domestic use',
    'feed dom. consumption': 'Feed and residual use',
    'fsi consumption': 'Food, seed and industrial use',
    'ending stocks': 'Ending stocks',
    'total distribution': 'Total use',
    yield: 'Yield',
    crush: 'Crush',
    'food use dom. cons.': 'Food use',
  }),
);

/** The metric of an attribute; adds one of PSD when the vocabulary has none. */
export function resolvePsdMetric(code: number, description: string, batch: BatchBuilder): number {
  const shared = METRICS.get(description.toLowerCase());
  if (shared !== undefined) return metricId(shared);
  const id = psdEntityId(code);
  const definition = `Attribute ${code} of PSD: ${description}.`;
  const belongsTo = [metricId('Supply and use')];
  batch.addEntity('metrics', { id, name: description, definition, belongsTo, aliases: [] });
  return id;
}

/** The item of a commodity; adds one of PSD when the vocabulary has none. */
export function resolvePsdItem(code: number, description: string, batch: BatchBuilder): number {
  const shared = findPsdItem(description);
  if (shared !== undefined) return shared;
  const id = psdEntityId(code);
  const definition = `Commodity ${code} of PSD: ${description}.`;
  batch.addEntity('items', { id, name: description, definition, belongsTo: [], aliases: [] });
  return id;
}

const findPsdItem = itemsByName({
  Rice: ['Rice, Milled'],
  Soybeans: ['Oilseed, Soybean'],
  'Sunflower seed': ['Oilseed, Sunflowerseed'],
  Rapeseed: ['Oilseed, Rapeseed'],
  Cottonseed: ['Oilseed, Cottonseed'],
  Peanuts: ['Oilseed, Peanut'],
  Sugar: ['Sugar, Centrifugal'],
  Coffee: ['Coffee, Green'],
  'Soybean meal': ['Meal, Soybean'],
  'Soybean oil': ['Oil, Soybean'],
});

/** Units by PSD's text in upper case, without parentheses. */
const UNITS: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    '1000 HA': unitId('kha'),
    HECTARES: unitId('ha'),
    '1000 MT': unitId('kt'),
    MT: unitId('t'),
    'MT/HA': unitId('t/ha'),
    'KG/HA': unitId('kg/ha'),
    '1000 480 LB. BALES': unitId('1000 bales'),
    '1000 60 KG BAGS': unitId('1000 60 kg bags'),
    '1000 HEAD': unitId('1000 head'),
    PERCENT: unitId('%'),
  }),
);

/** Ids of the metrics and items that only PSD has: the first id + PSD's code. */
const PSD_IDS = { first: 10_000_000, last: 19_999_999 };

function psdEntityId(code: number): number {
  const id = PSD_IDS.first + code;
  if (id <= PSD_IDS.last) return id;
  throw new RowError(`the code ${code} is too large`);
}

/** The unit of a row; adds one of PSD, which does not convert, when the vocabulary has none. */
export function resolvePsdUnit(description: string, batch: BatchBuilder): number {
  const text = description
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .trim();
  const shared = UNITS.get(text.toUpperCase());
  if (shared !== undefined) return shared;
  return batch.addNamedEntity('units', `psd:unit:${text.toUpperCase()}`, sourceUnit(text.toLowerCase()));
}

/** First month of a year; `nextYear` when it begins in the calendar year after the one that PSD names. */
interface YearStart {
  readonly month: number;
  readonly nextYear?: boolean | undefined;
}

interface CommodityYears {
  readonly commodities: RegExp;
  /** The trade year, which is also the marketing year of countries not in `local`. */
  readonly trade: YearStart;
  /** Marketing years by PSD's code of the country. */
  readonly local: Readonly<Record<string, YearStart>>;
}

const JAN: YearStart = { month: 1 };
const OCT: YearStart = { month: 10 };
const nextYear = (month: number): YearStart => ({ month, nextYear: true });

/**
 * Marketing and trade years of the countries that trade most, from the circulars of USDA FAS (Grain: World Markets and
 * Trade; Oilseeds: World Markets and Trade; Cotton; Sugar). Other countries have the trade year.
 */
const YEARS: readonly CommodityYears[] = [
  {
    commodities: /^Wheat$/,
    trade: { month: 7 },
    local: {
      US: { month: 6 },
      CA: { month: 8 },
      AS: OCT,
      AR: { month: 12 },
      KZ: { month: 9 },
      IN: { month: 4 },
      TU: { month: 6 },
      PK: { month: 5 },
      IR: { month: 4 },
      MX: { month: 5 },
    },
  },
  {
    commodities: /^Corn$/,
    trade: OCT,
    local: { US: { month: 9 }, CA: { month: 9 }, BR: nextYear(3), AR: nextYear(3), SF: nextYear(5) },
  },
  {
    commodities: /^Sorghum$/,
    trade: OCT,
    local: { US: { month: 9 }, AR: nextYear(3), AS: nextYear(3) },
  },
  {
    commodities: /^Barley$/,
    trade: OCT,
    local: {
      US: { month: 6 },
      CA: { month: 8 },
      AS: { month: 11 },
      E4: { month: 7 },
      RS: { month: 7 },
      UP: { month: 7 },
      AR: { month: 12 },
      KZ: { month: 7 },
      TU: { month: 6 },
    },
  },
  { commodities: /^(Oats|Rye)$/, trade: OCT, local: { US: { month: 6 } } },
  { commodities: /^(Millet|Mixed Grain)$/, trade: OCT, local: {} },
  { commodities: /^Rice/, trade: nextYear(1), local: { US: { month: 8 }, IN: OCT } },
  { commodities: /^Oilseed, Soybean$/, trade: OCT, local: { US: { month: 9 } } },
  {
    commodities: /^Oilseed, Sunflowerseed$/,
    trade: OCT,
    local: { US: { month: 9 }, UP: { month: 9 }, RS: { month: 9 } },
  },
  { commodities: /^Oilseed, Rapeseed$/, trade: OCT, local: { CA: { month: 8 }, E4: { month: 7 } } },
  { commodities: /^(Oilseed|Oil|Meal), /, trade: OCT, local: {} },
  { commodities: /^Cotton$/, trade: { month: 8 }, local: {} },
  {
    commodities: /^Sugar/,
    trade: OCT,
    local: { BR: { month: 4 }, TH: { month: 12 }, AS: { month: 7 }, RP: { month: 9 } },
  },
  { commodities: /^Coffee/, trade: OCT, local: { BR: { month: 7 } } },
];

const CALENDAR: CommodityYears = { commodities: /^/, trade: JAN, local: {} };

/**
 * The months of PSD's marketing or trade year of a commodity and country. The trade year of rice is the calendar year
 * after the one that PSD names. Livestock, dairy and all other commodities have calendar years.
 */
export function psdPeriod(
  year: number,
  { commodity, country }: { readonly commodity: string; readonly country: string },
  kind: 'marketing' | 'trade',
): Period {
  const years = YEARS.find(({ commodities }) => commodities.test(commodity)) ?? CALENDAR;
  const known = Object.hasOwn(years.local, country) ? years.local[country] : undefined;
  // Most local marketing years of rice are unknown: the calendar year that PSD names is used instead.
  const fallback = years.trade.nextYear ? JAN : years.trade;
  const start = kind === 'trade' ? years.trade : (known ?? fallback);
  return marketingYear(start.nextYear ? year + 1 : year, start.month);
}
