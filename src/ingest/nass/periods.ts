import { dayPeriod, monthsPeriod, type Period, yearsPeriod } from '../../model/calendar.js';
import { frequencyId } from '../../model/frequency.js';
import { DAY_MS, utcDay } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import { MONTHS, monthByPrefix } from '../reading/months.js';
import { parseRowDate } from '../reading/row-values.js';
import { marketingYear, usMarketingYearMonth } from '../usda/marketing-years.js';
import { findItemId } from '../vocabulary/items.js';

/** The period of a row. */
export interface NassPeriod extends Period {
  readonly frequencyId: number;
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
  [/^YEAR$/, (_, year) => ({ ...yearsPeriod(year), ...withFrequency(ANNUAL) })],
  [
    new RegExp(`^YEAR - ${MONTH} (?:FORECAST|ACREAGE)$`),
    ([, month], year) => ({
      ...yearsPeriod(year),
      ...withFrequency(ANNUAL),
      span: 'forecast',
      reportingMs: utcDay(year, monthByPrefix(month!), 1),
    }),
  ],
  [
    /^MARKETING YEAR$/,
    (_, year, { commodity }) => ({
      ...marketingYear(year, usMarketingYearMonth(findItemId(commodity))),
      ...withFrequency(ANNUAL),
      span: 'marketing year',
    }),
  ],
  [
    new RegExp(`^${MONTH}$`),
    ([, month], year) => ({ ...monthsPeriod(year, monthByPrefix(month!), 1), ...withFrequency(MONTHLY) }),
  ],
  [
    new RegExp(`^FIRST OF ${MONTH}$`),
    ([, month], year) => ({
      ...dayPeriod(utcDay(year, monthByPrefix(month!), 1)),
      ...withFrequency(MONTHLY),
    }),
  ],
  [
    new RegExp(`^END OF ${MONTH}$`),
    ([, month], year) => ({
      ...dayPeriod(utcDay(year, monthByPrefix(month!) + 1, 0)),
      ...withFrequency(MONTHLY),
    }),
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
  return { ...yearsPeriod(year), ...withFrequency(ANNUAL), span: text.period.toLowerCase() };
}

/** The span of a period that can be read. */
export function nassSpan(period: string): string {
  return parseNassPeriod({ year: '2000', period, weekEnding: '2000-01-01', commodity: '' }).span;
}

function withFrequency(frequency: number): Omit<NassPeriod, keyof Period> {
  return { frequencyId: frequency, span: '', reportingMs: null };
}

/** A span whose last month is before its first begins in the year before. */
function parseMonthSpan(match: RegExpExecArray, year: number): NassPeriod {
  const first = monthByPrefix(match[1]!);
  const last = monthByPrefix(match[2]!);
  const length = ((last - first + 12) % 12) + 1;
  const period = monthsPeriod(last < first ? year - 1 : year, first, length);
  if (length === 3) return { ...period, ...withFrequency(QUARTERLY) };
  return { ...period, ...withFrequency(ANNUAL), span: match[0]!.toLowerCase() };
}

function parseWeek(_: RegExpExecArray, __: number, { weekEnding }: NassPeriodText): NassPeriod {
  const endMs = parseRowDate(weekEnding, 'week ending');
  return { startMs: endMs - 6 * DAY_MS, endMs, ...withFrequency(WEEKLY) };
}
