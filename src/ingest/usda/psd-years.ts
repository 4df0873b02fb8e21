import { monthsPeriod, type Period } from '../../model/calendar.js';
import { parseRowInteger } from '../reading/row-values.js';
import years from './psd-years.json' with { type: 'json' };

/**
 * The marketing and trade years of the main trading countries, from USDA FAS circulars (Grain: World Markets and Trade;
 * Oilseeds: World Markets and Trade; Cotton; Sugar). `trade` is the first month of the trade year, which is also used
 * as the marketing year of other countries. `local` has the first month of each country's marketing year, by PSD
 * country code. A month marked `+` is in the calendar year after the one that PSD names.
 */
const YEARS = years.map(({ commodities, trade, local }) => ({
  commodities: new RegExp(commodities),
  trade,
  local: new Map(Object.entries(local)),
}));

/** Returns the marketing or trade year. Commodities that are not listed have calendar years. */
export function psdYear({
  market_year = '',
  commodity = '',
  country_code = '',
  attribute = '',
}: Readonly<Record<string, string>>): Period {
  const year = parseRowInteger(market_year, 'market year');
  const isTrade = attribute.startsWith('TY ');
  const { trade, local } = YEARS.find(({ commodities }) => commodities.test(commodity))!;
  // For rice, most local marketing years are unknown, so the calendar year that PSD names is used instead.
  const start = isTrade ? trade : (local.get(country_code) ?? (trade === '1+' ? '1' : trade));
  return monthsPeriod(start.endsWith('+') ? year + 1 : year, Number.parseInt(start, 10), 12);
}
