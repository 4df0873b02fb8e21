import { monthsPeriod, type Period } from '../../model/calendar.js';
import { parseRowInteger } from '../reading/row-values.js';
import years from './psd-years.json' with { type: 'json' };

/**
 * Marketing and trade years of the countries that trade most, from the circulars of USDA FAS (Grain: World Markets and
 * Trade; Oilseeds: World Markets and Trade; Cotton; Sugar). `trade` is the first month of the trade year, which is also
 * the marketing year of other countries. `local` has the first months of marketing years by PSD's country code. A month
 * with `+` is in the calendar year after the one that PSD names.
 */
const YEARS = years.map(({ commodities, trade, local }) => ({
  commodities: new RegExp(commodities),
  trade,
  local: new Map(Object.entries(local)),
}));

/**
 * Returns the period of PSD's marketing or trade year for a commodity and country. The trade year of rice is the
 * calendar year after the one that PSD names. Livestock, dairy and all other commodities have calendar years.
 */
export function psdYear({
  market_year = '',
  commodity = '',
  country_code = '',
  attribute = '',
}: Readonly<Record<string, string>>): Period {
  const year = parseRowInteger(market_year, 'market year');
  const isTrade = attribute.startsWith('TY ');
  const { trade, local } = YEARS.find(({ commodities }) => commodities.test(commodity))!;
  // Most local marketing years of rice are unknown, so the calendar year that PSD names is used instead.
  const start = isTrade ? trade : (local.get(country_code) ?? (trade === '1+' ? '1' : trade));
  return monthsPeriod(start.endsWith('+') ? year + 1 : year, Number.parseInt(start, 10), 12);
}
