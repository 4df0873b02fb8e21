import { monthsPeriod, type Period } from '../../model/calendar.js';
import { marketingYear } from '../usda/marketing-years.js';

/** First month of a year, and whether PSD names it by the year before (second-year labelling of the south). */
interface YearStart {
  readonly month: number;
  readonly nextYear?: boolean | undefined;
}

interface CommodityYears {
  readonly commodities: RegExp;
  /** Trade year, which is also the marketing year of countries not listed. */
  readonly trade: YearStart;
  /** Marketing years by PSD's country code. */
  readonly local: Readonly<Record<string, YearStart>>;
}

const JAN: YearStart = { month: 1 };
const OCT: YearStart = { month: 10 };
const southern = (month: number): YearStart => ({ month, nextYear: true });

/**
 * Marketing and trade years as USDA FAS states them in its circulars (Grain: World Markets and Trade; Oilseeds: World
 * Markets and Trade; Cotton; Sugar), for the countries that trade most. Others are taken by the trade year.
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
    local: { US: { month: 9 }, CA: { month: 9 }, BR: southern(3), AR: southern(3), SF: southern(5) },
  },
  {
    commodities: /^Sorghum$/,
    trade: OCT,
    local: { US: { month: 9 }, AR: southern(3), AS: southern(3) },
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
  { commodities: /^Rice/, trade: { month: 1, nextYear: true }, local: { US: { month: 8 }, IN: OCT } },
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
 * The months that PSD's market year of a commodity and country covers; `trade` asks for the trade year instead. Rice is
 * traded by the calendar year after the one that names it. Livestock, dairy and all else go by calendar years.
 */
export function psdPeriod(
  year: number,
  { commodity, country }: { readonly commodity: string; readonly country: string },
  kind: 'marketing' | 'trade',
): Period {
  const years = YEARS.find(({ commodities }) => commodities.test(commodity)) ?? CALENDAR;
  const known = years.local[country];
  // Rice is marketed by local years, most of which are not known: the named calendar year stands for them.
  const fallback = years.trade.nextYear ? JAN : years.trade;
  const begin = kind === 'trade' ? years.trade : (known ?? fallback);
  return begin.nextYear ? monthsPeriod(year + 1, begin.month, 12) : marketingYear(year, begin.month);
}
