import { monthsPeriod } from '../../model/calendar.js';
import { DAY_MS, utcDay } from '../../model/time.js';
import type { RowAnswer } from '../../store/store.js';
import { RowError } from '../batch/batch-builder.js';
import type { Row } from '../document/fields.js';
import type { Hook } from '../document/hook.js';
import { monthByPrefix, parseRowInteger } from '../reading/row-values.js';
import { findItemId } from '../vocabulary/entities.js';
import calendar from './calendar.json' with { type: 'json' };
import years from './psd-years.json' with { type: 'json' };

/** First months of US marketing years, by item (USDA: WASDE footnotes, NASS Agricultural Prices; 7 CFR 1412.3). */
const US_FIRST_MONTHS: ReadonlyMap<number | string, number> = new Map(
  Object.entries(calendar.firstMonths).flatMap(([month, items]) =>
    items.map((name) => [findItemId(name) ?? name, Number(month)] as const),
  ),
);

/** Returns the first month of an item's US marketing year. Ignores what follows the last comma of an unlisted name. */
export function usFirstMonth(item: number | string): number | undefined {
  if (typeof item === 'number') return US_FIRST_MONTHS.get(item);
  const comma = item.lastIndexOf(',');
  const month = US_FIRST_MONTHS.get(findItemId(item) ?? item);
  return comma < 0 ? month : (month ?? usFirstMonth(item.slice(0, comma)));
}

/** Release days of WASDE and PSD, by year and month (from reports, archive and 2026 schedule); 0 if there is none. */
const RELEASE_DAYS: Readonly<Record<number, readonly number[]>> = calendar.releaseDays;

/** The day to use for months without a listed release day. Their reports were all released by this day. */
const LATEST_DAY = 12;
/** Reports are released at noon in Washington: in winter at this time of day in UTC, and in summer an hour earlier. */
const RELEASE_TIME_MS = 17 * 3_600_000;

/** Returns a time, in UTC milliseconds, by which a month's WASDE and PSD had certainly been released. */
export function usdaReleaseMs(year: number, month: number): number {
  return utcDay(year, month, RELEASE_DAYS[year]?.[month - 1] || LATEST_DAY) + RELEASE_TIME_MS;
}

export const usdaRelease: Hook = {
  takes: ['year', 'month'],
  answers: ['reporting_date', 'available_date'],
  prepare: async () => answerUpdate,
};

/** Reads a row's dates. In old rows, the month may be 0 (unknown). Such rows become available when the year ends. */
function answerUpdate(row: Row): RowAnswer {
  const year = parseRowInteger(row.year!, 'calendar year');
  const month = parseRowInteger(row.month!, 'month');
  if (month > 12 || year < 1900 || year > 9999)
    throw new RowError(`month ${month} of ${year} is not in the calendar`);
  if (month === 0) return { reportingMs: utcDay(year, 1, 1), availableMs: utcDay(year + 1, 1, 1) };
  return { reportingMs: utcDay(year, month, 1), availableMs: usdaReleaseMs(year, month) };
}

/** Reads the month of a report, such as `December 2012`, and finds when it was released. */
export const wasdeRelease: Hook = {
  takes: ['month'],
  answers: ['reporting_date', 'available_date'],
  prepare:
    async () =>
    ({ month: text = '' }) => {
      const [, name = '', year] = /^([A-Za-z]{3})[a-z]*\.?\s+(\d{4})$/.exec(text) ?? [];
      const month = monthByPrefix(name);
      if (month === 0) throw new RowError(`"${text}" is not a valid report month`);
      const availableMs = usdaReleaseMs(Number(year), month);
      return { reportingMs: availableMs - (availableMs % DAY_MS), availableMs };
    },
};

/**
 * The marketing and trade years of the main trading countries, from USDA FAS circulars (Grain: World Markets and Trade;
 * Oilseeds: World Markets and Trade; Cotton; Sugar). `trade` is the first month of the trade year, which also serves as
 * the marketing year of all other countries. `local` holds the first month of each country's marketing year, by PSD
 * country code. A month marked `+` is in the calendar year after the year that PSD states.
 */
const YEARS = years.map(({ commodities, trade, local }) => ({
  commodities: new RegExp(commodities),
  trade,
  local: new Map(Object.entries(local)),
}));

/** Returns the marketing or trade year. Commodities that are not listed have calendar years. */
export function psdYear({ market_year = '', commodity = '', country_code = '', attribute = '' }: Row) {
  const year = parseRowInteger(market_year, 'market year');
  const isTrade = attribute.startsWith('TY ');
  const { trade, local } = YEARS.find(({ commodities }) => commodities.test(commodity))!;
  // For rice, most local marketing years are unknown, so the calendar year that PSD names is used instead.
  const start = isTrade ? trade : (local.get(country_code) ?? (trade === '1+' ? '1' : trade));
  return monthsPeriod(start.endsWith('+') ? year + 1 : year, Number.parseInt(start, 10), 12);
}
