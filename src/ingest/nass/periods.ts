import { dayPeriod, monthsPeriod, type Period, yearsPeriod } from '../../model/calendar.js';
import { frequencyId } from '../../model/frequency.js';
import { DAY_MS, utcDay } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import { MONTHS, monthByPrefix } from '../reading/months.js';
import { parseRowDate } from '../reading/row-values.js';
import { marketingYear, usMarketingYearMonth } from '../usda/marketing-years.js';
import { findItemId } from '../vocabulary/items.js';

/** When a row's figure holds. */
export interface NassPeriod extends Period {
  readonly frequencyId: number;
  /** Tells spans that are not whole years, quarters, months, weeks or days apart; part of the metric's name. */
  readonly span: string;
  /** A forecast's month; the date that tells it from later forecasts of the year. */
  readonly reportingMs: number | null;
}

/** What a row says of its period, in either format. */
interface NassPeriodText {
  readonly year: string;
  /** REFERENCE_PERIOD_DESC, the web export's Period. */
  readonly period: string;
  readonly weekEnding: string;
  /** COMMODITY_DESC: marketing years begin in different months. */
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
 * The period of a row. Whole years, quarters, months, weeks and days of a month are periods of their frequency; any other
 * span ("marketing year", "jan thru aug", "spring") is annual and named, so that it never mixes with whole years.
 * @throws RowError when the year or the week is no date
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

function withFrequency(frequency: number): Omit<NassPeriod, keyof Period> {
  return { frequencyId: frequency, span: '', reportingMs: null };
}

/** A span whose last month comes before its first runs over the turn of the year into the year given. */
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
