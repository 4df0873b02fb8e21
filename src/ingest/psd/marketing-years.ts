import type { Period } from '../../model/calendar.js';
import { marketingYear } from '../usda/calendar.js';

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
