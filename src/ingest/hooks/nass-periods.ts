import { dayPeriod, monthsPeriod, type Period, yearsPeriod } from '../../model/calendar.js';
import { frequencyId } from '../../model/frequency.js';
import { DAY_MS, parseTime, utcDay } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import type { Row } from '../document/fields.js';
import type { Hook } from '../document/hook.js';
import { MONTHS, monthByPrefix } from '../reading/row-values.js';
import { usFirstMonth } from '../usda/calendar.js';

/** Washington is five hours behind UTC, or four in summer. */
const BEHIND_UTC_MS = 5 * 3_600_000;

/** Reads the time at which NASS loaded a row. Exports from the website lack this time. */
const nassLoadTime: Hook = {
  takes: ['load_time'],
  answers: ['reporting_date', 'available_date'],
  prepare:
    async () =>
    ({ load_time = '' }) => {
      if (load_time === '') return {};
      const reportingMs = parseRowDate(load_time, 'load time');
      return { reportingMs, availableMs: reportingMs + BEHIND_UTC_MS };
    },
};

/** Reads a row's period. The first month of a marketing year and the date of a forecast depend on the data item. */
const nassPeriod: Hook = {
  takes: ['year', 'period', 'week_ending', 'data_item'],
  answers: ['start_date', 'frequency', 'reporting_date'],
  prepare:
    async ({ batch }) =>
    (row) => {
      const { frequency, span, ...period } = parsePeriod(row);
      const item = itemOf(row.data_item!);
      if (span === 'marketing year' && usFirstMonth(item) === undefined)
        batch.addNote(
          `marketing years of ${item.split(',', 1)[0]} are treated as calendar years if their first month is unknown`,
        );
      return { ...period, frequency_id: frequencyId(frequency) };
    },
};

/** Returns a special kind of period, such as `marketing year`, which has separate metrics; "" for ordinary periods. */
export const nassSpan = (period: string, data_item: string): string =>
  parsePeriod({ year: '2000', week_ending: '2000-01-01', period, data_item }).span ?? '';

/** Returns the item part of a data item: `CORN, GRAIN` for `CORN, GRAIN - YIELD, MEASURED IN BU / ACRE`. */
const itemOf = (dataItem: string): string => dataItem.split(' - ', 1)[0]!;

interface FoundPeriod extends Period {
  readonly frequency: Parameters<typeof frequencyId>[0];
  readonly span?: string;
  /** The day on which a forecast was made, which distinguishes forecasts for the same year. */
  readonly reportingMs?: number;
}

/** Matches forecasts made in the previous year: citrus from September on, and winter crop acreage in December. */
const YEAR_BEFORE =
  /^(CITRUS|GRAPEFRUIT|K-EARLY|LEMONS|LIMES|ORANGES|TANGELOS|TANGERINES|TEMPLES)\b.* (SEP|OCT|NOV|DEC) FORECAST$|DEC ACREAGE$/;
/** Matches cotton forecasts made in the following year, because the harvest lasts until winter. */
const YEAR_AFTER = /^COTTON\b.* JAN FORECAST$/;
/** Matches items that are measured on one day, such as stocks. Their values for whole months get separate metrics. */
const IS_OF_DAYS = / - (INVENTORY|STOCKS)\b/;

/** Period parsers, keyed by pattern. In a pattern, `MON` stands for a month's abbreviation. */
const PERIODS = Object.entries<
  (
    year: number,
    months: readonly number[],
    text: Record<'period' | 'weekEnding' | 'dataItem', string>,
  ) => FoundPeriod
>({
  YEAR: (year) => ({ ...yearsPeriod(year), frequency: 'annual' }),
  'YEAR - MON (?:FORECAST|ACREAGE)': (year, [month], { period, dataItem }) => {
    const text = `${dataItem} ${period}`;
    const made = YEAR_BEFORE.test(text) ? year - 1 : YEAR_AFTER.test(text) ? year + 1 : year;
    // Acreage is published at the end of a month and dated to that month's last day; forecasts, to the first day.
    const reportingMs = period.endsWith('ACREAGE') ? utcDay(made, month! + 1, 0) : utcDay(made, month!, 1);
    return { ...yearsPeriod(year), frequency: 'annual', span: 'forecast', reportingMs };
  },
  'MARKETING YEAR': (year, _, { dataItem }) => {
    const period = monthsPeriod(year, usFirstMonth(itemOf(dataItem)) ?? 1, 12);
    return { ...period, frequency: 'annual', span: 'marketing year' };
  },
  MON: (year, [month], { dataItem }) => {
    const span = IS_OF_DAYS.test(dataItem) ? 'whole month' : '';
    return { ...monthsPeriod(year, month!, 1), frequency: 'monthly', span };
  },
  '(?:FIRST|END) OF MON': (year, [month], { period, dataItem }) => {
    const day = period.startsWith('FIRST') ? utcDay(year, month!, 1) : utcDay(year, month! + 1, 0);
    const span = IS_OF_DAYS.test(dataItem) ? '' : 'at a point in time';
    return { ...dayPeriod(day), frequency: 'monthly', span };
  },
  'MON THRU MON': (year, [first, last], { period: span }) => {
    const length = ((last! - first! + 12) % 12) + 1;
    // If a period's last month precedes its first month, the period begins in the previous year.
    const period = monthsPeriod(last! < first! ? year - 1 : year, first!, length);
    if (length === 3) return { ...period, frequency: 'quarterly' };
    return { ...period, frequency: 'annual', span: span.toLowerCase() };
  },
  'WEEK #\\d+': (_, __, { weekEnding }) => {
    const endMs = parseRowDate(weekEnding, 'week ending');
    return { startMs: endMs - 6 * DAY_MS, endMs, frequency: 'weekly' };
  },
  '.+': (year, _, { period }) => ({ ...yearsPeriod(year), frequency: 'annual', span: period.toLowerCase() }),
}).map(([form, read]) => ({
  form: new RegExp(`^${form.replaceAll('MON', `(${MONTHS.join('|')})`)}$`),
  read,
}));

function parseRowDate(text: string, what: string): number {
  try {
    return parseTime(text.trim(), what);
  } catch {
    throw new RowError(`the ${what} "${text}" is not a date`);
  }
}

function parsePeriod({ year = '', period = '', week_ending = '', data_item = '' }: Row): FoundPeriod {
  if (!/^\d{4}$/.test(year)) throw new RowError(`the year "${year}" is not a year`);
  const found = PERIODS.find(({ form }) => form.test(period));
  if (found === undefined) throw new RowError('the period is empty');
  const months = found.form.exec(period)!.slice(1).map(monthByPrefix);
  return found.read(Number(year), months, { period, weekEnding: week_ending, dataItem: data_item });
}

export const NASS_PERIOD_HOOKS: Readonly<Record<string, Hook>> = {
  'nass-period': nassPeriod,
  'nass-load-time': nassLoadTime,
};
