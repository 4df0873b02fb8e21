import { monthsPeriod, type Period } from '../../model/calendar.js';
import { parseRowInteger } from '../reading/row-values.js';
import { listed, readTable } from '../vocabulary/text-table.js';

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
export function psdYear({
  market_year = '',
  commodity = '',
  country_code = '',
  attribute = '',
}: Readonly<Record<string, string>>): Period {
  const year = parseRowInteger(market_year, 'market year');
  const isTrade = attribute.startsWith('TY ');
  const { trade, local } = YEARS.find(({ commodities }) => commodities.test(commodity))!;
  // Most local marketing years of rice are unknown: the calendar year that PSD names is used instead.
  const start = isTrade ? trade : (local.get(country_code) ?? (trade === '1+' ? '1' : trade));
  return monthsPeriod(start.endsWith('+') ? year + 1 : year, Number.parseInt(start, 10), 12);
}
